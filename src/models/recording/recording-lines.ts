import * as z from 'zod'
import { copyText } from '../../core/cut-text.js'
import { parseJson } from '../../core/episode.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import type { Model } from '../../core/model.js'
import type { LineState } from '../../files/checksum.js'
import { withChecksum } from '../../files/checksum.js'
import { readLines } from '../../files/lines.js'

/** Raised whenever this version could misread older recordings. */
const format = 1

/** The first line of every recording. */
export const headerLine = JSON.stringify({ recording: format })

/** A recorded model: enough to recreate the same plan and prompts without its server. */
export interface RecordedModel {
  readonly model: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly contextTokens?: number
  readonly counts?: true
  readonly logprobs?: NonNullable<Model['logprobs']>
  /** What was learned of its server, as plain JSON; notices of a replay follow from it. */
  readonly server?: unknown
  /** What the sessions of the run spent so far, as plain JSON, beside one of the servers. */
  readonly sessions?: unknown
}

const modelSchema = z.object({
  model: z.string(),
  settings: z.record(z.string(), z.unknown()),
  contextTokens: z.number().int().positive().optional(),
  counts: z.literal(true).optional(),
  logprobs: z.enum(['top', 'continuations']).optional(),
  server: z.unknown().optional(),
  sessions: z.unknown().optional(),
})

/**
 * A stored question. Its prompt is the first `keep` characters of the prompt of the exchange at byte `from`, followed
 * by `rest`.
 */
export const storedQuestion = z.object({
  id: z.string(),
  model: z.string(),
  messagesHash: z.string(),
  toolsHash: z.string(),
  temperature: z.number(),
  seed: z.number(),
  maxTokens: z.number(),
  stop: z.array(z.string()),
  episode: z.string(),
  number: z.number(),
  from: z.number().int().nonnegative().optional(),
  keep: z.number().int().nonnegative().optional(),
  rest: z.string(),
})

/** See {@link storedQuestion}. */
export type StoredQuestion = z.infer<typeof storedQuestion>

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
  | { readonly kind: 'unfinished'; readonly number: number }
  /** `ids`: exchanges that the line may have contained. */
  | { readonly kind: 'damaged'; readonly number: number; readonly ids: readonly string[] }

/** Every stored exchange begins with its id. */
const exchangeStart = /^\{"id":"([0-9a-f]{20})",/
/**
 * A damaged line break joins two lines. Inside strings the quotes are escaped, so this matches beginnings of
 * exchanges only.
 */
const everyExchangeStart = new RegExp(exchangeStart.source.slice(1), 'g')

/**
 * Reads the lines of a recording in bounded memory. Unreadable lines are reported as such, not thrown.
 * @throws ShaketableError `bad-input` if the file is not a recording, or has another format
 */
export function* readRecording(path: string): Generator<RecordedLine, void, undefined> {
  let refused: ShaketableError | undefined
  for (const { text, number, offset, ended, state } of readFile(path)) {
    if (offset === 0) {
      refused = ended || !withChecksum(headerLine).startsWith(text) ? checkHeader(path, text, state) : undefined
      if (refused !== undefined) continue
    }
    if (refused !== undefined) {
      if (state !== 'sound' && number < maxHeaderLines) continue
      if (state !== 'sound') throw refused
      refused = undefined
      yield damagedLine('', 1)
    }
    if (!ended) yield { kind: 'unfinished', number }
    else if (state === 'damaged') yield damagedLine(text, number)
    else if (offset > 0) yield readLine(text, number, offset, state)
  }
  if (refused !== undefined) throw refused
}

/** A damaged header may be split into two lines. A sound line after it still proves that the file is a recording. */
const maxHeaderLines = 3

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
  const model = modelSchema.safeParse(parseJson(text))
  return model.success ? { kind: 'model', model: model.data as RecordedModel } : damagedLine(text, number)
}

function damagedLine(text: string, number: number): RecordedLine {
  const ids = [...text.matchAll(everyExchangeStart)].map(([, id]) => copyText(id!))
  return { kind: 'damaged', number, ids: [...ids, ...idsNear(text.slice(7, 27))] }
}

/** A possibly damaged id, and all ids that differ from it in one digit. */
function idsNear(id: string): readonly string[] {
  return id.length < 20
    ? []
    : Array.from(id).flatMap((_, at) =>
        Array.from('0123456789abcdef', (digit) => copyText(id.slice(0, at) + digit + id.slice(at + 1))),
      )
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
