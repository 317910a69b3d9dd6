import { holm } from '../../statistics/multiplicity.js'
import type { CellDifference, CellVerdict, Check, CheckedCell, Rule, Verdict } from './check.js'
import type { PreparedCell } from './prepare-cells.js'
import type { DifferenceTest } from './test-difference.js'

interface Judgement {
  readonly verdict: Extract<CellVerdict, 'pass' | 'fail' | 'inconclusive'>
  readonly moved?: 'worse' | 'better'
  readonly adjusted: CellDifference['adjusted']
}

/** Means of the same scores in another order differ by less. */
export const rounding = 1e-9

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

/** A prepared cell with its verdict. */
export interface JudgedCell extends PreparedCell {
  readonly verdict: CellVerdict
  /** Absent where it could not be judged; `cause` says why. */
  readonly judgement?: Judgement
}

/** Gives every cell its verdict: judges together the cells that can be judged; the others are unknown or broken. */
export function judgeCells(prepared: readonly PreparedCell[], rule: Rule): JudgedCell[] {
  const tests = prepared.flatMap(({ test, cause }) => (test !== undefined && cause === undefined ? [test] : []))
  const judgements = judge(tests, rule)
  let next = 0
  return prepared.map((cell): JudgedCell => {
    const { test, cause } = cell
    if (test === undefined || cause !== undefined) {
      return { ...cell, verdict: cause === 'errors' || cause === 'partial' ? 'broken' : 'unknown' }
    }
    const judgement = judgements[next++]!
    return { ...cell, verdict: judgement.verdict, judgement }
  })
}

const codes = { pass: 0, fail: 1, inconclusive: 3, broken: 4 } as const

/** Causes with which a cell need not be judged: it has no baseline yet, or nothing that could change. */
const optional: ReadonlySet<CheckedCell['cause']> = new Set(['new', 'unchanged'] as const)

/**
 * One verdict over all cells, its exit code, and why: 1 where any cell failed, since then something got worse whatever
 * the other cells are; else 4 where the run is not whole (`obstacle` says why) or all episodes of a cell ended in
 * errors; else 3 where a cell is inconclusive or unknown, or there is nothing to judge; else 0.
 */
export function decide(
  cells: readonly Pick<CheckedCell, 'verdict' | 'cause'>[],
  obstacle: string | undefined,
): Pick<Check, 'verdict' | 'code' | 'reasons'> {
  const count = (wanted: CellVerdict): number => cells.filter(({ verdict }) => verdict === wanted).length
  const [passed, failed, inconclusive, broken] = [count('pass'), count('fail'), count('inconclusive'), count('broken')]
  const unknown = cells.filter(({ verdict, cause }) => verdict === 'unknown' && !optional.has(cause)).length
  const say = (count: number, words: string): string[] =>
    count === 0 ? [] : [`${String(count)} of ${String(cells.length)} cells ${words}.`]
  const reasons = [
    ...(obstacle === undefined ? [] : [obstacle]),
    ...say(failed, 'got worse'),
    ...say(obstacle === undefined ? broken : 0, 'had nothing but errors'),
    ...say(inconclusive, inconclusive === 1 ? 'is inconclusive' : 'are inconclusive'),
    ...say(unknown, 'cannot be judged'),
    ...(failed + broken + inconclusive + unknown === 0 ? say(passed, 'passed') : []),
  ]
  const settle = (verdict: Verdict) => ({ verdict, code: codes[verdict], reasons })
  if (failed > 0) return settle('fail')
  if (obstacle !== undefined || broken > 0) return settle('broken')
  if (inconclusive + unknown > 0) return settle('inconclusive')
  return passed > 0 ? settle('pass') : { ...settle('inconclusive'), reasons: ['There is no cell to judge.'] }
}
