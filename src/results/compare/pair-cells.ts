import { ShaketableError, unknownName } from '../../core/errors.js'
import type { Metric, Pairs } from '../pairs.js'
import { pairBySeed } from '../pairs.js'
import type { Measurements } from '../passes.js'
import { countDistinct, placesOf, takeParts, withoutCopies } from '../passes.js'
import { mean } from '../../statistics/dispersion.js'
import { alignPanels, shortList } from './align-panels.js'
import type { OutcomeCell, Outcomes, Panel } from './outcomes.js'
import { cellsByKey, keyOf } from './outcomes.js'

export type { Metric } from '../pairs.js'

/** One value for each side of a comparison. */
export type Sides<Value> = Readonly<Record<'first' | 'second', Value>>

/** What is called one thing on the first side and another on the second. */
export type NamePair = Sides<string>

/** `a`, or `a → b` where the two sides call it differently. */
export function nameOf({ first, second }: NamePair): string {
  return first === second ? first : `${first} → ${second}`
}

/** The two sides of a comparison, paired by task, temperature and seed. */
export interface Pairing {
  /** In the first side's order, without cells that have no temperature on both sides: those are in `unpaired`. */
  readonly cells: readonly PairedCell[]
  /** What only one side has, in sentences. */
  readonly unpaired: readonly string[]
  /** The second side, cut to the tasks that both have. */
  readonly second: Outcomes
}

/** One environment × model × agent × condition on both sides, on the tasks that both have. */
export interface PairedCell {
  readonly environment: string
  readonly model: NamePair
  readonly agent: NamePair
  readonly condition: string
  readonly tasks: Panel['tasks']
  /** Those that both sides have. */
  readonly temperatures: readonly number[]
  /** Those of either side. */
  readonly seeds: readonly number[]
  /** By {@link temperatures} and {@link seeds}; what only one side has is not planned. */
  readonly sides: Sides<Measurements>
  /** Differences are second minus first; below 0 the second is worse. */
  readonly pairs: Pairs
  /** Whether the condition changed nothing on any task of either side. */
  readonly unchanged: boolean
  /** Whether a side has one distinct play at each temperature: its other seeds were the same, or were not planned. */
  readonly onePlay: Sides<boolean>
}

/** Names that differ between the sides; see {@link pairNames}. */
export interface PairOptions {
  readonly models?: readonly NamePair[]
  readonly agents?: readonly NamePair[]
  /** Leaves out the models, or agents, of which pairs are given but not with these names. */
  readonly onlyGiven?: boolean
}

/**
 * Pairs what both sides have played, on the tasks that both have.
 * @throws ShaketableError `bad-input` where both have no task in common; `usage` for an unknown name.
 */
export function pairCells(firstWhole: Outcomes, secondWhole: Outcomes, options: PairOptions = {}): Pairing {
  const { first, second, notes } = alignPanels(firstWhole, secondWhole)
  const { models: givenModels = [], agents: givenAgents = [], onlyGiven = false } = options
  const pair = (kind: 'model' | 'agent', given: readonly NamePair[]): NamePair[] =>
    pairNames(kind, namesOf(first, kind), namesOf(second, kind), given, onlyGiven)
  const models = pair('model', givenModels)
  const named = pair('agent', givenAgents)
  const agents = models.map((model) => agentsOf(model, first, second, named, givenAgents))
  const panels = first.panels.filter(({ environment }) => namesOf(second, 'environment').includes(environment))
  const conditions = namesOf(first, 'condition').filter((one) => namesOf(second, 'condition').includes(one))
  const [before, after] = [cellsByKey(first), cellsByKey(second)]
  const cells: PairedCell[] = []
  const alone = describeAlone(first, second, { model: models, agent: agents.flat() }, conditions, panels)
  const unpaired = new Set([...notes, ...(onlyGiven ? [] : alone)])
  for (const { environment, tasks } of panels)
    for (const [place, model] of models.entries())
      for (const agent of agents[place]!)
        for (const condition of conditions) {
          const cell = before.get(keyOf(environment, model.first, agent.first, condition))
          const other = after.get(keyOf(environment, model.second, agent.second, condition))
          if (cell === undefined && other === undefined) continue
          const [here, there] = [cell?.temperatures ?? [], other?.temperatures ?? []]
          const temperatures = here.filter((temperature) => there.includes(temperature))
          for (const [all, { source }] of [[here, first] as const, [there, second] as const])
            for (const temperature of cell && other ? all : [])
              if (!temperatures.includes(temperature))
                unpaired.add(`Only in ${source}: temperature ${String(temperature)}.`)
          if (cell === undefined || other === undefined || temperatures.length === 0) {
            const name = `${environment}, ${nameOf(model)}, ${nameOf(agent)}, ${condition}`
            unpaired.add(`Nothing to pair: ${name} has no temperature on both sides.`)
            continue
          }
          const { alone, ...pair } = pairSides(cell, other, temperatures)
          const onePlay = { first: hasOnePlay(cell), second: hasOnePlay(other) }
          const unchanged = cell.unchanged && other.unchanged
          cells.push({ environment, model, agent, condition, tasks, temperatures, ...pair, unchanged, onePlay })
          for (const [side, { source }] of Object.entries({ first, second }) as ['first' | 'second', Outcomes][])
            for (const sentence of onlyIn(source, 'seed', alone[side].map(String))) unpaired.add(sentence)
        }
  return { cells, unpaired: [...unpaired], second }
}

