import type { ActionForm, Briefing, Environment, Piece, Random, Task, Text, Turn, World } from '../src/index.js'
import { printForm, textOf } from '../src/index.js'

/** Settings of the toy: everything that a test may vary. */
interface ToyOptions {
  readonly generation?: 'old' | 'new'
  /** Answers with promises. */
  readonly slow?: boolean
  /** Whether there is a planner; default true. */
  readonly solvable?: boolean
}

const places = ['sinkbasin 1', 'drawer 1', 'drawer 10']
const home: Readonly<Record<string, string>> = { 'mug 1': 'drawer 1', 'mug 13': 'drawer 10', 'pen 1': 'drawer 1' }
const exampleNames = ['sofa 1', 'sofa 2', 'book 1']

/**
 * A room of three places and three items: small enough to know every answer, with every kind of text that a
 * perturbation handles.
 */
export function createToy(options: ToyOptions = {}): Environment {
  const { generation = 'old' } = options
  return {
    name: 'toy',
    version: '1',
    summary: 'Three places, three things.',
    source: 'For tests.',
    settings: { generation },
    tasks: [
      { id: 'clean-mug', goal: 'put a clean mug in drawer 10.', hash: 'a' },
      { id: 'move-pen', goal: 'put the pen in sinkbasin within 10 turns.', hash: 'b' },
    ],
    normalise: (action) => action.trim(),
    begin: (task, random) => createRoom(task, options, random),
  }
}

/** The toy's action forms. */
export function toyForms(generation: 'old' | 'new'): readonly ActionForm[] {
  const put = generation === 'old' ? 'put {obj} in/on {recep}' : 'move {obj} to {recep}'
  return [
    ['go to {recep}', 'walk'],
    ['take {obj} from {recep}', 'pick up'],
    [put, 'lay down'],
    ['clean {obj} with {recep}', 'wash'],
    ['examine {item}', 'look closely'],
    ['look', 'look around'],
    ['help', 'hear what is possible'],
    ['check valid actions', 'hear what is possible now'],
  ].map(([template, meaning]) => ({ template: template!, meaning: meaning! }))
}

