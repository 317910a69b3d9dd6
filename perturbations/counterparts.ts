import type { Lens, Perturbation, Scene, Vocabulary } from '../src/define.js'
import { drawWording } from './_forms.js'
import { definePerturbation, renameItems, rewordActions } from '../src/define.js'
import { vocabularies } from './vocabulary/index.js'

const { babyai, pddl, scienceworld, jericho } = vocabularies

type Open = (scene: Scene) => Lens

/** Hyphens in item names, as `item-style:style=hyphen` has them, in names of one environment. */
function hyphens(isItem: RegExp): Open {
  const hyphened = (name: string): string => name.replaceAll(' ', '-').replace(/(?<=\p{L})(?=\d+$)/u, '-')
  const lens = renameItems((name) => (isItem.test(name) ? hyphened(name) : name))
  return () => lens
}

/** Draw 1 of `synonyms` for some forms of an environment, which are separated by commas. */
const words = (vocabulary: () => Vocabulary, templates: string) => (): Lens => {
  const actions = vocabulary().actions!
  return rewordActions(Object.fromEntries(templates.split(', ').map((template) => [template, actions[template]![0]!])))
}
/** The same for all forms of the PDDL games with one of some verbs. */
const verbsOfGames = (verbs: string) => (): Lens => {
  const all = new Set(verbs.split(' '))
  const has = (template: string): boolean => template.split(' ').some((word) => all.has(word.toLowerCase()))
  return words(pddl, Object.keys(pddl().actions!).filter(has).join(', '))()
}
/** The same for text adventures, with the capital letter of AgentBoard's prompt file too. */
const adventureWords =
  (listed: string) =>
  (scene: Scene): Lens => {
    const templates = listed.split(', ')
    const all = [...templates, ...templates.map((one) => one[0]!.toUpperCase() + one.slice(1))]
    const wordings = jericho().actions!
    const known = all.filter((one) => wordings[one] !== undefined)
    return rewordActions(Object.fromEntries(known.map((one) => [one, drawWording(scene, one, wordings[one]!, 1)])))
  }
const orders = (vocabulary: () => Vocabulary) => (): Lens => rewordActions(vocabulary().orders!)

/** What the numbers stand for. Numbers 1 to 4 are AgentRefine's own. */
const kinds: Readonly<Record<string, string>> = {
  1: "perturbation 1: another token in an action's wording",
  2: 'perturbation 2: another verb for walking',
  3: 'perturbation 3: the same tokens in another order',
  4: 'perturbation 4: item names without spaces',
  5: 'perturbations 1 and 2: other tokens, the same meaning',
}

/** By name: what it changes, its lens, and its kind where that is not the usual one of its number. */
type Rows = Readonly<Record<string, readonly [summary: string, open: Open, kind?: string]>>

/**
 * Parts of the first draws of `synonyms`, `argument-order` and `item-style` on BabyAI, PDDL games and text adventures.
 * Together with number 5, every action has another wording.
 */