function hasOnePlay({ temperatures, seeds, played }: OutcomeCell): boolean {
  return seeds.length > 1 && temperatures.every((_, place) => countDistinct(played, place) === 1)
}

/**
 * Pairs a cell's passes at the temperatures and seeds that both sides have. `alone` are the seeds of one side alone,
 * unless they are copies that the other side does not list.
 */
function pairSides(one: OutcomeCell, other: OutcomeCell, temperatures: readonly number[]) {
  const seeds = [...new Set([...one.seeds, ...other.seeds])]
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
  const sides = equal ?? {
    first: onlyPlanned(whole.first, whole.second),
    second: onlyPlanned(whole.second, whole.first),
  }
  const seedsAlone = (side: Measurements, beside: Measurements): number[] =>
    seeds.filter((_, at) =>
      side.planned.some((planned, pass) => planned > beside.planned[pass]! && pass % seeds.length === at),
    )
  const alone = equal
    ? { first: [], second: [] }
    : { first: seedsAlone(whole.first, whole.second), second: seedsAlone(whole.second, whole.first) }
  return { seeds, sides, alone, pairs: pairBySeed(sides.first, sides.second, [...temperatures.keys()]) }
}

/** The measurements of the passes that another side has planned too. */
function onlyPlanned(side: Measurements, { planned }: Measurements): Measurements {
  const { tasks } = side.shape
  return {
    ...side,
    planned: side.planned.map((one, pass) => one * planned[pass]!),
    state: side.state.map((one, slot) => one * planned[Math.floor(slot / tasks)]!),
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
 * The pairs of agents with which two models were played, among those `named`. Where none is given and each of the two
 * models was played with one agent only, those two agents are a pair, as in {@link pairNames}.
 */
function agentsOf(
  model: NamePair,
  first: Outcomes,
  second: Outcomes,
  named: readonly NamePair[],
  given: readonly NamePair[],
): readonly NamePair[] {
  const playing = ({ cells }: Outcomes, name: string): string[] =>
    namesOf({ cells: cells.filter((cell) => cell.model === name) }, 'agent')
  const [before, after] = [playing(first, model.first), playing(second, model.second)]
  if (given.length === 0 && before.length === 1 && after.length === 1) return [{ first: before[0]!, second: after[0]! }]
  return named.filter((pair) => before.includes(pair.first) || after.includes(pair.second))
}

/**
 * Means over the tasks of a task's means on both sides, over what is compared of it; undefined where that is nothing.
 */
export function meansOf({ pairs }: PairedCell, metric: Metric): Sides<number> | undefined {
  const known = (values: Float64Array): number[] => [...values].filter((value) => !Number.isNaN(value))
  const [first, second] = [mean(known(pairs[metric].first)), mean(known(pairs[metric].second))]
  return first === undefined || second === undefined ? undefined : { first, second }
}

function describeAlone(
  first: Outcomes,
  second: Outcomes,
  pairs: Readonly<Record<'model' | 'agent', readonly NamePair[]>>,
  conditions: readonly string[],
  panels: readonly Panel[],
): string[] {
  return [['first', first] as const, ['second', second] as const].flatMap(([side, outcomes]) => {
    const paired = {
      environment: panels.map(({ environment }) => environment),
      model: pairs.model.map((pair) => pair[side]),
      agent: pairs.agent.map((pair) => pair[side]),
      condition: conditions,
    }
    return (['environment', 'model', 'agent', 'condition'] as const).flatMap((kind) => {
      const alone = namesOf(outcomes, kind).filter((name) => !paired[kind].includes(name))
      return onlyIn(outcomes.source, kind, alone)
    })
  })
}

function onlyIn(source: string, kind: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  return [`Only in ${source}: ${kind}${names.length === 1 ? '' : 's'} ${shortList(names, 12)}.`]
}

/** The names of one kind that cells have. */
export function namesOf(
  { cells }: Pick<Outcomes, 'cells'>,
  kind: 'environment' | 'model' | 'agent' | 'condition',
): string[] {
  return [...new Set(cells.map((cell) => cell[kind]))]
}
