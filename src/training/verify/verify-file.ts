import { ShaketableError } from '../../core/errors.js'
import { readJson } from '../../files/read-json.js'
import type { FoundRecord } from '../records.js'
import { isAtif, scriptedTurnsOf } from '../read-atif.js'
import { idOf } from '../row-formats.js'
import type { Script } from './script.js'
import { readScript } from './script.js'
import { isObject } from './turn.js'
import type { Verdict, VerifyOptions } from './verify-trajectory.js'

/** The result for one record of a file. */
export type VerifiedRecord = Pick<FoundRecord, 'record'> &
  (
    | ({ readonly kind: 'verdict'; readonly id?: string } & Verdict)
    /** Not readable as a trajectory: rejected or left out, depending on the options. */
    | { readonly kind: 'unreadable'; readonly message: string; readonly isRejected: boolean }
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
 * Verifies the records of a file one by one. A trajectory is a list of turns, an object with that list under `turns`
 * and perhaps an `id` and a `script`, or a trajectory in ATIF, which may have a script under `extra`.
 */
export function* verifyRecords(
  records: Iterable<FoundRecord>,
  judge: Judge,
  { literal }: VerifyOptions,
): Generator<VerifiedRecord, void, undefined> {
  for (const found of records) {
    const place = { record: found.record }
    try {
      if (found.wrong !== undefined) throw new ShaketableError('bad-input', found.wrong)
      const { turns, id, script } = trajectoryOf(found.value)
      yield { ...place, kind: 'verdict', ...id, ...judge(turns, script) }
    } catch (thrown) {
      if (!(thrown instanceof ShaketableError) || thrown.code !== 'bad-input') throw thrown
      const message = thrown.message.replace(/\.$/, '')
      yield { ...place, kind: 'unreadable', message, isRejected: !literal }
    }
  }
}

function trajectoryOf(value: unknown) {
  if (Array.isArray(value)) return { turns: value as readonly unknown[] }
  const fields = isObject(value) ? value : {}
  if (isAtif(fields)) return atifTrajectoryOf(fields)
  const { turns, script } = fields
  if (Array.isArray(turns)) return { turns: turns as readonly unknown[], id: idOf(fields), script }
  throw new ShaketableError('bad-input', "expected a list of turns, or an object with such a list under 'turns'")
}

function atifTrajectoryOf(record: Readonly<Record<string, unknown>>) {
  const turns = scriptedTurnsOf(record)
  if ('wrong' in turns) throw new ShaketableError('bad-input', turns.wrong)
  const { trajectory_id: id, extra } = record
  return { turns, ...(typeof id === 'string' && { id: { id } }), script: isObject(extra) ? extra['script'] : undefined }
}

/** Counts verified records one by one. */
export class VerifyTally {
  #accepted = 0
  #leftOut = 0
  readonly #rules = new Map<string, number>()

  add(record: VerifiedRecord): void {
    const rule = record.kind === 'unreadable' ? 'unreadable' : record.rejection?.rule
    if (rule === undefined) this.#accepted++
    else if (record.kind === 'unreadable' && !record.isRejected) this.#leftOut++
    else this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1)
  }

  get counts(): VerifyCounts {
    const rules = Object.fromEntries([...this.#rules].sort(([a], [b]) => (a < b ? -1 : 1)))
    const rejected = [...this.#rules.values()].reduce((sum, count) => sum + count, 0)
    return { accepted: this.#accepted, rejected, leftOut: this.#leftOut, rules }
  }
}

const maxBytes = 16_000_000

/**
 * Reads a script from its file; `source` is its JSON.
 * @throws ShaketableError `bad-input` unless the file is a script in JSON of at most 16 MB
 */
export function readScriptFile(path: string): { readonly script: Script; readonly source: unknown } {
  const source = readJson('The script', path, 'docs/training-data.md shows one.', maxBytes)
  try {
    return { script: readScript(source), source }
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    throw new ShaketableError(thrown.code, `${path}: ${thrown.message}`, { cause: thrown })
  }
}
