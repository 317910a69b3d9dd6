import { ShaketableError, unknownName } from '../../core/errors.js'
import { type Metric, pairBySeed } from '../pairs.js'
import { type Measurements, countDistinct, keepPasses, placesOf, takeParts, withoutCopies } from '../passes.js'
import { knownOf } from '../rates.js'
import { mean } from '../../statistics/dispersion.js'
import { listFirst } from '../../tables/words.js'
import { alignPanels } from './align-panels.js'
import { nameCell } from './cell-tables.js'
import { type NamePair, type OutcomeCell, type Outcomes, type Sides, sides } from './outcomes.js'

export type { Metric } from '../pairs.js'

/** Names that differ between the sides; see {@link pairNames}. */
export interface PairOptions {
  readonly models?: readonly NamePair[]
  readonly agents?: readonly NamePair[]
  /** Leaves out the models, or agents, of which pairs are given but not with these names. */
  readonly onlyGiven?: boolean
}

/**
 * Pairs what both sides have played by task, temperature and seed, on the tasks that both have: a cell for each
 * environment × model × agent × condition, in the first side's order.
 * @throws ShaketableError `bad-input` where both have no task in common; `usage` for an unknown name.
 */
export function pairCells(firstWhole: Outcomes, secondWhole: Outcomes, options: PairOptions = {}) {
  const { first, second, notes: left } = alignPanels(firstWhole, secondWhole)
  const { models: givenModels, agents: givenAgents, onlyGiven = false } = options
  const agentsOf = ({ cells }: Outcomes, model: string): string[] =>
    namesOf({ cells: cells.filter((cell) => cell.model === model) }, 'agent')
  const [models, beside] = [namesOf(first, 'model'), namesOf(second, 'model')]
  const subjects = pairNames('model', models, beside, givenModels, onlyGiven).flatMap((model) => {
    const [agents, others] = [agentsOf(first, model.first), agentsOf(second, model.second)]
    return pairNames('agent', agents, others, givenAgents, onlyGiven).map((agent) => ({ model, agent }))
  })
  const partners = new Map(second.cells.map((cell) => [keyOf(cell), cell]))
  const paired = first.cells.flatMap((cell) => {
    const names = subjects.find(({ model, agent }) => model.first === cell.model && agent.first === cell.agent)
    const other = names && partners.get(keyOf({ ...cell, model: names.model.second, agent: names.agent.second }))
    return other === undefined ? [] : [{ cell, other, ...pairSides(cell, other), ...names! }]
  })
  const alone = {
    first: first.cells.filter((cell) => !paired.some((pair) => pair.cell === cell)),
    second: second.cells.filter((cell) => !paired.some((pair) => pair.other === cell)),
  }
  const described = sides.flatMap((side) => {
    const [own, beside] = side === 'first' ? [first, second] : [second, first]
    const onlyHere = (kind: string, names: readonly string[]): string[] =>
      names.length === 0
        ? []
        : [`Only in ${own.source}: ${kind}${names.length === 1 ? '' : 's'} ${listFirst(names, 12)}.`]
    const namesAlone = (kind: NameKind): string[] => {
      const known =
        kind === 'model' || kind === 'agent' ? subjects.map((pair) => pair[kind][side]) : namesOf(beside, kind)
      return namesOf(own, kind).filter((name) => !known.includes(name))
    }
    const rest = alone[side].filter((cell) => !kinds.some((kind) => namesAlone(kind).includes(cell[kind])))
    return [
      ...(onlyGiven ? [] : kinds.flatMap((kind) => onlyHere(kind, namesAlone(kind)))),
      ...(onlyGiven ? [] : onlyHere('cell', rest.map(nameCell))),
      ...paired.flatMap((pair) => onlyHere('temperature', pair.alone[side].temperatures.map(String))),
      ...paired.flatMap((pair) => onlyHere('seed', pair.alone[side].seeds.map(String))),
    ]
  })
  return {
    alone,
    /** What only one side has and which settings differ, in sentences. */
    notes: [...new Set([...left, ...described, ...describeSettings(first, second)])],
    /** Limits of an episode that differ. */
    limits: limits
      .map(({ words, of }) => ({ words, first: of(first.settings), second: of(second.settings) }))
      .filter((limit) => limit.first !== limit.second),
    cells: paired.map(({ cell, other, model, agent, temperatures, seeds, measured }) => ({
      ...{ environment: cell.environment, model, agent, condition: cell.condition },
      tasks: first.panels.find(({ environment }) => environment === cell.environment)!.tasks,
      // Seeds are those of either side; what only one side has is not planned.
      ...{ temperatures, seeds, sides: measured },
      pairs: pairBySeed(measured.first, measured.second, [...temperatures.keys()]),
      unchanged: cell.unchanged && other.unchanged,
      /** Whether the condition has other perturbations on the two sides. */
      isOther: cell.perturbations !== other.perturbations,
      onePlay: { first: hasOnePlay(cell), second: hasOnePlay(other) },
    })),
  }
}

