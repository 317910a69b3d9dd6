import { mean } from '../statistics/dispersion.js'
import { commonPanels, shortList } from './check-panels.js'
import { groupCells, keyOf } from './group-cells.js'
import { pairPasses } from './_pair-passes.js'
import type { Outcomes, Panel } from './outcomes.js'
import type { NamePair } from './pair-names.js'
import { pairNames } from './pair-names.js'

/** What can be measured of an episode. */
export type Metric = 'success' | 'progress'

/** The two sides of a comparison, paired by task, seed and temperature. */
export interface Pairing {
  /** In the first side's order; a cell of which no pass is on both sides is not here but in `unpaired`. */
  readonly cells: readonly PairedCell[]
  /** What only one side has, in sentences. */
  readonly unpaired: readonly string[]
}

/** One environment × model × agent × column on both sides. Lists are by the panel's tasks, then by passes. */
export interface PairedCell {
  readonly environment: string
  readonly model: NamePair
  readonly agent: NamePair
  readonly column: string
  readonly tasks: Panel['tasks']
  /** Each seed at each temperature that both sides have. */
  readonly passes: readonly { readonly temperature: number; readonly seed: number }[]
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
 * Pairs what both sides have played.
 * @throws ShaketableError `bad-input` where the panels of an environment differ; `usage` for a name that is not there.
 */
export function pairCells(first: Outcomes, second: Outcomes, options: PairOptions = {}): Pairing {
  const panels = commonPanels(first, second)
  const pairsOf = (kind: 'model' | 'agent', given?: readonly NamePair[]): NamePair[] =>
    pairNames(kind, namesOf(first, kind), namesOf(second, kind), given, options.onlyGiven)
  const pairs = { model: pairsOf('model', options.models), agent: pairsOf('agent', options.agents) }
  const others = new Set(namesOf(second, 'column'))
  const columns = namesOf(first, 'column').filter((column) => others.has(column))
  const [before, after] = [groupCells(first), groupCells(second)]
  const cells: PairedCell[] = []
  const unpaired = new Set(options.onlyGiven ? [] : describeAlone(first, second, pairs, columns, panels))
  for (const { environment, tasks } of panels)
    for (const model of pairs.model)
      for (const agent of pairs.agent)
        for (const column of columns) {
          const one = before.get(keyOf(environment, model.first, agent.first, column)) ?? []
          const other = after.get(keyOf(environment, model.second, agent.second, column)) ?? []
          const paired = pairPasses(one, other)
          for (const what of paired.onlyFirst) unpaired.add(`Only in ${first.source}: ${what}.`)
          for (const what of paired.onlySecond) unpaired.add(`Only in ${second.source}: ${what}.`)
          const unchanged = tasks.map((_, task) => [...one, ...other].every((cell) => cell.unchanged[task] === true))
          const { passes, success, progress } = paired
          if (passes.length > 0)
            cells.push({ environment, model, agent, column, tasks, passes, success, progress, unchanged })
          else if (one.length + other.length > 0) {
            const name = `${environment}, ${nameOf(model)}, ${nameOf(agent)}, ${column}`
            unpaired.add(`Nothing to pair: ${name} has no seed and temperature on both sides.`)
          }
        }
  return { cells, unpaired: [...unpaired] }
}

/** Second minus first by task, one for each pass of which both halves are measurements; below 0 the second is worse. */
export function differencesOf(cell: PairedCell, metric: Metric): number[][] {
  const { first, second } = cell[metric]
  return first.map((values, task) =>
    values.flatMap((value, pass) => {
      const other = second[task]![pass]!
      return value === null || other === null ? [] : other - value
    }),
  )
}

/** The mean difference of each task, second minus first; null where a task has no pair. */
export function taskDifferences(cell: PairedCell, metric: Metric): (number | null)[] {
  return differencesOf(cell, metric).map((differences) => mean(differences) ?? null)
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

function namesOf({ cells }: Outcomes, kind: 'environment' | 'model' | 'agent' | 'column'): string[] {
  return [...new Set(cells.map((cell) => cell[kind]))]
}

/** `a`, or `a → b` where the two sides call it differently. */
export function nameOf({ first, second }: NamePair): string {
  return first === second ? first : `${first} → ${second}`
}
