import { mean, standardDeviation } from '../../statistics/dispersion.js'
import { meanAboveP, meanBelowP, meanBounds } from '../../statistics/mean-bounds.js'
import { holm } from '../../statistics/multiplicity.js'
import { worstCaseOf } from '../differences.js'
import { defined } from '../lists.js'
import type { MeansByTask } from '../pairs.js'
import type { CellDifference, CellVerdict, Check, CheckedCell, Rule, Verdict } from './check.js'

/** What the differences of a cell's tasks show by themselves. Shares of 1, run minus baseline. */
export type DifferenceTest = Omit<CellDifference, 'baseline' | 'run' | 'adjusted'>

/**
 * Tests a cell's difference by task in both directions with the task as the cluster; see {@link meanAboveP}. Each p is
 * the largest over all outcomes that the missing pairs may have had, so that a verdict by p holds whatever they were.
 * Undefined without a measured pair.
 */
export function testDifference(
  { difference, low, high }: Pick<MeansByTask, 'difference' | 'low' | 'high'>,
  { margin, alpha }: Pick<Rule, 'margin' | 'alpha'>,
): DifferenceTest | undefined {
  const known = [...difference].filter(Number.isFinite)
  const estimate = mean(known)
  if (estimate === undefined) return undefined
  return {
    estimate,
    interval: meanBounds(known, alpha),
    tasks: known.length,
    ...defined({ deviation: standardDeviation(known), worstCase: worstCaseOf({ difference, low, high }, alpha) }),
    p: {
      noninferior: meanAboveP(low, -margin),
      worse: meanBelowP(high, 0),
      better: meanAboveP(low, 0),
    },
  }
}

/** Means of the same scores in another order differ by less. */
const rounding = 1e-9

/**
 * Judges cells together, each by its test. A cell passes where a drop of the margin is rejected at alpha: the lower
 * bound is above −margin. It fails where it is significantly worse (p at most alpha) and worse by the margin or more.
 * Otherwise it is inconclusive. Every cell has to pass, so passes need no correction. One failed cell fails the whole
 * check, so the p-values of fails are corrected (Holm) for all cells.
 *
 * A lower outcome of any task never moves a verdict towards pass.
 */
export function judge(tests: readonly DifferenceTest[], rule: Rule) {
  const [worse, better] = (['worse', 'better'] as const).map((direction) => holm(tests.map(({ p }) => p[direction])))
  return tests.map(({ estimate, p }, place) => {
    const adjusted = { worse: worse![place]!, better: better![place]! }
    const moved = (['better', 'worse'] as const).find((direction) => adjusted[direction] <= rule.alpha)
    const isFail = moved === 'worse' && estimate <= -rule.margin + rounding
    const verdict = p.noninferior < rule.alpha ? 'pass' : isFail ? 'fail' : 'inconclusive'
    return { verdict, moved, adjusted } as const
  })
}

const codes = { pass: 0, fail: 1, inconclusive: 3, broken: 4 } as const

/** Causes with which a cell need not be judged: it has no baseline yet, or nothing that could change. */
const optional: ReadonlySet<CheckedCell['cause']> = new Set(['new', 'unchanged'] as const)

/**
 * One verdict over all cells, its exit code, and why: 4 where the run is not whole (`obstacle` says why); else 1 where
 * any cell failed, since then something got worse whatever the other cells are; else 4 where all episodes of a cell
 * ended in errors; else 3 where a cell is inconclusive or unknown, or there is nothing to judge; else 0.
 */
export function decide(
  cells: readonly Pick<CheckedCell, 'verdict' | 'cause'>[],
  obstacle?: string,
): Pick<Check, 'verdict' | 'code' | 'reasons'> {
  const settle = (verdict: Verdict, reasons: readonly string[]) => ({ verdict, code: codes[verdict], reasons })
  if (obstacle !== undefined) return settle('broken', [obstacle])
  const count = (wanted: CellVerdict): number => cells.filter(({ verdict }) => verdict === wanted).length
  const [passed, inconclusive] = [count('pass'), count('inconclusive')]
  const unknown = cells.filter(({ verdict, cause }) => verdict === 'unknown' && !optional.has(cause)).length
  const describe = (count: number, words: string): string =>
    `${String(count)} of ${String(cells.length)} cells ${words}.`
  const found = (
    [
      ['fail', count('fail'), 'got worse'],
      ['broken', count('broken'), 'had nothing but errors'],
      ['inconclusive', inconclusive, inconclusive === 1 ? 'is inconclusive' : 'are inconclusive'],
      ['inconclusive', unknown, 'cannot be judged'],
    ] as const
  ).filter(([, number]) => number > 0)
  const reasons = found.map(([, number, words]) => describe(number, words))
  if (found[0] !== undefined) return settle(found[0][0], reasons)
  if (passed > 0) return settle('pass', [describe(passed, 'passed')])
  return settle('inconclusive', ['There is no cell to judge.'])
}