const rows: Rows = {
  'babyai-1': [
    'BabyAI: turn left, turn right, move forward → rotate left, rotate right, step ahead',
    words(babyai, 'turn left, turn right, move forward'),
  ],
  'babyai-2': ['BabyAI: go to {obj} → move to {obj}', words(babyai, 'go to {obj}')],
  'babyai-3': [
    'BabyAI: go through {door} → through {door} go, and toggle and go through {door} → through {door} toggle and go',
    orders(babyai),
  ],
  'babyai-4': [
    'BabyAI: item names with hyphens: red ball 1 → red-ball-1',
    hyphens(/^(?:red|green|blue|purple|yellow|grey) (?:key|ball|box|(?:open|closed|locked) door) \d+$/),
  ],
  'babyai-5': ['BabyAI: pickup {obj} → grab {obj}, and drop → put down', words(babyai, 'pickup {obj}, drop')],
  'pddl-1': [
    'PDDL games: pick up, pickup, unstack, grasp, fill-shot, refill-shot, shake, fetch, remove-wheel, loosen, undo → other verbs, with … → using …',
    verbsOfGames('pick pickup unstack grasp fill-shot refill-shot shake fetch remove-wheel loosen undo'),
  ],
  'pddl-2': [
    'PDDL games: move, stack, pour-…, jack-up, jack-down, put-on-wheel, inflate → go, pile, tip-…, raise, lower, mount-wheel, pump-up',
    verbsOfGames(
      'move stack pour-shot-to-clean-shaker pour-shot-to-used-shaker pour-shaker-to-shot jack-up jack-down ' +
        'put-on-wheel inflate',
    ),
    'perturbation 2: another verb for walking, and for what comes closest to it',
  ],
  'pddl-3': [
    'PDDL games: objects in another order: drop {ball} {room} {gripper} → {gripper} drop {ball} {room}, Fetch {obj} from {container} → From {container} fetch {obj}, …',
    orders(pddl),
    'perturbation 3: the same tokens in another order, as far as the games tell orders apart',
  ],
  'pddl-4': [
    'PDDL games: item names with a hyphen: ball1 → ball-1, the-hub2 → the-hub-2; names without a number stay',
    hyphens(/^[a-z]+(?:-[a-z]+)*\d+$/),
    'perturbation 4: item names spelled in another way',
  ],
  'pddl-5': [
    'PDDL games: drop, putdown, leave, empty-…, clean-…, open, close, put-away, tighten, do-up → release, lower, deposit, drain-…, rinse-…, unlatch, shut, stow, fasten, refit',
    verbsOfGames(
      'drop putdown leave empty-shot clean-shot empty-shaker clean-shaker open close put-away tighten do-up',
    ),
  ],
  'scienceworld-1': [
    'ScienceWorld: open, close, activate, deactivate {obj} → unlatch, latch, power on, power off {obj}',
    words(scienceworld, 'open {obj}, close {obj}, activate {obj}, deactivate {obj}'),
  ],
  'scienceworld-2': [
    'ScienceWorld: go to {place} → head toward {place}',
    words(scienceworld, 'go to {place}, go {place}'),
  ],
  'scienceworld-3': [
    'ScienceWorld: move {obj} to {other} → to {other} move {obj}; pour, dunk, use and connect alike',
    orders(scienceworld),
  ],
  'scienceworld-4': [
    'ScienceWorld: names of objects with hyphens: metal pot → metal-pot, flower pot 3 → flower-pot-3',
    hyphens(/^(?:(?:self watering )?flower pot \d|[a-z-]+ [A-Za-z -]+)$/),
  ],
  'scienceworld-5': [
    'ScienceWorld: pick up, put down, focus on, look at, mix {obj} → collect, release, concentrate on, inspect, blend {obj}',
    words(scienceworld, 'pick up {obj}, put down {obj}, focus on {obj}, look at {obj}, mix {obj}'),
  ],
  'jericho-1': [
    'Jericho: examine {obj}, look, inventory → study {obj}, survey, belongings',
    adventureWords('examine {obj}, look, inventory'),
  ],
  'jericho-2': [
    'Jericho: north, up, … → head north, ascend, …',
    adventureWords('north, south, east, west, northeast, northwest, southeast, southwest, up, down, in, out'),
  ],
  'jericho-3': [
    'Jericho: put {obj} in {other} → in {other} put {obj}, and so with every action with two items',
    orders(jericho),
  ],
  'jericho-4': ['Jericho: item names of several words with hyphens: brass key → brass-key', hyphens(/^[^\d]+ [^\d]+$/)],
  'jericho-5': [
    'Jericho: take {obj}, drop {obj} → acquire {obj}, leave {obj}',
    adventureWords('take {obj}, drop {obj}, put down {obj}'),
  ],
}

/** `babyai-1` to `babyai-5`, and the same of `pddl`, `scienceworld` and `jericho`. */
export const counterparts: readonly Perturbation[] = Object.entries(rows).map(([name, [summary, open, kind]]) => {
  const [environment, number] = name.split('-') as [string, string]
  return definePerturbation({
    name,
    summary,
    source: `this testbed, after AgentRefine's ${kind ?? kinds[number]!}`,
    open,
    environment,
    promise: 'invariant',
    ...(number !== '5' && { counterpartOf: `agentrefine-${number}` }),
  })
})
