import type { Test } from '../../reports/aggregate/evidence.js'
import type { Random } from '../core/random.js'
import { mean, standardDeviation } from '../statistics/dispersion.js'
import type { Interval } from '../statistics/intervals.js'
import { mcnemar } from '../statistics/mcnemar.js'
import { benjaminiHochberg, holm } from '../statistics/multiplicity.js'
import { pairedDifference } from '../statistics/paired-difference.js'
import { minimumDetectableEffect } from '../statistics/sample-size.js'
import { signFlip } from '../statistics/sign-flip.js'
import type { FlippedTask, Flips } from './flips.js'
import { countFlips } from './flips.js'
import type { Noise } from './noise.js'
import { noiseOf } from './noise.js'
import type { Outcomes } from './outcomes.js'
import type { Metric, PairedCell, PairOptions } from './pair-cells.js'
import { differencesOf, pairCells } from './pair-cells.js'
import type { NamePair } from './pair-names.js'

/** Two runs compared, or two models of one, as plain JSON: A is the first, B the second. Shares of 1; differences are B minus A, below 0 B is worse. */
export interface Comparison {
  readonly schema: 1
  readonly first: ComparedSide
  readonly second: ComparedSide
  readonly metric: Metric
  /** What is held to {@link Comparison.alpha} over all cells: two-sided p, Holm-adjusted. */
  readonly alpha: number
  readonly cells: readonly ComparedCell[]
  /** What only one side has, what was left out and what else may explain a difference, in sentences. */
  readonly notes: readonly string[]
}

/** Where one side comes from, and the version of shaketable that played it. */
export interface ComparedSide {
  readonly source: string
  readonly version: string
}

/**
 * What can be said of a cell. `worse` and `better` are of B, at an adjusted p of alpha or less; `level`: A and B cannot be told apart; `equal`: no pair differs;
 * `unmeasured`: there is no pair.
 */
export type Standing = 'worse' | 'better' | 'level' | 'equal' | 'unmeasured'

/** One environment × model × agent × column. */
export interface ComparedCell {
  readonly environment: string
  readonly model: NamePair
  readonly agent: NamePair
  readonly column: string
  readonly standing: Standing
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  /** Pairs measured on both sides, of all that there could be; tasks that have one. */
  readonly pairs: number
  readonly planned: number
  readonly tasks: number
  /** Means over tasks of a task's mean over its pairs. Absent without a pair. */
  readonly means?: Readonly<Record<keyof NamePair, number>>
  readonly difference?: number
  /** 95 %, the task as the cluster. Absent where no task differs from another in its difference. */
  readonly interval?: Interval
  /** Of no difference. */
  readonly test?: Test & { readonly midP?: number }
  /** The smallest true difference that is set apart with a chance of 80 %, at the most timid level of the correction, from the spread of the tasks. Absent above 1. */
  readonly detectable?: number
  /** Absent without repeats. */
  readonly noise?: Noise
  readonly flips: Flips
  readonly flipped: readonly FlippedTask[]
}

/** What the caller decides. */
export interface CompareOptions extends PairOptions {
  readonly metric: Metric
  /** For permutations that are too many to go through; forked by cell. */
  readonly random: Random
}

const alpha = 0.05

/**
 * Compares what both sides have played, paired by task, seed and temperature.
 * @throws ShaketableError `bad-input` where the panels differ or nothing can be paired; `usage` for a name that is not there.
 */
export function compareOutcomes(first: Outcomes, second: Outcomes, options: CompareOptions): Comparison {
  const { cells, unpaired } = pairCells(first, second, options)
  const compared = cells.map((cell) => compareCell(cell, options, alpha / cells.length))
  const ps = compared.map(({ test }) => test?.p ?? NaN)
  const [holms, bhs] = [holm(ps), benjaminiHochberg(ps)]
  return {
    schema: 1,
    first: { source: first.source, version: first.version },
    second: { source: second.source, version: second.version },
    metric: options.metric,
    alpha,
    cells: compared.map((cell, place) => {
      const test = cell.test && { ...cell.test, holm: holms[place]!, bh: bhs[place]! }
      const isApart = test !== undefined && test.holm <= alpha
      return { ...cell, ...(test && { test }), ...(isApart && { standing: cell.difference! < 0 ? 'worse' : 'better' }) }
    }),
    notes: [
      ...first.notes.map((note) => `${first.source}: ${note}`),
      ...(first === second ? [] : second.notes.map((note) => `${second.source}: ${note}`)),
      ...unpaired,
    ],
  }
}

/** A cell by itself, before its p is adjusted and can set it apart. */
function compareCell(cell: PairedCell, { metric, random }: CompareOptions, timid: number): ComparedCell {
  const { environment, model, agent, column, passes } = cell
  const byTask = differencesOf(cell, metric)
  const { mean: difference, interval, tasks } = pairedDifference(byTask)
  const means = difference === undefined ? undefined : meansOf(cell, metric)
  const deviation = standardDeviation(byTask.map(mean).filter((one) => one !== undefined))
  const detectable = deviation === undefined ? undefined : minimumDetectableEffect({ deviation, tasks, alpha: timid })
  const noise = noiseOf(cell, metric)
  const { flips, flipped } = countFlips(cell)
  const stream = random.fork(JSON.stringify([environment, model.first, agent.first, column, metric]))
  return {
    environment,
    model,
    agent,
    column,
    standing: tasks === 0 ? 'unmeasured' : byTask.flat().every((one) => one === 0) ? 'equal' : 'level',
    temperatures: [...new Set(passes.map(({ temperature }) => temperature))],
    seeds: [...new Set(passes.map(({ seed }) => seed))],
    pairs: byTask.reduce((sum, { length }) => sum + length, 0),
    planned: cell.tasks.length * passes.length,
    tasks,
    ...(means && { means }),
    ...(difference !== undefined && { difference, test: testOf(byTask, metric, flips, stream) }),
    ...(interval && { interval: { low: Math.max(-1, interval.low), high: Math.min(1, interval.high) } }),
    ...(detectable !== undefined && detectable <= 1 && { detectable }),
    ...(noise && { noise }),
    flips,
    flipped,
  }
}

/** McNemar for one pair of success a task, otherwise the permutation of the signs of the tasks' mean differences. */
function testOf(
  byTask: readonly (readonly number[])[],
  metric: Metric,
  { lost, gained }: Flips,
  random: Random,
): NonNullable<ComparedCell['test']> {
  if (metric === 'success' && byTask.every(({ length }) => length < 2)) {
    const { exact, midP } = mcnemar(lost, gained)
    return { method: 'mcnemar-exact', p: exact, midP }
  }
  const differences = byTask.map(mean).filter((difference) => difference !== undefined)
  const { p, method } = signFlip(differences, { random: random.next })
  return { method: `sign-flip-${method}`, p }
}

function meansOf(cell: PairedCell, metric: Metric): Record<keyof NamePair, number> {
  const side = (own: keyof NamePair, other: keyof NamePair): number => {
    const means = cell[metric][own].map((values: readonly (number | null)[], task) =>
      mean(values.filter((value, pass) => value !== null && cell[metric][other][task]![pass] !== null) as number[]),
    )
    return mean(means.filter((one) => one !== undefined))!
  }
  return { first: side('first', 'second'), second: side('second', 'first') }
}
