import { areEqual } from '../pairs.js'
import type { Flips, Test } from '../schema.js'
import { standardDeviation } from '../../statistics/dispersion.js'
import { detectableDrop } from '../../statistics/gate-planning.js'
import type { Interval } from '../../statistics/intervals.js'
import { noDifferenceP } from '../../statistics/mean-bounds.js'
import { holm } from '../../statistics/multiplicity.js'
import { pairedDifference } from '../../statistics/paired-difference.js'
import type { Outcomes, Sides } from './outcomes.js'
import type { Metric, PairedCell, PairOptions } from './pair-cells.js'
import { meansOf, pairCells } from './pair-cells.js'

/**
 * Two runs compared, or two models of one, as plain JSON: A is the first, B the second. Shares of 1; differences are B
 * minus A, below 0 B is worse.
 */
export interface Comparison {
  readonly schema: 2
  /** Where each side comes from, and the version of shaketable that played it. */
  readonly first: Pick<Outcomes, 'source' | 'version'>
  readonly second: Pick<Outcomes, 'source' | 'version'>
  readonly metric: Metric
  /** The level of the Holm-adjusted two-sided p-values, over all cells together. */
  readonly alpha: number
  readonly cells: readonly ComparedCell[]
  /** What only one side has, what was left out and what else may explain a difference, in sentences. */
  readonly notes: readonly string[]
}

/**
 * The result for a cell. `worse` and `better` are of B, at an adjusted p of alpha or less; `level`: no significant
 * difference; `equal`: no pair differs; `unmeasured`: there is no pair.
 */
export type Standing = 'worse' | 'better' | 'level' | 'equal' | 'unmeasured'

/** One environment × model × agent × condition. */
export interface ComparedCell extends Pick<PairedCell, 'environment' | 'model' | 'agent' | 'condition'> {
  readonly standing: Standing
  readonly temperatures: readonly number[]
  /** Pairs measured on both sides. */
  readonly pairs: number
  /** How many of them there would be without a missing episode. */
  readonly planned: number
  /** Tasks that are compared. */
  readonly tasks: number
  /** Means over tasks of a task's mean over its pairs. Absent without a pair. */
  readonly means?: Sides<number>
  readonly difference?: number
  /** 95 %, of other tasks: the task is the cluster. */
  readonly interval?: Interval
  /** Of no difference. */
  readonly test?: Test
  /**
   * The smallest true difference that is detected with a probability of 80 %, at the most conservative level of the
   * correction, however it is spread over tasks. Absent where none is.
   */
  readonly detectable?: number
  readonly flips: Flips
  /** Tasks with a flipped pair: those with most of them first, then in the panel's order. */
  readonly flipped: readonly FlippedTask[]
}

/** Lost was a success on the first side alone, gained on the second alone. */
interface FlippedTask extends Flips {
  readonly id: string
}

const alpha = 0.05

/**
 * Compares what both sides have played on the same tasks, paired by task, temperature and seed.
 * @throws ShaketableError `bad-input` where both have no task in common; `usage` for an unknown name.
 */
export function compareOutcomes(
  first: Outcomes,
  second: Outcomes,
  options: PairOptions & { readonly metric: Metric },
): Comparison {
  const pairing = pairCells(first, second, options)
  const cells = pairing.cells.filter(({ isOther }) => !isOther)
  const compared = cells.map((cell) => compareCell(cell, options.metric, alpha / cells.length))
  const adjusted = holm(compared.map(({ test }) => test?.p ?? NaN))
  const left = pairing.cells
    .filter(({ isOther }) => isOther)
    .map(
      ({ environment, condition }) =>
        `The condition ${condition} of ${environment} is left out: it is a different perturbation, or a different version of it, than in ${first.source}.`,
    )
  return {
    schema: 2,
    first: { source: first.source, version: first.version },
    second: { source: second.source, version: second.version },
    metric: options.metric,
    alpha,
    cells: compared.map((cell, place) => {
      const test = cell.test && { ...cell.test, holm: adjusted[place]! }
      const isApart = test !== undefined && test.holm <= alpha
      return { ...cell, ...(test && { test }), ...(isApart && { standing: cell.difference! < 0 ? 'worse' : 'better' }) }
    }),
    notes: [
      ...[...new Set([first, second])].flatMap(({ source, notes }) => notes.map((note) => `${source}: ${note}`)),
      ...new Set(left),
      ...pairing.notes,
      ...pairing.limits.map(
        (limit) =>
          `${second.source} was played with at most ${String(limit.second)} ${limit.words}, not ${String(limit.first)}.`,
      ),
    ],
  }
}

/** A cell by itself, before its p is adjusted for the others. */
function compareCell(cell: PairedCell, metric: Metric, corrected: number): ComparedCell {
  const { environment, model, agent, condition, temperatures, sides } = cell
  const { count: pairs, planned, flips, flipsByTask } = cell.pairs
  const differences = [...cell.pairs[metric].difference].filter((value) => !Number.isNaN(value))
  const { mean: difference, interval, tasks } = pairedDifference(differences)
  const means = meansOf(cell, metric)
  const deviation = standardDeviation(differences)
  const gate = { margin: 0, alpha: corrected / 2, pairVariance: 0, tasks, seeds: 1 }
  const detectable = deviation === undefined ? undefined : detectableDrop({ ...gate, taskVariance: deviation ** 2 })
  const { both, lost, gained, neither } = flipsByTask
  return {
    ...{ environment, model, agent, condition },
    standing: tasks === 0 ? 'unmeasured' : areEqual(sides.first, sides.second, metric) ? 'equal' : 'level',
    ...{ temperatures, pairs, planned, tasks },
    ...(means && { means }),
    ...(difference !== undefined && { difference, test: { p: noDifferenceP(differences) } }),
    ...(interval && { interval }),
    ...(detectable !== undefined && { detectable }),
    flips,
    flipped: cell.tasks
      .map(({ id }, at) => ({ id, both: both[at]!, lost: lost[at]!, gained: gained[at]!, neither: neither[at]! }))
      .filter((task) => task.lost + task.gained > 0)
      .sort((one, other) => other.lost + other.gained - one.lost - one.gained),
  }
}
