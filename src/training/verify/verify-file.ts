import { ShaketableError } from '../../core/errors.js'
import { readJson } from '../../files/read-json.js'
import type { FoundRecord } from '../records.js'
import { isAtif, scriptedTurnsOf } from '../read-atif.js'
import { idOf } from '../row-formats.js'
import { type Script, readScript } from './script.js'
import { isObject } from '../../files/json.js'
import type { Verdict } from './verify-trajectory.js'

/** The result for one record of a file. */
export type VerifiedRecord = Pick<FoundRecord, 'record'> & Verdict & { readonly id?: string }

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
): Generator<VerifiedRecord, void, undefined> {
  for (const rowRecord of records) {
    const { record } = rowRecord
    try {
      if (rowRecord.wrong !== undefined) throw new ShaketableError('bad-input', rowRecord.wrong)
      const { turns, id, script } = trajectoryOf(rowRecord.value)
      yield { record, ...id, ...judge(turns, script) }
    } catch (thrown) {
      if (!(thrown instanceof ShaketableError) || thrown.code !== 'bad-input') throw thrown
      const rejection = { rule: 'unreadable', position: 0, evidence: thrown.message.replace(/\.$/, '') } as const
      yield { record, accepted: false, rejection, verified: [], errors: 0 }
    }
  }
}

function trajectoryOf(value: unknown) {
  const fields = isObject(value) ? value : { turns: value }
  if (isAtif(fields)) {
    const turns = scriptedTurnsOf(fields)
    if ('wrong' in turns) throw new ShaketableError('bad-input', turns.wrong)
    const { trajectory_id: id, extra } = fields as { readonly trajectory_id?: unknown; readonly extra?: unknown }
    const script = isObject(extra) ? extra['script'] : undefined
    return { turns, ...(typeof id === 'string' && { id: { id } }), script }
  }
  const turns: unknown = fields['turns']
  if (Array.isArray(turns))
    return { turns: turns as unknown[], id: idOf(fields), script: (fields as { script?: unknown }).script }
  throw new ShaketableError('bad-input', "expected a list of turns, or an object with such a list under 'turns'")
}

const maxBytes = 16_000_000

/**
 * Reads a script from its file; `source` is its JSON.
 * @throws ShaketableError `bad-input` unless the file is a script in JSON of at most 16 MB
 */
export function readScriptFile(path: string): { readonly script: Script; readonly source: unknown } {
  const source = readJson('The script', path, 'docs/training-data.md shows one.', maxBytes)
  return { script: readScript(source, `${path}: `), source }
}
