import type { Lens, Perturbation, Scene, Vocabulary } from '../src/define.js'
import { drawWording } from './_forms.js'
import { definePerturbation, renameItems, rewordActions } from '../src/define.js'
import { vocabularies } from './vocabulary/index.js'

const { babyai, pddl, scienceworld, jericho } = vocabularies

/** Hyphens in item names, as `item-style:style=hyphen` has them, in names of one environment. */
function hyphens(isItem: RegExp): () => Lens {
  const hyphened = (name: string): string => name.replaceAll(' ', '-').replace(/(?<=\p{L})(?=\d+$)/u, '-')
  const lens = renameItems((name) => (isItem.test(name) ? hyphened(name) : name))
  return () => lens
}

/** Draw 1 of `synonyms` for some forms of an environment. */
const wordsFrom = (vocabulary: () => Vocabulary, ...templates: string[]): Lens => {
  const actions = vocabulary().actions!
  return rewordActions(Object.fromEntries(templates.map((template) => [template, actions[template]![0]!])))
}
const wordsFor = (...templates: string[]): Lens => wordsFrom(babyai, ...templates)
/** The same for all forms of the PDDL games with one of some verbs. */
const verbsOfGames = (...verbs: string[]): Lens => {
  const has = (template: string): boolean => template.split(' ').some((word) => verbs.includes(word.toLowerCase()))
  return wordsFrom(pddl, ...Object.keys(pddl().actions!).filter(has))
}
/** The same for text adventures, with the capital letter of AgentBoard's prompt file too. */
const adventureWords =
  (...templates: string[]) =>
  (scene: Scene): Lens => {
    const all = [...templates, ...templates.map((one) => one[0]!.toUpperCase() + one.slice(1))]
    const wordings = jericho().actions!
    const known = all.filter((one) => wordings[one] !== undefined)
    return rewordActions(Object.fromEntries(known.map((one) => [one, drawWording(scene, one, wordings[one]!, 1)])))
  }

const directions = 'north south east west northeast northwest southeast southwest up down in out'.split(' ')

interface Counterpart extends Pick<Perturbation, 'name' | 'summary' | 'source'> {
  readonly open: (scene: Scene) => Lens
}

/**
 * Parts of the first draws of `synonyms`, `argument-order` and `item-style` on BabyAI, PDDL games and text adventures.
 * Numbers 1 to 4 stand for AgentRefine's perturbations of the same numbers; together with 5, every action has another
 * wording.
 */
