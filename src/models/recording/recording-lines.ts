import * as z from 'zod'
import { copyText } from '../../core/text.js'
import { parseJson } from '../../files/json.js'
import { ShaketableError } from '../../core/errors.js'
import type { LineState } from '../../files/checksum.js'
import { readChecked, withChecksum } from '../../files/checksum.js'
import type { Line } from '../../files/lines.js'
import { readLines } from '../../files/lines.js'

/** Raised whenever this version could misread older files. */
const format = 1

/** The first line of every file of exchanges. */
export const headerLine = JSON.stringify({ recording: format })

const storedHeader = z.object({ recording: z.number() })

const storedModel = z.object({
  model: z.string(),
  settings: z.record(z.string(), z.unknown()),
  contextTokens: z.number().int().positive().optional(),
  logprobs: z.enum(['top', 'continuations']).optional(),
  /** What was learned of its server, as plain JSON; notices of a replay follow from it. */
  server: z.unknown().optional(),
  /** What the sessions of the run spent so far, as plain JSON, beside one of the servers. */
  sessions: z.unknown().optional(),
})

/** A recorded model: enough to recreate the same plan and prompts without its server. */
export type RecordedModel = Readonly<z.infer<typeof storedModel>>

/** The type of a line, as far as it is known without parsing all of it. */
type RecordedLine =
  | { readonly kind: 'model'; readonly model: RecordedModel }
  | {
      readonly kind: 'exchange'
      readonly id: string
      readonly offset: number
      readonly text: string
      readonly state: LineState
    }
  | { readonly kind: 'header' | 'unfinished' }
  /** `ids`: exchanges that the line may have contained. */
  | { readonly kind: 'damaged'; readonly number: number; readonly ids: readonly string[] }

/** Every stored exchange begins with its id. */
const exchangeStart = /^\{"id":"([0-9a-f]{20})",/
/**
 * A damaged line break joins two lines. Inside strings the quotes are escaped, so this matches beginnings of
 * exchanges only.
 */
const everyExchangeStart = new RegExp(exchangeStart.source.slice(1), 'g')

/** A line among the first of this many proves what the file is: a damaged header may be split into two lines. */
const maxUnknown = 3

/**
 * Reads the lines of a file of exchanges in bounded memory. Unreadable lines are reported as such, not thrown.
 * @throws ShaketableError `bad-input` if the file is something else, or has another format
 */
export function* readRecording(path: string): Generator<RecordedLine, void, undefined> {
  let first: string | undefined
  let isKnown = false
  let isChecked = false
  for (const line of readLines(path)) {
    const checked = readChecked(line.text)
    // After a line with a checksum, one without is damaged.
    const state: LineState = isChecked && checked.state === 'unchecked' ? 'damaged' : checked.state
    isChecked ||= state === 'sound'
    const read = readLine(path, { ...line, text: checked.text, state })
    first ??= line.text
    isKnown ||= read.kind !== 'damaged' && read.kind !== 'unfinished'
    if (!isKnown && line.number > maxUnknown) break
    yield read
  }
  if (isKnown || first === undefined || withChecksum(headerLine).startsWith(first)) return
  throw new ShaketableError(
    'bad-input',
    `${path}: expected a recording, which begins with ${headerLine}, got ${JSON.stringify(first.slice(0, 60))}. Give the file that --record wrote.`,
  )
}

function readLine(
  path: string,
  { text, number, offset, ended, state }: Line & { readonly state: LineState },
): RecordedLine {
  if (!ended) return { kind: 'unfinished' }
  if (state === 'damaged') return damagedLine(text, number)
  const id = exchangeStart.exec(text)?.[1]
  if (id !== undefined && text.endsWith('}')) return { kind: 'exchange', id: copyText(id), offset, text, state }
  const value = parseJson(text)
  const model = storedModel.safeParse(value)
  if (model.success) return { kind: 'model', model: model.data }
  const header = storedHeader.safeParse(value)
  if (!header.success) return damagedLine(text, number)
  if (header.data.recording === format) return { kind: 'header' }
  throw new ShaketableError(
    'bad-input',
    `${path}: expected a recording of format ${String(format)}, got format ${String(header.data.recording)}. It was written by another version of shaketable; use that one, or record again.`,
  )
}

/** The ids in a damaged line, the first of which may be damaged: so all that differ from it in one digit too. */
function damagedLine(text: string, number: number): RecordedLine {
  const ids = Array.from(text.matchAll(everyExchangeStart), ([, id]) => copyText(id!))
  const first = text.slice(7, 27)
  const near = Array.from(first.length < 20 ? '' : first).flatMap((_, at) =>
    Array.from('0123456789abcdef', (digit) => copyText(first.slice(0, at) + digit + first.slice(at + 1))),
  )
  return { kind: 'damaged', number, ids: [...ids, ...near] }
}
