import * as z from 'zod'
import { copyText } from '../../core/cut-text.js'
import { parseJson } from '../../core/episode.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import type { LineState } from '../../files/checksum.js'
import { withChecksum } from '../../files/checksum.js'
import { readLines } from '../../files/lines.js'

/** Raised whenever this version could misread older files. */
const format = 1

/** The first line of every file of exchanges. */
export const headerLine = JSON.stringify({ recording: format })

const storedModel = z.object({
  model: z.string(),
  settings: z.record(z.string(), z.unknown()),
  contextTokens: z.number().int().positive().optional(),
  counts: z.literal(true).optional(),
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
  | { readonly kind: 'unfinished' }
  /** `ids`: exchanges that the line may have contained. */
  | { readonly kind: 'damaged'; readonly number: number; readonly ids: readonly string[] }

/** Every stored exchange begins with its id. */
const exchangeStart = /^\{"id":"([0-9a-f]{20})",/
/**
 * A damaged line break joins two lines. Inside strings the quotes are escaped, so this matches beginnings of
 * exchanges only.
 */
const everyExchangeStart = new RegExp(exchangeStart.source.slice(1), 'g')

/** A damaged header may be split into two lines. A sound line after it still proves what the file is. */
const maxHeaderLines = 3

/**
 * Reads the lines of a file of exchanges in bounded memory. Unreadable lines are reported as such, not thrown.
 * @throws ShaketableError `bad-input` if the file is something else, or has another format
 */
export function* readRecording(path: string): Generator<RecordedLine, void, undefined> {
  let refused: ShaketableError | undefined
  for (const { text, number, offset, ended, state } of readFile(path)) {
    const isHeader = offset === 0
    if (isHeader && (ended || !withChecksum(headerLine).startsWith(text))) refused = checkHeader(path, text, state)
    else if (refused !== undefined && state === 'sound') {
      refused = undefined
      yield damagedLine('', 1)
    }
    if (refused !== undefined) {
      if (number >= maxHeaderLines) throw refused
    } else if (!ended) yield { kind: 'unfinished' }
    else if (state === 'damaged') yield damagedLine(text, number)
    else if (!isHeader) yield readLine(text, number, offset, state)
  }
  if (refused !== undefined) throw refused
}

function* readFile(path: string) {
  try {
    yield* readLines(path)
  } catch (thrown) {
    const { cause } = thrown as ShaketableError
    if (cause === undefined) throw thrown
    const why = messageOf(cause)
    throw new ShaketableError('bad-input', `${path}: expected the file of a recording, but ${why}. Check the path.`)
  }
}

function readLine(text: string, number: number, offset: number, state: LineState): RecordedLine {
  const id = exchangeStart.exec(text)?.[1]
  if (id !== undefined && text.endsWith('}')) return { kind: 'exchange', id: copyText(id), offset, text, state }
  const model = storedModel.safeParse(parseJson(text))
  return model.success ? { kind: 'model', model: model.data } : damagedLine(text, number)
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

/**
 * The error in the first line of a file; undefined if there is none.
 * @throws ShaketableError `bad-input` if it is the header of another format
 */
function checkHeader(path: string, text: string, state: LineState): ShaketableError | undefined {
  const value = state === 'damaged' ? undefined : parseJson(text)
  const found = typeof value === 'object' && value !== null && 'recording' in value ? value.recording : undefined
  if (found === format) return undefined
  if (typeof found === 'number') {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected a recording of format ${String(format)}, got format ${String(found)}. It was written by another version of shaketable; use that one, or record again.`,
    )
  }
  const shown = JSON.stringify(text.slice(0, 60))
  return new ShaketableError(
    'bad-input',
    `${path}: expected a recording, which begins with ${headerLine}, got ${shown}. Give the file that --record wrote.`,
  )
}
