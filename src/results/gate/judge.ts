import { mean, standardDeviation } from '../../statistics/dispersion.js'
import { meanAboveP, meanBelowP, meanBounds } from '../../statistics/mean-bounds.js'
import { holm } from '../../statistics/multiplicity.js'
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
  const deviation = standardDeviation(known)
  const isWhole = [low, high].every((bound) => bound.every((value, task) => Object.is(value, difference[task])))
  return {
    estimate,
    interval: meanBounds(known, alpha),
    tasks: known.length,
    ...(deviation !== undefined && { deviation }),
    ...(!isWhole && { worstCase: { low: meanBounds(low, alpha).low, high: meanBounds(high, alpha).high } }),
    p: {
      noninferior: meanAboveP(low, -margin),
      worse: meanBelowP(high, 0),
      better: meanAboveP(low, 0),
    },
  }
}

interface Judgement {
  readonly verdict: Extract<CellVerdict, 'pass' | 'fail' | 'inconclusive'>
  readonly moved?: 'worse' | 'better'
  readonly adjusted: CellDifference['adjusted']
}

/** Means of the same scores in another order differ by less. */
const rounding = 1e-9

/**
 * Judges cells together, each by its test. A cell passes where a drop of the margin is rejected at alpha: the lower
 * bound is above −margin. It fails where it is significantly worse (p at most alpha) and worse by the margin or more.
 * Otherwise it is inconclusive. Every cell has to pass, so passes need
 * no correction. One failed cell fails the whole check, so the p-values of fails are corrected (Holm) for all cells.
 *
 * A lower outcome of any task never moves a verdict towards pass.
 */
export function judge(tests: readonly DifferenceTest[], rule: Rule): Judgement[] {
  const [worse, better] = (['worse', 'better'] as const).map((direction) => holm(tests.map(({ p }) => p[direction])))
  return tests.map(({ estimate, p }, place): Judgement => {
    const adjusted = { worse: worse![place]!, better: better![place]! }
    const isFail = adjusted.worse <= rule.alpha && estimate <= -rule.margin + rounding
    return {
      verdict: p.noninferior < rule.alpha ? 'pass' : isFail ? 'fail' : 'inconclusive',
      ...(adjusted.worse <= rule.alpha && { moved: 'worse' }),
      ...(adjusted.better <= rule.alpha && { moved: 'better' }),
      adjusted,
    }
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
  const [passed, failed, inconclusive, broken] = [count('pass'), count('fail'), count('inconclusive'), count('broken')]
  const unknown = cells.filter(({ verdict, cause }) => verdict === 'unknown' && !optional.has(cause)).length
  const describe = (count: number, words: string): string[] =>
    count === 0 ? [] : [`${String(count)} of ${String(cells.length)} cells ${words}.`]
  const reasons = [
    ...describe(failed, 'got worse'),
    ...describe(broken, 'had nothing but errors'),
    ...describe(inconclusive, inconclusive === 1 ? 'is inconclusive' : 'are inconclusive'),
    ...describe(unknown, 'cannot be judged'),
  ]
  if (failed > 0) return settle('fail', reasons)
  if (broken > 0) return settle('broken', reasons)
  if (inconclusive + unknown > 0) return settle('inconclusive', reasons)
  return passed > 0
    ? settle('pass', describe(passed, 'passed'))
    : settle('inconclusive', ['There is no cell to judge.'])
}
