import { ShaketableError } from '../../core/errors.js'
import { parseJsonInput } from '../../files/read-json.js'
import { readText } from '../../files/read-text.js'
import { createIdCheck } from '../read-rows.js'
import { duplicateKey } from '../read-trajectories.js'
import type { RecordPlace, TrajectoryRecord } from '../read-trajectories.js'
import type { VerifyOptions } from './options.js'
import type { Script } from './script.js'
import { readScript } from './script.js'
import type { Rejection, Verdict } from './verify-trajectory.js'

/** The result for one record of a file. */
export type VerifiedRecord = RecordPlace &
  (
    | ({ readonly kind: 'verdict'; readonly id?: string } & Verdict)
    /** Not readable as a trajectory: rejected or left out, depending on the options. */
    | { readonly kind: 'unreadable'; readonly message: string; readonly isRejected: boolean }
    /** A remark that decides nothing about a record; `isDamage` if records may be lost. */
    | { readonly kind: 'remark'; readonly message: string; readonly isDamage: boolean }
  )

/** Numbers of records by result. */
export interface VerifyCounts {
  readonly accepted: number
  readonly rejected: number
  readonly leftOut: number
  /** Rejected records, by rule. */
  readonly rules: Readonly<Record<string, number>>
}

/**
 * Judges turns with the script of their record.
 * @throws ShaketableError `bad-input` for a script that cannot be used
 */
export type Judge = (turns: readonly unknown[], script: unknown) => Verdict

/**
 * Verifies the records of a file one by one. A repeated id gives a remark, and its trajectory is verified all the same.
 */
export function* verifyRecords(
  records: Iterable<TrajectoryRecord>,
  judge: Judge,
  { unreadable }: Pick<VerifyOptions, 'unreadable'>,
): Generator<VerifiedRecord, void, undefined> {
  const checkId = createIdCheck()
  for (const found of records) {
    const { record, line } = found
    if (found.problem !== undefined) {
      const { problem: message, isBetween } = found
      if (isBetween) yield { record, line, kind: 'remark', message, isDamage: true }
      else yield { record, line, kind: 'unreadable', message, isRejected: unreadable === 'reject' }
      continue
    }
    const id = found.id === undefined ? {} : { id: found.id }
    const remark = checkId(found.id)
    if (remark !== undefined) yield { record, line, kind: 'remark', message: remark, isDamage: false }
    let verdict: Verdict
    try {
      verdict = judge(found.turns, found.script)
    } catch (thrown) {
      if (!(thrown instanceof ShaketableError) || thrown.code !== 'bad-input') throw thrown
      yield {
        record,
        line,
        kind: 'unreadable',
        message: thrown.message.replace(/\.$/, ''),
        isRejected: unreadable === 'reject',
      }
      continue
    }
    yield { record, line, kind: 'verdict', ...id, ...verdict }
  }
}

/** Counts verified records one by one. */
export class VerifyTally {
  #accepted = 0
  #leftOut = 0
  readonly #rules = new Map<string, number>()

  add(record: VerifiedRecord): void {
    if (record.kind === 'remark') return
    if (record.kind === 'unreadable') {
      if (record.isRejected) this.#count('unreadable')
      else this.#leftOut++
    } else if (record.rejection === undefined) this.#accepted++
    else this.#count(record.rejection.rule)
  }

  get counts(): VerifyCounts {
    const rules = Object.fromEntries([...this.#rules].sort(([a], [b]) => (a < b ? -1 : 1)))
    const rejected = [...this.#rules.values()].reduce((sum, count) => sum + count, 0)
    return { accepted: this.#accepted, rejected, leftOut: this.#leftOut, rules }
  }

  #count(rule: Rejection['rule'] | 'unreadable'): void {
    this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1)
  }
}

const maxBytes = 16_000_000

/**
 * Reads a script from its file; `source` is its JSON.
 * @throws ShaketableError `bad-input` unless the file is a script in JSON of at most 16 MB
 */
export function readScriptFile(path: string): { readonly script: Script; readonly source: unknown } {
  const advice = 'docs/training-data.md shows one.'
  const wrong = (got: string): ShaketableError =>
    new ShaketableError('bad-input', `Expected a script in JSON at ${path}, but ${got}. ${advice}`)
  const text = readText('The script', path, advice, maxBytes)
  const { value, fault } = parseJsonInput(text)
  if (fault !== undefined) throw wrong(`it is not JSON: ${fault}`)
  const twice = duplicateKey(text)
  if (twice !== undefined) throw wrong(`the key '${twice.slice(0, 60)}' stands twice in one object`)
  try {
    return { script: readScript(value), source: value }
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    throw new ShaketableError(thrown.code, `${path}: ${thrown.message}`, { cause: thrown })
  }
}
