import type { Generation } from './domain.js'

/** The placeholder in a grammar's task sentence for the goal of a game. */
export const goalPlaceholder = 'UNKNOWN GOAL'

/** The wordings that differ between the generations; in addition, only `new` has `help`. */
const wordings = {
  old: { place: 'put {o} in/on {r}', placed: 'You put the {o.name} in/on the {r.name}.', arrived: '{lend.name}' },
  new: { place: 'move {o} to {r}', placed: 'You move the {o.name} to the {r.name}.', arrived: '{r.name}' },
} as const

interface Rule {
  readonly condition?: string
  readonly rhs: string
}

const here = 'atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)'
const seen = (query: string): string => `[{o.indefinite + ' ' + o.name | ${query}}]`
const inside = seen('inreceptacle(o:object, r:receptacle)')

/** The states that `examine` reports, the most specific first: `cold` alone, `cool` in combination. */
const conditions: readonly (readonly [adjective: string, facts: readonly string[]])[] = [
  ['hot and clean sliced', ['isclean', 'ishot', 'issliced']],
  ['cool and clean sliced', ['isclean', 'iscool', 'issliced']],
  ['clean sliced', ['isclean', 'issliced']],
  ['hot sliced', ['ishot', 'issliced']],
  ['cool sliced', ['iscool', 'issliced']],
  ['hot and clean', ['isclean', 'ishot']],
  ['cool and clean', ['isclean', 'iscool']],
  ['hot', ['ishot']],
  ['clean', ['isclean']],
  ['cold', ['iscool']],
]

const symbols: Readonly<Record<string, readonly Rule[]>> = {
  intro: [{ rhs: '-= Welcome to TextWorld, ALFRED! =-\n\n#view#\n\n#task#' }],
  task: [{ rhs: `Your task is to: ${goalPlaceholder}.` }],
  // A list of queries runs over recorded facts only: `not_…` means "was taken away at some time", so the floor is bare
  // unless something was moved between two receptacles that share a location.
  view: [
    {
      condition: here,
      rhs: `You are facing the [{r.name | ${here}}]. Next to it, you see ${seen(
        'atlocation(a:agent, l:location) & objectatlocation(o:object, l:location) & receptacleatlocation(r:receptacle, l:location) & not_inreceptacle(o:object, r:receptacle)',
      )}.`,
    },
    {
      rhs: "You are in the middle of a room. Looking quickly around you, you see [{r.indefinite + ' ' + r.name | receptacleatlocation(r:receptacle, l:location)}].",
    },
  ],
  contents: [
    {
      condition: 'openable(r:receptacle) & opened(r:receptacle)',
      rhs: `The {r.name} is open. In it, you see ${inside}.`,
    },
    { condition: 'openable(r:receptacle)', rhs: 'The {r.name} is closed.' },
    { rhs: `On the {r.name}, you see ${inside}.` },
  ],
  carried: [
    { condition: 'holdsany(a:agent)', rhs: `You are carrying: ${seen('holds(a:agent, o:object)')}.` },
    { rhs: 'You are not carrying anything.' },
  ],
  closeup: [
    {
      condition: 'isreceptacleobject(o:object)',
      rhs: "This is a normal {o.name}. In it, you see [{i.indefinite + ' ' + i.name | inreceptacleobject(i:object, o:object)}].",
    },
    ...conditions.map(([adjective, facts]) => ({
      condition: facts.map((fact) => `${fact}(o:object)`).join(' & '),
      rhs: `This is a ${adjective} {o.name}.`,
    })),
    { condition: 'toggleable(o:object) & istoggled(o:object)', rhs: 'This {o.name} is on.' },
    { condition: 'sliceable(o:object) & issliced(o:object)', rhs: 'This is a sliced {o.name}.' },
    { rhs: "There's nothing special about {o.name}." },
  ],
  list_empty: [{ rhs: 'nothing' }],
  list_separator: [{ rhs: ', ' }],
  list_last_separator: [{ rhs: ', and ' }],
}

const helpText = `
Available commands:
  look:                             look around your current location
  inventory:                        check your current inventory
  go to (receptacle):               move to a receptacle
  open (receptacle):                open a receptacle
  close (receptacle):               close a receptacle
  take (object) from (receptacle):  take an object from a receptacle
  move (object) to (receptacle):  place an object in or on a receptacle
  examine (something):              examine a receptacle or an object
  use (object):                     use an object
  heat (object) with (receptacle):  heat an object using a receptacle
  clean (object) with (receptacle): clean an object using a receptacle
  cool (object) with (receptacle):  cool an object using a receptacle
  slice (object) with (object):     slice an object using a sharp object
`

/** Command and feedback of every action, under the action's PDDL name. */
function actions(generation: Generation): readonly (readonly [name: string, template: string, feedback: string])[] {
  const { place, placed, arrived } = wordings[generation]
  return [
    ['look', 'look', '#view#'],
    ['inventory', 'inventory', '#carried#'],
    ['examineReceptacle', 'examine {r}', '#contents#'],
    ['examineObject', 'examine {o}', '#closeup#'],
    ['GotoLocation', 'go to {r}', `You arrive at ${arrived}. #contents#`],
    ['OpenObject', 'open {r}', 'You open the {r.name}. #contents#'],
    ['CloseObject', 'close {r}', 'You close the {r.name}.'],
    ['PickupObject', 'take {o} from {r}', 'You pick up the {o.name} from the {r.name}.'],
    ['PutObject', place, placed],
    ['CleanObject', 'clean {o} with {r}', 'You clean the {o.name} using the {r.name}.'],
    ['HeatObject', 'heat {o} with {r}', 'You heat the {o.name} using the {r.name}.'],
    ['CoolObject', 'cool {o} with {r}', 'You cool the {o.name} using the {r.name}.'],
    ['ToggleObject', 'use {o}', 'You turn on the {o.name}.'],
    ['SliceObject', 'slice {co} with {ko}', 'You sliced the {co.name} with the {ko.name}.'],
    ...(generation === 'new' ? [['help', 'help', helpText] as const] : []),
  ]
}

/**
 * The twl2 grammar of a generation, with `UNKNOWN GOAL` in place of a game's goal. Its texts equal those of ALFWorld's
 * `alfred.twl2` to the byte.
 */
export function grammarText(generation: Generation): string {
  const blocks = actions(generation).map(
    ([name, template, feedback]) => `action ${name} {\n  template :: "${template}";\n  feedback :: "${feedback}";\n}\n`,
  )
  return `# How the household speaks (${generation} generation).\ngrammar :: """\n${JSON.stringify(symbols, undefined, 2)}\n""";\n\n${blocks.join('\n')}`
}