function createRoom(task: Task, options: ToyOptions, random: Random): World {
  const { generation = 'old', slow = false, solvable = true } = options
  const [go, take, put, clean] = toyForms(generation).map((form) => form.template) as [string, string, string, string]
  const where = new Map<string, string>(Object.entries(home))
  const washed = new Set<string>()
  let at: string | undefined
  let held: string | undefined
  let steps = 0
  const hour = 8 + random.fork('hour').int(4)

  const actions = (): Map<string, () => Text> => {
    const result = new Map<string, () => Text>()
    /** An action that has an effect before it is answered. */
    const add = (action: string, effect: () => unknown, answer: () => string): void => {
      result.set(action, () => (effect(), [answer()]))
    }
    for (const recep of places) {
      if (recep === at) continue
      const arrive = (): string => `You arrive at ${recep}. ${seen(recep)}`
      add(printForm(go, { recep }), () => (at = recep), arrive)
    }
    for (const [obj, recep] of where) {
      if (recep !== at || held !== undefined) continue
      const pickUp = (): unknown => (where.delete(obj), (held = obj))
      add(printForm(take, { obj, recep }), pickUp, () => `You pick up the ${obj} from the ${recep}.`)
    }
    if (held !== undefined && at !== undefined) {
      const [obj, recep] = [held, at]
      const layDown = (): unknown => (where.set(obj, recep), (held = undefined))
      add(printForm(put, { obj, recep }), layDown, () => `You put the ${obj} in/on the ${recep}.`)
      const wash = (): string => `You clean the ${obj} using the ${recep}.`
      if (recep === 'sinkbasin 1') add(printForm(clean, { obj, recep }), () => washed.add(obj), wash)
    }
    for (const item of [at, held]) if (item !== undefined) result.set(`examine ${item}`, () => [seen(item)])
    result.set('look', () => [roomText()])
    result.set('help', () => ['You can: ', ...helpPieces(generation), '.'])
    result.set('check valid actions', () => ['Valid: ', { list: [...result.keys()] }, '.'])
    return result
  }
  const seen = (name: string): string => {
    const things = [...where].filter(([, recep]) => recep === name).map(([obj]) => `a ${obj}`)
    return `On the ${name}, you see ${things.join(', and ') || 'nothing'}.`
  }
  const roomText = (): string =>
    `It is ${String(hour)} o'clock and you have 10 turns. You see ${places.map((place) => `a ${place}`).join(', ')}.`
  const solved = (): boolean =>
    task.id === 'clean-mug'
      ? ['mug 1', 'mug 13'].some((mug) => where.get(mug) === 'drawer 10' && washed.has(mug))
      : where.get('pen 1') === 'sinkbasin 1'

  const answer = (observation: Text, command: string | undefined, understood: boolean): Turn | Promise<Turn> => {
    steps++
    const progress = solved() ? 1 : washed.size > 0 ? 0.5 : 0
    const ended = solved() ? 'success' : steps >= 50 ? 'failure' : false
    const turn: Turn = { observation, original: textOf(observation), command, understood, progress, ended }
    return slow ? Promise.resolve(turn) : turn
  }
  const rejected: Text = ['Nothing happens.']
  return {
    briefing: brief(task, generation),
    opening: [roomText()],
    originalOpening: roomText(),
    names: toyNames,
    step(action) {
      const plain = action.endsWith('.') ? action.slice(0, -1) : action
      const act = actions().get(plain)
      return answer(act?.() ?? rejected, action, act !== undefined && plain === action)
    },
    refuse: () => answer(rejected, undefined, false),
    admissible: () => [...actions().keys()],
    understands: (action) => actions().has(action),
    ...(solvable && {
      solve: () =>
        task.id === 'clean-mug'
          ? [
              ...[
                'go to drawer 10',
                'take mug 13 from drawer 10',
                'go to sinkbasin 1',
                'clean mug 13 with sinkbasin 1',
              ],
              ...['go to drawer 10', printForm(put, { obj: 'mug 13', recep: 'drawer 10' })],
            ]
          : [
              ...['go to drawer 1', 'take pen 1 from drawer 1', 'go to sinkbasin 1'],
              printForm(put, { obj: 'pen 1', recep: 'sinkbasin 1' }),
            ],
    }),
  }
}

/** The toy's item names. */
export const toyNames: readonly string[] = [...places, ...Object.keys(home)]

function brief(task: Task, generation: 'old' | 'new'): Briefing {
  const put = toyForms(generation)[2]!.template
  return {
    system: 'You tidy a room.',
    instruction: [
      'Tidy the room. You can:\n',
      ...toyForms(generation).flatMap(({ template }): Piece[] => ['- ', { form: template }, '\n']),
    ],
    forms: toyForms(generation),
    examples: [
      {
        opening: ['put a book in sofa. You see a sofa 1, a sofa 2.'],
        exchanges: [
          { action: 'go to sofa 2', observation: ['On the sofa 2, you see a book 1.'] },
          { action: 'take book 1 from sofa 2', observation: ['You pick up the book 1 from the sofa 2.'] },
          {
            action: printForm(put, { obj: 'book 1', recep: 'sofa 1' }),
            observation: ['You put the book 1 in/on the sofa 1.'],
          },
        ],
        names: exampleNames,
      },
    ],
    goal: task.goal,
    help: ['check valid actions'],
  }
}

function helpPieces(generation: 'old' | 'new'): Piece[] {
  return toyForms(generation).flatMap(({ template }, index): Piece[] => [
    ...(index === 0 ? [] : ['; ']),
    { form: template, fill: { recep: '(place)', obj: '(thing)', item: '(thing)' } },
  ])
}

/** All that an agent reads before its first action. */
export function promptOf({ briefing, opening }: World): string {
  const { instruction, examples, goal, help, system } = briefing
  const shown = examples.flatMap((example) => [
    textOf(example.opening),
    ...example.exchanges.map(({ action, observation }) => `${action}: ${textOf(observation)}`),
  ])
  return [system, textOf(instruction), ...shown, goal, help.join(', '), textOf(opening)].join('\n')
}