const rows: readonly Counterpart[] = [
  {
    name: 'babyai-1',
    summary: 'BabyAI: turn left, turn right, move forward → rotate left, rotate right, step ahead',
    source: "this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
    open: () => wordsFor('turn left', 'turn right', 'move forward'),
  },
  {
    name: 'babyai-2',
    summary: 'BabyAI: go to {obj} → move to {obj}',
    source: "this testbed, after AgentRefine's perturbation 2: another verb for walking",
    open: () => wordsFor('go to {obj}'),
  },
  {
    name: 'babyai-3',
    summary:
      'BabyAI: go through {door} → through {door} go, and toggle and go through {door} → through {door} toggle and go',
    source: "this testbed, after AgentRefine's perturbation 3: the same tokens in another order",
    open: () => rewordActions(babyai().orders!),
  },
  {
    name: 'babyai-4',
    summary: 'BabyAI: item names with hyphens: red ball 1 → red-ball-1',
    source: "this testbed, after AgentRefine's perturbation 4: item names without spaces",
    open: hyphens(/^(?:red|green|blue|purple|yellow|grey) (?:key|ball|box|(?:open|closed|locked) door) \d+$/),
  },
  {
    name: 'babyai-5',
    summary: 'BabyAI: pickup {obj} → grab {obj}, and drop → put down',
    source: "this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
    open: () => wordsFor('pickup {obj}', 'drop'),
  },
  {
    name: 'pddl-1',
    summary:
      'PDDL games: pick up, pickup, unstack, grasp, fill-shot, refill-shot, shake, fetch, remove-wheel, loosen, undo → other verbs, with … → using …',
    source: "this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
    open: () =>
      verbsOfGames(
        'pick',
        'pickup',
        'unstack',
        'grasp',
        'fill-shot',
        'refill-shot',
        'shake',
        'fetch',
        'remove-wheel',
        'loosen',
        'undo',
      ),
  },
  {
    name: 'pddl-2',
    summary:
      'PDDL games: move, stack, pour-…, jack-up, jack-down, put-on-wheel, inflate → go, pile, tip-…, raise, lower, mount-wheel, pump-up',
    source:
      "this testbed, after AgentRefine's perturbation 2: another verb for walking, and for what comes closest to it",
    open: () =>
      verbsOfGames(
        'move',
        'stack',
        'pour-shot-to-clean-shaker',
        'pour-shot-to-used-shaker',
        'pour-shaker-to-shot',
        'jack-up',
        'jack-down',
        'put-on-wheel',
        'inflate',
      ),
  },
  {
    name: 'pddl-3',
    summary:
      'PDDL games: objects in another order: drop {ball} {room} {gripper} → {gripper} drop {ball} {room}, Fetch {obj} from {container} → From {container} fetch {obj}, …',
    source:
      "this testbed, after AgentRefine's perturbation 3: the same tokens in another order, as far as the games tell orders apart",
    open: () => rewordActions(pddl().orders!),
  },
  {
    name: 'pddl-4',
    summary: 'PDDL games: item names with a hyphen: ball1 → ball-1, the-hub2 → the-hub-2; names without a number stay',
    source: "this testbed, after AgentRefine's perturbation 4: item names spelled in another way",
    open: hyphens(/^[a-z]+(?:-[a-z]+)*\d+$/),
  },
  {
    name: 'pddl-5',
    summary:
      'PDDL games: drop, putdown, leave, empty-…, clean-…, open, close, put-away, tighten, do-up → release, lower, deposit, drain-…, rinse-…, unlatch, shut, stow, fasten, refit',
    source: "this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
    open: () =>
      verbsOfGames(
        'drop',
        'putdown',
        'leave',
        'empty-shot',
        'clean-shot',
        'empty-shaker',
        'clean-shaker',
        'open',
        'close',
        'put-away',
        'tighten',
        'do-up',
      ),
  },
  {
    name: 'scienceworld-1',
    summary: 'ScienceWorld: open, close, activate, deactivate {obj} → unlatch, latch, power on, power off {obj}',
    source: "this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
    open: () => wordsFrom(scienceworld, 'open {obj}', 'close {obj}', 'activate {obj}', 'deactivate {obj}'),
  },
  {
    name: 'scienceworld-2',
    summary: 'ScienceWorld: go to {place} → head toward {place}',
    source: "this testbed, after AgentRefine's perturbation 2: another verb for walking",
    open: () => wordsFrom(scienceworld, 'go to {place}', 'go {place}'),
  },
  {
    name: 'scienceworld-3',
    summary: 'ScienceWorld: move {obj} to {other} → to {other} move {obj}; pour, dunk, use and connect alike',
    source: "this testbed, after AgentRefine's perturbation 3: the same tokens in another order",
    open: () => rewordActions(scienceworld().orders!),
  },
  {
    name: 'scienceworld-4',
    summary: 'ScienceWorld: names of objects with hyphens: metal pot → metal-pot, flower pot 3 → flower-pot-3',
    source: "this testbed, after AgentRefine's perturbation 4: item names without spaces",
    open: hyphens(/^(?:(?:self watering )?flower pot \d|[a-z-]+ [A-Za-z -]+)$/),
  },
  {
    name: 'scienceworld-5',
    summary:
      'ScienceWorld: pick up, put down, focus on, look at, mix {obj} → collect, release, concentrate on, inspect, blend {obj}',
    source: "this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
    open: () =>
      wordsFrom(scienceworld, 'pick up {obj}', 'put down {obj}', 'focus on {obj}', 'look at {obj}', 'mix {obj}'),
  },
  {
    name: 'jericho-1',
    summary: 'Jericho: examine {obj}, look, inventory → study {obj}, survey, belongings',
    source: "this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
    open: adventureWords('examine {obj}', 'look', 'inventory'),
  },
  {
    name: 'jericho-2',
    summary: 'Jericho: north, up, … → head north, ascend, …',
    source: "this testbed, after AgentRefine's perturbation 2: another verb for walking",
    open: adventureWords(...directions),
  },
  {
    name: 'jericho-3',
    summary: 'Jericho: put {obj} in {other} → in {other} put {obj}, and so with every action with two items',
    source: "this testbed, after AgentRefine's perturbation 3: the same tokens in another order",
    open: () => rewordActions(jericho().orders!),
  },
  {
    name: 'jericho-4',
    summary: 'Jericho: item names of several words with hyphens: brass key → brass-key',
    source: "this testbed, after AgentRefine's perturbation 4: item names without spaces",
    open: hyphens(/^[^\d]+ [^\d]+$/),
  },
  {
    name: 'jericho-5',
    summary: 'Jericho: take {obj}, drop {obj} → acquire {obj}, leave {obj}',
    source: "this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
    open: adventureWords('take {obj}', 'drop {obj}', 'put down {obj}'),
  },
]

/** `babyai-1` to `babyai-5`, and the same of `pddl`, `scienceworld` and `jericho`. */
export const counterparts: readonly Perturbation[] = rows.map((row) => {
  const [environment, number] = row.name.split('-') as [string, string]
  return definePerturbation({
    ...row,
    environment,
    promise: 'invariant',
    ...(number !== '5' && { counterpartOf: `agentrefine-${number}` }),
  })
})