/** See {@link pairCells}. */
export type Pairing = ReturnType<typeof pairCells>
export type PairedCell = Pairing['cells'][number]

const kinds = ['environment', 'model', 'agent', 'condition'] as const
type NameKind = (typeof kinds)[number]

function keyOf({ environment, model, agent, condition }: Pick<OutcomeCell, NameKind>): string {
  return JSON.stringify([environment, model, agent, condition])
}

/** The names of one kind that cells have. */
export function namesOf({ cells }: Pick<Outcomes, 'cells'>, kind: NameKind): string[] {
  return [...new Set(cells.map((cell) => cell[kind]))]
}

const limits = [
  { words: 'steps an episode', of: ({ stepLimit }: Outcomes['settings']) => stepLimit },
  { words: 'tokens a reply', of: ({ maxTokens }: Outcomes['settings']) => maxTokens },
]

/** Models and agents of one name and other settings. */
function describeSettings({ settings: before, source }: Outcomes, { settings: after }: Outcomes): string[] {
  return (['model', 'agent'] as const).flatMap((kind) =>
    after[`${kind}s`]
      .filter(({ name, hash }) => before[`${kind}s`].some((known) => known.name === name && known.hash !== hash))
      .map(({ name }) => `The settings of the ${kind} ${name} are not those of ${source}.`),
  )
}

/** Whether there is one distinct play at each temperature: the other seeds were the same, or were not planned. */
function hasOnePlay({ temperatures, seeds, played }: OutcomeCell): boolean {
  return seeds.length > 1 && temperatures.every((_, place) => countDistinct(played, place) === 1)
}

/**
 * The measurements of a cell at the temperatures and seeds that both sides have, and what one side has alone: seeds are
 * not where they are copies that the other side does not list.
 */
function pairSides(one: OutcomeCell, other: OutcomeCell) {
  const seeds = [...new Set([...one.seeds, ...other.seeds])]
  const temperatures = one.temperatures.filter((temperature) => other.temperatures.includes(temperature))
  const place = (cell: OutcomeCell): Measurements =>
    takeParts(cell.played, {
      temperatures: temperatures.map((temperature) => cell.temperatures.indexOf(temperature)),
      seeds: seeds.map((seed) => cell.seeds.indexOf(seed)),
      tasks: placesOf(cell.played.shape).tasks,
    })
  const whole = { first: place(one), second: place(other) }
  const distinct = { first: withoutCopies(whole.first), second: withoutCopies(whole.second) }
  const equal = [whole, distinct].find(({ first, second }) =>
    first.planned.every((isPlanned, pass) => isPlanned === second.planned[pass]),
  )
  const { first, second } = equal ?? whole
  const aloneOf = (cell: OutcomeCell, side: Measurements, beside: Measurements) => ({
    temperatures: cell.temperatures.filter((temperature) => !temperatures.includes(temperature)),
    seeds: seeds.filter((_, at) =>
      side.planned.some((planned, pass) => planned > beside.planned[pass]! && pass % seeds.length === at),
    ),
  })
  return {
    ...{ temperatures, seeds },
    measured: {
      first: keepPasses(first, (pass) => second.planned[pass] === 1),
      second: keepPasses(second, (pass) => first.planned[pass] === 1),
    },
    alone: { first: aloneOf(one, first, second), second: aloneOf(other, second, first) },
  }
}

/**
 * Pairs the names of two sides, in the first side's order: the pairs that are given, and of all others equal names
 * (unless `onlyGiven`). Where nothing is given and each side has one name, those two are a pair.
 * @throws ShaketableError `usage` for a given name that its side does not have, and for one that is given twice.
 */
export function pairNames(
  kind: string,
  first: readonly string[],
  second: readonly string[],
  given: readonly NamePair[] = [],
  onlyGiven = false,
): NamePair[] {
  for (const [side, known] of [['first', first] as const, ['second', second] as const]) {
    const names = given.map((pair) => pair[side])
    const other = names.find((name) => !known.includes(name))
    if (other !== undefined) throw new ShaketableError('usage', unknownName(kind, other, known))
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    if (twice !== undefined)
      throw new ShaketableError('usage', `Expected each ${kind} once, but '${twice}' is paired twice.`)
  }
  if (given.length === 0 && first.length === 1 && second.length === 1) return [{ first: first[0]!, second: second[0]! }]
  const taken = new Set(given.map((pair) => pair.second))
  return first.flatMap((name) => {
    const wanted = given.find((pair) => pair.first === name)
    if (wanted !== undefined) return wanted
    if (onlyGiven && given.length > 0) return []
    return second.includes(name) && !taken.has(name) ? { first: name, second: name } : []
  })
}

/**
 * Means over the tasks of a task's means on both sides, over what is compared of it; undefined where that is nothing.
 */
export function meansOf({ pairs }: PairedCell, metric: Metric): Sides<number> | undefined {
  const [first, second] = [mean(knownOf(pairs[metric].first)), mean(knownOf(pairs[metric].second))]
  return first === undefined || second === undefined ? undefined : { first, second }
}
