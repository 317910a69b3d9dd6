import type { CellVerdict, Rule } from './check.js'
import type { Judgement } from './judge.js'
import { judge } from './judge.js'
import type { PreparedCell } from './prepare-cell.js'

/** A prepared cell and what became of it. */
export interface SettledCell extends PreparedCell {
  readonly verdict: CellVerdict
  /** Absent where it could not be judged; `cause` says why. */
  readonly judgement?: Judgement
}

/** Gives every cell its verdict: judges together what can be judged, and leaves the rest unknown or broken. */
export function settleCells(prepared: readonly PreparedCell[], rule: Rule): SettledCell[] {
  const tests = prepared.flatMap(({ test, cause }) => (test !== undefined && cause === undefined ? [test] : []))
  const judgements = judge(tests, rule)
  let next = 0
  return prepared.map((one): SettledCell => {
    const { test, cause } = one
    if (test === undefined || cause !== undefined) {
      return { ...one, verdict: cause === 'errors' || cause === 'partial' ? 'broken' : 'unknown' }
    }
    const judgement = judgements[next++]!
    return { ...one, verdict: judgement.verdict, judgement }
  })
}
