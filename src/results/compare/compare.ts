import { areEqual } from '../pairs.js'
import { defined } from '../lists.js'
import { knownOf } from '../rates.js'
import type { Test } from '../schema.js'
import { standardDeviation } from '../../statistics/dispersion.js'
import { detectableDrop } from '../../statistics/gate-planning.js'
import { noDifferenceP } from '../../statistics/mean-bounds.js'
import { holm } from '../../statistics/multiplicity.js'
import { pairedDifference } from '../../statistics/paired-difference.js'
import type { Outcomes } from './outcomes.js'
import { type Metric, type PairedCell, type PairOptions, meansOf, pairCells } from './pair-cells.js'

/**
 * The result for a cell. `worse` and `better` are of B, at an adjusted p of alpha or less; `level`: no significant
 * difference; `equal`: no pair differs; `unmeasured`: there is no pair.
 */
export type Standing = 'worse' | 'better' | 'level' | 'equal' | 'unmeasured'

/** The level of the Holm-adjusted two-sided p-values, over all cells together. */
const alpha = 0.05

/**
 * Compares what both sides have played on the same tasks, paired by task, temperature and seed, as plain JSON: A is the
 * first, B the second. Shares of 1; differences are B minus A, below 0 B is worse.
 * @throws ShaketableError `bad-input` where both have no task in common; `usage` for an unknown name.
 */
export function compareOutcomes(first: Outcomes, second: Outcomes, options: PairOptions & { readonly metric: Metric }) {
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
    ...{ metric: options.metric, alpha },
    cells: compared.map((cell, place) => {
      const test = cell.test && { ...cell.test, holm: adjusted[place]! }
      const isApart = test !== undefined && test.holm <= alpha
      const standing: Standing = isApart ? (cell.difference! < 0 ? 'worse' : 'better') : cell.standing
      return { ...cell, standing, ...(test && { test }) }
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

/** See {@link compareOutcomes}. */
export type Comparison = ReturnType<typeof compareOutcomes>
export type ComparedCell = Comparison['cells'][number]

/** A cell by itself, before its p is adjusted for the others. What cannot be said is absent. */
function compareCell(cell: PairedCell, metric: Metric, corrected: number) {
  const { environment, model, agent, condition, temperatures, sides } = cell
  const { count: pairs, planned, flips, flipsByTask } = cell.pairs
  const differences = knownOf(cell.pairs[metric].difference)
  const { mean: difference, interval, tasks } = pairedDifference(differences)
  const deviation = standardDeviation(differences)
  const gate = { margin: 0, alpha: corrected / 2, pairVariance: 0, tasks, seeds: 1 }
  const { both, lost, gained, neither } = flipsByTask
  const standing: Standing =
    tasks === 0 ? 'unmeasured' : areEqual(sides.first, sides.second, metric) ? 'equal' : 'level'
  const test: Test | undefined = difference === undefined ? undefined : { p: noDifferenceP(differences) }
  return {
    ...{ environment, model, agent, condition, standing, temperatures, pairs, planned, tasks },
    ...defined({
      means: meansOf(cell, metric),
      ...{ difference, test, interval },
      /**
       * The smallest true difference that is detected with a probability of 80 %, at the most conservative level of the
       * correction, however it is spread over tasks.
       */
      detectable: deviation === undefined ? undefined : detectableDrop({ ...gate, taskVariance: deviation ** 2 }),
    }),
    flips,
    // Those with most flipped pairs first, then in the panel's order.
    flipped: cell.tasks
      .map(({ id }, at) => ({ id, both: both[at]!, lost: lost[at]!, gained: gained[at]!, neither: neither[at]! }))
      .filter((task) => task.lost + task.gained > 0)
      .sort((one, other) => other.lost + other.gained - one.lost - one.gained),
  }
}
