import { count } from '../tables/words.js'
import { mean } from '../statistics/dispersion.js'
import { alignPanels, shortList } from './align-panels.js'
import { groupCells, keyOf } from './group-cells.js'
import type { Pass } from './_pair-passes.js'
import { pairPasses } from './_pair-passes.js'
import type { Outcomes, Panel } from './outcomes.js'
import type { NamePair } from './pair-names.js'
import { pairNames } from './pair-names.js'

/** What can be measured of an episode. */
export type Metric = 'success' | 'progress'

/** The two sides of a comparison, paired by task, temperature and, where both have the same seeds, by seed. */
export interface Pairing {
  /** In the first side's order; a cell without a temperature on both sides is not here but in `unpaired`. */
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
  /**
   * `seed`: both sides have the same passes, and each is paired with its own. `task`: they have not, and a task's mean
   * is paired with its mean.
   */
  readonly pairedBy: 'seed' | 'task'
  /** Each seed at each temperature that both sides have; what is the same play on both sides is there once. */
  readonly passes: Readonly<Record<keyof NamePair, readonly Pass[]>>
  /** 1 or 0; null where there is no measurement. */
  readonly success: Readonly<Record<keyof NamePair, readonly (readonly (0 | 1 | null)[])[]>>
  /** 0 to 1; null where there is no measurement. */
  readonly progress: Readonly<Record<keyof NamePair, readonly (readonly (number | null)[])[]>>
  /** Tasks on which the column changed nothing on either side. */
  readonly unchanged: readonly boolean[]
}

/** What is called differently on the two sides; see {@link pairNames}. */
export interface PairOptions {
  readonly models?: readonly NamePair[]
  readonly agents?: readonly NamePair[]
  /** Leaves out models, or agents, that are not among the pairs given of them. */
  readonly onlyGiven?: boolean
}

/**
 * Pairs what both sides have played, on the tasks that both have.
 * @throws ShaketableError `bad-input` where both have no task in common; `usage` for a name that is not there.
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
          const paired = pairPasses(one, other)
          const { temperaturesAlone, ...pair } = paired
          for (const temperature of temperaturesAlone.first)
            unpaired.add(`Only in ${first.source}: temperature ${String(temperature)}.`)
          for (const temperature of temperaturesAlone.second)
            unpaired.add(`Only in ${second.source}: temperature ${String(temperature)}.`)
          const unchanged = tasks.map((_, task) => [...one, ...other].every((cell) => cell.unchanged[task] === true))
          const { passes, pairedBy } = pair
          if (passes.first.length > 0) {
            cells.push({ environment, model, agent, column, tasks, ...pair, unchanged })
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
 * The agents under which two models are compared: `named` is which name of one side goes with which of the other. Where
 * none is given and each of the two is played with one agent only, those two, as {@link pairNames} has it for all.
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
 * Second minus first by task; below 0 the second is worse. Paired by seed, one for each pass of which both halves are
 * measurements; paired by task, the difference of the task's means, which are over the seeds of each temperature and
 * then over the temperatures. Empty for a task without either.
 */
export function differencesOf(cell: PairedCell, metric: Metric): number[][] {
  return cell.tasks.map((_, task) => {
    if (cell.pairedBy === 'seed') return pairsOf(cell, metric, task).map(({ first, second }) => second - first)
    const means = taskMeans(cell, metric, task)
    return means === undefined ? [] : [means.second - means.first]
  })
}

/** What a task came to on both sides, over what is compared of it; undefined where that is nothing. */
export function taskMeans(
  cell: PairedCell,
  metric: Metric,
  task: number,
): Readonly<Record<keyof NamePair, number>> | undefined {
  return meanOfEach(cell.pairedBy === 'seed' ? pairsOf(cell, metric, task) : meansByTemperature(cell, metric, task))
}

/** Means over the tasks that are asked for of {@link taskMeans}; undefined where no task has any. */
export function meansOf(
  cell: PairedCell,
  metric: Metric,
  isIn: (task: number) => boolean = () => true,
): Record<keyof NamePair, number> | undefined {
  return meanOfEach(cell.tasks.flatMap((_, task) => (isIn(task) ? (taskMeans(cell, metric, task) ?? []) : [])))
}

function meanOfEach(both: readonly Record<keyof NamePair, number>[]): Record<keyof NamePair, number> | undefined {
  const [first, second] = [mean(both.map((one) => one.first)), mean(both.map((one) => one.second))]
  return first === undefined || second === undefined ? undefined : { first, second }
}

/**
 * How much of what is compared was measured: pairs; or, paired by task, episodes of both sides of tasks that were
 * measured on both.
 */
export function coverageOf(
  cell: PairedCell,
  metric: Metric,
  isIn: (task: number) => boolean = () => true,
): { readonly measured: number; readonly planned: number } {
  const { passes, pairedBy } = cell
  const tasks = [...cell.tasks.keys()].filter(isIn)
  const each = pairedBy === 'seed' ? passes.first.length : passes.first.length + passes.second.length
  const measured = tasks.reduce((sum, task) => {
    if (pairedBy === 'seed') return sum + pairsOf(cell, metric, task).length
    if (taskMeans(cell, metric, task) === undefined) return sum
    const isMeasured = (value: number | null): boolean => value !== null
    return (
      sum + cell[metric].first[task]!.filter(isMeasured).length + cell[metric].second[task]!.filter(isMeasured).length
    )
  }, 0)
  return { measured, planned: tasks.length * each }
}

/**
 * The measurements of a task on one side by temperature; of those that are the same play the first alone, where
 * `isDistinct` asks for it.
 */
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

/** The passes of a task that were measured on both sides. */
function pairsOf(cell: PairedCell, metric: Metric, task: number): Record<keyof NamePair, number>[] {
  const { first, second } = cell[metric]
  return first[task]!.flatMap((before, pass) => {
    const after = second[task]![pass]!
    return before === null || after === null ? [] : [{ first: before, second: after }]
  })
}

function meansByTemperature(cell: PairedCell, metric: Metric, task: number): Record<keyof NamePair, number>[] {
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
  const sides = [
    { side: 'first', outcomes: first },
    { side: 'second', outcomes: second },
  ] as const
  return sides.flatMap(({ side, outcomes }) => {
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

/** `a`, or `a → b` where the two sides call it differently. */
export function nameOf({ first, second }: NamePair): string {
  return first === second ? first : `${first} → ${second}`
}
