import { count } from '../tables/words.js'
import { mean } from '../statistics/dispersion.js'
import { alignPanels, shortList } from './align-panels.js'
import type { Pass } from './_pair-passes.js'
import { pairPasses } from './_pair-passes.js'
import type { Outcomes, Panel } from './outcomes.js'
import { groupCells, hasOnePlay, keyOf } from './outcomes.js'
import type { NamePair, Sides } from './pair-names.js'
import { nameOf, pairNames } from './pair-names.js'

/** A measure of an episode. */
export type Metric = 'success' | 'progress'

/** The two sides of a comparison, paired by task, temperature and, where both have the same seeds, by seed. */
export interface Pairing {
  /** In the first side's order, without cells that have no temperature on both sides: those are in `unpaired`. */
  readonly cells: readonly PairedCell[]
  /** What is compared by task alone, and what only one side has, in sentences. */
  readonly unpaired: readonly string[]
  /** The sides, cut to the tasks that both have. */
  readonly first: Outcomes
  readonly second: Outcomes
}

/**
 * One environment × model × agent × column on both sides. Lists are by the tasks that both have, then by the passes of
 * their side.
 */
export interface PairedCell {
  readonly environment: string
  readonly model: NamePair
  readonly agent: NamePair
  readonly column: string
  readonly tasks: Panel['tasks']
  /** `seed`: both sides have the same passes, which are paired. `task`: they differ, and tasks' means are paired. */
  readonly pairedBy: 'seed' | 'task'
  /** Each seed at each temperature that both sides have. */
  readonly passes: Sides<readonly Pass[]>
  /** 1 or 0; null where there is no measurement. */
  readonly success: Sides<readonly (readonly (0 | 1 | null)[])[]>
  /** 0 to 1; null where there is no measurement. */
  readonly progress: Sides<readonly (readonly (number | null)[])[]>
  /** Whether the column changed nothing on any task of either side. */
  readonly unchanged: boolean
  /** Whether a side has one distinct play at each temperature. */
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
  const panels = first.panels.filter(({ environment }) =>
    second.panels.some((panel) => panel.environment === environment),
  )
  const pairsOf = (kind: 'model' | 'agent', given?: readonly NamePair[]): NamePair[] =>
    pairNames(kind, namesOf(first, kind), namesOf(second, kind), given, options.onlyGiven)
  const models = pairsOf('model', options.models)
  const named = pairsOf('agent', options.agents)
  const agents = models.map((model) => agentsOf(model, first, second, named, options.agents ?? []))
  const pairs = { model: models, agent: agents.flat() }
  const others = new Set(namesOf(second, 'column'))
  const columns = namesOf(first, 'column').filter((column) => others.has(column))
  const [before, after] = [groupCells(first), groupCells(second)]
  const cells: PairedCell[] = []
  const unpaired = new Set([
    ...notes,
    ...(options.onlyGiven ? [] : describeAlone(first, second, pairs, columns, panels)),
  ])
  for (const { environment, tasks } of panels)
    for (const [place, model] of models.entries())
      for (const agent of agents[place]!)
        for (const column of columns) {
          const one = before.get(keyOf(environment, model.first, agent.first, column)) ?? []
          const other = after.get(keyOf(environment, model.second, agent.second, column)) ?? []
          const { temperaturesAlone, ...pair } = pairPasses(one, other)
          for (const [side, { source }] of [['first', first] as const, ['second', second] as const])
            for (const temperature of temperaturesAlone[side])
              unpaired.add(`Only in ${source}: temperature ${String(temperature)}.`)
          const unchanged = [...one, ...other].every((cell) => cell.unchanged)
          const { passes, pairedBy } = pair
          if (passes.first.length > 0) {
            const onePlay = { first: one.every(hasOnePlay), second: other.every(hasOnePlay) }
            cells.push({ environment, model, agent, column, tasks, ...pair, unchanged, onePlay })
            if (pairedBy === 'task')
              unpaired.add(
                `The seeds are not the same, ${describeSeeds(passes.first)} in ${first.source} and ${describeSeeds(passes.second)} in ${second.source}: ` +
                  "a task's mean over its seeds is compared with its mean over the others, with the task as the cluster.",
              )
          } else if (one.length + other.length > 0) {
            const name = `${environment}, ${nameOf(model)}, ${nameOf(agent)}, ${column}`
            unpaired.add(`Nothing to pair: ${name} has no temperature on both sides.`)
          }
        }
  return { cells, unpaired: [...unpaired], first, second }
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

function describeSeeds(passes: readonly Pass[]): string {
  const seeds = [...new Set(passes.map(({ seed }) => String(seed)))]
  return `${count(seeds.length, 'seed')} (${shortList(seeds, 12)})`
}

/**
 * Second minus first by task, of {@link taskMeans}; below 0 the second is worse. NaN for a task without anything to
 * compare.
 */
export function differencesOf(cell: PairedCell, metric: Metric): number[] {
  return cell.tasks.map((_, task) => {
    const means = taskMeans(cell, metric, task)
    return means === undefined ? NaN : means.second - means.first
  })
}

/** Second minus first of each pair of a task, by temperature; of cells that are paired by seed. */
export function pairDifferencesOf(cell: PairedCell, metric: Metric, task: number): number[][] {
  return [...pairsOf(cell, metric, task).values()].map((pairs) => pairs.map(({ first, second }) => second - first))
}

/**
 * A task's means on both sides, over what is compared of it: the mean over temperatures of the mean over the seeds of
 * each, of the pairs or, paired by task, of each side's own. Undefined where that is nothing.
 */
export function taskMeans(cell: PairedCell, metric: Metric, task: number): Sides<number> | undefined {
  return meanOfEach(
    cell.pairedBy === 'seed'
      ? [...pairsOf(cell, metric, task).values()].map((pairs) => meanOfEach(pairs)!)
      : meansByTemperature(cell, metric, task),
  )
}

/** Means of {@link taskMeans} over the tasks that `isIn` accepts; undefined where none of them has any. */
export function meansOf(
  cell: PairedCell,
  metric: Metric,
  isIn: (task: number) => boolean = () => true,
): Sides<number> | undefined {
  return meanOfEach(cell.tasks.flatMap((_, task) => (isIn(task) ? (taskMeans(cell, metric, task) ?? []) : [])))
}

function meanOfEach(both: readonly Sides<number>[]): Sides<number> | undefined {
  const [first, second] = [mean(both.map((one) => one.first)), mean(both.map((one) => one.second))]
  return first === undefined || second === undefined ? undefined : { first, second }
}

/**
 * How much was measured, of how much was planned: pairs; or, paired by task, episodes of both sides of tasks that were
 * measured on both.
 */
export function coverageOf(
  cell: PairedCell,
  metric: Metric,
  isIn: (task: number) => boolean = () => true,
): { readonly measured: number; readonly planned: number } {
  const { passes, pairedBy } = cell
  const tasks = [...cell.tasks.keys()].filter(isIn)
  const counted = pairedBy === 'seed' ? countedPasses(cell) : []
  const each = pairedBy === 'seed' ? counted.filter(Boolean).length : passes.first.length + passes.second.length
  const measured = tasks.reduce((sum, task) => {
    const [before, after] = [cell[metric].first[task]!, cell[metric].second[task]!]
    if (pairedBy === 'seed')
      return sum + counted.filter((isIn, pass) => isIn && before[pass] !== null && after[pass] !== null).length
    if (taskMeans(cell, metric, task) === undefined) return sum
    const isMeasured = (value: number | null): boolean => value !== null
    return (
      sum + cell[metric].first[task]!.filter(isMeasured).length + cell[metric].second[task]!.filter(isMeasured).length
    )
  }, 0)
  return { measured, planned: tasks.length * each }
}

/** The passes of a cell that is paired by seed whose pairs count: those of two copies enter the means alone. */
export function countedPasses({ passes }: PairedCell): readonly boolean[] {
  const seen = new Set<string>()
  return passes.first.map(({ temperature, sameAs }, pass) => {
    const play = [temperature, sameAs, passes.second[pass]!.sameAs].join(' ')
    return seen.size < seen.add(play).size
  })
}

/** The measurements of a task on one side by temperature; with `isDistinct` the first of each play alone. */
export function measuredAt(
  cell: PairedCell,
  side: keyof NamePair,
  metric: Metric,
  task: number,
  isDistinct = false,
): ReadonlyMap<number, readonly number[]> {
  const lists = new Map<number, number[]>()
  const seen = new Set<string>()
  for (const [place, { temperature, sameAs }] of cell.passes[side].entries()) {
    const value = cell[metric][side][task]![place]!
    const play = `${String(temperature)} ${String(sameAs)}`
    if (value === null || (isDistinct && seen.has(play))) continue
    seen.add(play)
    const list = lists.get(temperature)
    if (list === undefined) lists.set(temperature, [value])
    else list.push(value)
  }
  return lists
}

/** The passes of a task that were measured on both sides, by temperature. */
function pairsOf(cell: PairedCell, metric: Metric, task: number): ReadonlyMap<number, readonly Sides<number>[]> {
  const { first, second } = cell[metric]
  const byTemperature = new Map<number, Sides<number>[]>()
  for (const [pass, { temperature }] of cell.passes.first.entries()) {
    const [before, after] = [first[task]![pass]!, second[task]![pass]!]
    if (before === null || after === null) continue
    const pairs = byTemperature.get(temperature)
    if (pairs === undefined) byTemperature.set(temperature, [{ first: before, second: after }])
    else pairs.push({ first: before, second: after })
  }
  return byTemperature
}

function meansByTemperature(cell: PairedCell, metric: Metric, task: number): Sides<number>[] {
  const after = measuredAt(cell, 'second', metric, task)
  return [...measuredAt(cell, 'first', metric, task)].flatMap(([temperature, values]) => {
    const others = after.get(temperature)
    return others === undefined ? [] : [{ first: mean(values)!, second: mean(others)! }]
  })
}

function describeAlone(
  first: Outcomes,
  second: Outcomes,
  pairs: Readonly<Record<'model' | 'agent', readonly NamePair[]>>,
  columns: readonly string[],
  panels: readonly Panel[],
): string[] {
  return [['first', first] as const, ['second', second] as const].flatMap(([side, outcomes]) => {
    const paired = {
      environment: panels.map(({ environment }) => environment),
      model: pairs.model.map((pair) => pair[side]),
      agent: pairs.agent.map((pair) => pair[side]),
      column: columns,
    }
    return (['environment', 'model', 'agent', 'column'] as const).flatMap((kind) => {
      const alone = namesOf(outcomes, kind).filter((name) => !paired[kind].includes(name))
      if (alone.length === 0) return []
      return `Only in ${outcomes.source}: ${kind}${alone.length === 1 ? '' : 's'} ${shortList(alone, 12)}.`
    })
  })
}

function namesOf({ cells }: Pick<Outcomes, 'cells'>, kind: 'environment' | 'model' | 'agent' | 'column'): string[] {
  return [...new Set(cells.map((cell) => cell[kind]))]
}
