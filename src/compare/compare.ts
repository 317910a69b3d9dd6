import type { Test } from '../../reports/aggregate/evidence.js'
import { mean, standardDeviation } from '../statistics/dispersion.js'
import { detectableDrop } from '../statistics/gate-planning.js'
import type { Interval } from '../statistics/intervals.js'
import { noDifferenceP } from '../statistics/mean-bounds.js'
import { benjaminiHochberg, holm } from '../statistics/multiplicity.js'
import { pairedDifference } from '../statistics/paired-difference.js'
import type { FlippedTask, Flips } from './flips.js'
import { countFlips } from './flips.js'
import type { Noise } from './noise.js'
import { noiseOf } from './noise.js'
import type { Outcomes } from './outcomes.js'
import type { Metric, PairedCell, PairOptions } from './pair-cells.js'
import { coverageOf, differencesOf, meansOf, pairCells } from './pair-cells.js'
import type { NamePair } from './pair-names.js'

/**
 * Two runs compared, or two models of one, as plain JSON: A is the first, B the second. Shares of 1; differences are B
 * minus A, below 0 B is worse.
 */
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
interface ComparedSide {
  readonly source: string
  readonly version: string
}

/**
 * What can be said of a cell. `worse` and `better` are of B, at an adjusted p of alpha or less; `level`: A and B cannot
 * be told apart; `equal`: no pair differs; `unmeasured`: there is no pair.
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
  /** Those of either side. */
  readonly seeds: readonly number[]
  /**
   * Seeds of each side where they are not the same, so that tasks and not seeds are paired. Absent where seeds are
   * paired.
   */
  readonly byTask?: Readonly<Record<keyof NamePair, number>>
  /**
   * Pairs measured on both sides (episodes of both sides where tasks are paired), of all that there could be; tasks
   * that are compared.
   */
  readonly pairs: number
  readonly planned: number
  readonly tasks: number
  /** Means over tasks of a task's mean over its pairs. Absent without a pair. */
  readonly means?: Readonly<Record<keyof NamePair, number>>
  readonly difference?: number
  /** 95 %, of other tasks: the task is the cluster. */
  readonly interval?: Interval
  /** Of no difference. */
  readonly test?: Test
  /**
   * The smallest true difference that is told apart with a probability of 80 %, at the most conservative level of the
   * correction, however it is spread over tasks. Absent where none is.
   */
  readonly detectable?: number
  /** Absent without repeats. */
  readonly noise?: Noise
  readonly flips: Flips
  readonly flipped: readonly FlippedTask[]
}

/** What the caller decides. */
interface CompareOptions extends PairOptions {
  readonly metric: Metric
}

const alpha = 0.05

/**
 * Compares what both sides have played on the same tasks, paired by task, temperature and, where both have the same
 * seeds, by seed.
 * @throws ShaketableError `bad-input` where both have no task in common; `usage` for a name that is not there.
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
function compareCell(cell: PairedCell, { metric }: CompareOptions, corrected: number): ComparedCell {
  const { environment, model, agent, column, passes, pairedBy } = cell
  const byTask = differencesOf(cell, metric)
  const { mean: difference, interval, tasks } = pairedDifference(byTask)
  const means = meansOf(cell, metric)
  const { measured: pairs, planned } = coverageOf(cell, metric)
  const seedsOf = (side: keyof NamePair): number[] => [...new Set(passes[side].map(({ seed }) => seed))]
  const differences = byTask.map(mean).filter((one) => one !== undefined)
  const deviation = standardDeviation(differences)
  const gate = { margin: 0, alpha: corrected / 2, pairVariance: 0, tasks, seeds: 1 }
  const detectable = deviation === undefined ? undefined : detectableDrop({ ...gate, taskVariance: deviation ** 2 })
  const noise = noiseOf(cell, metric)
  const { flips, flipped } = countFlips(cell)
  return {
    environment,
    model,
    agent,
    column,
    standing: tasks === 0 ? 'unmeasured' : byTask.flat().every((one) => one === 0) ? 'equal' : 'level',
    temperatures: [...new Set(passes.first.map(({ temperature }) => temperature))],
    seeds: [...new Set([...seedsOf('first'), ...seedsOf('second')])],
    ...(pairedBy === 'task' && { byTask: { first: seedsOf('first').length, second: seedsOf('second').length } }),
    pairs,
    planned,
    tasks,
    ...(means && { means }),
    ...(difference !== undefined && { difference, test: { p: noDifferenceP(differences) } }),
    ...(interval && { interval }),
    ...(detectable !== undefined && { detectable }),
    ...(noise && { noise }),
    flips,
    flipped,
  }
}
