import { holm } from '../statistics/multiplicity.js'
import type { CellVerdict, CheckedCell, DifferenceP, Rule, Verdict } from './check.js'
import type { DifferenceTest } from './test-difference.js'

/** What {@link judge} says of one cell. */
export interface Judgement {
  readonly verdict: Extract<CellVerdict, 'pass' | 'fail' | 'inconclusive'>
  readonly moved?: 'worse' | 'better'
  readonly adjusted: Omit<DifferenceP, 'noninferior'>
}

/** Means of the same scores in another order differ by less. */
export const rounding = 1e-9

/**
 * Judges cells together, each by its test. A cell passes where a drop of the margin is rejected at alpha: the lower
 * bound is above −margin. It fails where it is significantly worse (p at most alpha) and worse by the margin or more;
 * strict, where it is significantly below −margin. Otherwise it is inconclusive. Every cell has to pass, so passes need
 * no correction; a fail of any of many cells turns a check red, so their p-values are corrected (Holm) for all cells.
 *
 * A lower outcome of any task never moves a verdict towards pass.
 */
export function judge(tests: readonly DifferenceTest[], rule: Rule): Judgement[] {
  const adjust = (direction: keyof Judgement['adjusted']): readonly number[] => {
    const ps = tests.map(({ p }) => p[direction])
    return rule.correction === 'holm' ? holm(ps) : ps
  }
  const [worse, beyond, better] = [adjust('worse'), adjust('beyond'), adjust('better')]
  return tests.map((test, place) => {
    const adjusted = { worse: worse[place]!, beyond: beyond[place]!, better: better[place]! }
    return {
      verdict: verdictOf(test, adjusted, rule),
      ...(adjusted.worse <= rule.alpha && { moved: 'worse' as const }),
      ...(adjusted.better <= rule.alpha && { moved: 'better' as const }),
      adjusted,
    }
  })
}

function verdictOf(
  { estimate, p }: DifferenceTest,
  { worse, beyond }: Judgement['adjusted'],
  { margin, alpha, strict }: Rule,
): Judgement['verdict'] {
  if (p.noninferior < alpha) return 'pass'
  const isFail = strict ? beyond <= alpha : worse <= alpha && estimate <= -margin + rounding
  return isFail ? 'fail' : 'inconclusive'
}

/** The verdict of a whole gate, the exit code that goes with it, and why. */
interface Decision {
  readonly verdict: Verdict
  readonly code: 0 | 1 | 3 | 4
  readonly reasons: readonly string[]
}

const codes = { pass: 0, fail: 1, inconclusive: 3, broken: 4 } as const

/**
 * Cells of which nothing is known and nothing has to be: there is no baseline for them yet, or nothing in them to gate.
 */
const optional: ReadonlySet<CheckedCell['cause']> = new Set(['new', 'unchanged'] as const)

/**
 * Makes one verdict and its exit code of all cells: 1 where any failed, since that something got worse is known
 * whatever else is not; else 4 where the run is not whole (`obstacle` says why) or all episodes of a cell ended in
 * errors; else 3 where anything is inconclusive or not known, or there is nothing to judge; else 0.
 */
export function decide(
  cells: readonly Pick<CheckedCell, 'verdict' | 'cause'>[],
  obstacle: string | undefined,
): Decision {
  const count = (wanted: CellVerdict): number => cells.filter(({ verdict }) => verdict === wanted).length
  const [passed, failed, inconclusive, broken] = [count('pass'), count('fail'), count('inconclusive'), count('broken')]
  const unknown = cells.filter(({ verdict, cause }) => verdict === 'unknown' && !optional.has(cause)).length
  const of = `of ${String(cells.length)} cells`
  const say = (count: number, words: string): string[] => (count === 0 ? [] : [`${String(count)} ${of} ${words}.`])
  const reasons = [
    ...(obstacle === undefined ? [] : [obstacle]),
    ...say(failed, 'got worse'),
    ...say(obstacle === undefined ? broken : 0, 'had nothing but errors'),
    ...say(inconclusive, 'cannot be told either way'),
    ...say(unknown, 'cannot be judged'),
    ...(failed + broken + inconclusive + unknown === 0 ? say(passed, 'passed') : []),
  ]
  const settle = (verdict: Verdict): Decision => ({ verdict, code: codes[verdict], reasons })
  if (failed > 0) return settle('fail')
  if (obstacle !== undefined || broken > 0) return settle('broken')
  if (inconclusive + unknown > 0) return settle('inconclusive')
  return passed > 0 ? settle('pass') : { ...settle('inconclusive'), reasons: ['There is no cell to judge.'] }
}
