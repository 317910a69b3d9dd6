import { once } from 'node:events'
import { type WriteStream, createWriteStream } from 'node:fs'
import type { Dose } from '../core/dose.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import { cutTornLine } from '../files/append-file.js'
import { jsonLine, parseJson } from '../files/json.js'
import { readLines } from '../files/lines.js'

/** One line of a proxy's log. */
export type ProxyRecord =
  | {
      readonly kind: 'start'
      readonly version: 1
      readonly condition: string
      readonly forms: string
      readonly upstream: string
      readonly shaketable: string
      readonly at: string
    }
  | (Of & {
      readonly kind: 'turn'
      readonly conversation: string
      /** From 1. */
      readonly turn: number
      /** In the model's wording, at most 300 characters. */
      readonly action: string
      /** The action as sent to the harness, where it differs. */
      readonly sent?: string
      readonly refused?: true
      readonly memorised?: true
      /** The dose of the conversation so far. */
      readonly dose: Dose
    })
  | (Of & { readonly kind: 'unread' | 'failed'; readonly why: string })

interface Of {
  readonly condition: string
  readonly model: string
  readonly at: string
}

/** A log open for writing. A line that cannot be written is lost; conversations do not wait for the log. */
export type ProxyLog = Awaited<ReturnType<typeof openProxyLog>>

/**
 * Opens a log for appending.
 * @param warn called once if lines are lost
 * @throws ShaketableError `bad-input` if it cannot be opened
 */
export async function openProxyLog(path: string, warn: (message: string) => void) {
  let stream: WriteStream
  try {
    cutTornLine(path)
    stream = createWriteStream(path, { flags: 'a' })
    await once(stream, 'open')
  } catch (cause) {
    const message = `The log ${path} cannot be written: ${messageOf(cause)}. Give another file with --log.`
    throw new ShaketableError('bad-input', message, { cause })
  }
  stream.once('error', (thrown) => warn(`Lines of ${path} are lost: ${messageOf(thrown)}. Conversations go on.`))
  return {
    write: (record: ProxyRecord): void => void stream.write(`${jsonLine(record)}\n`),
    /** Waits until all lines are on disk. */
    close: (): Promise<void> => new Promise((resolve) => stream.end(() => resolve())),
  }
}

/** What is recorded of a turn: `sent` is absent where nothing was. */
interface RecordedTurn {
  readonly conversation: string
  readonly turn: number
  readonly action: string
  readonly sent: string | undefined
  /** Whether it was sent in another wording, and not refused. */
  readonly isReworded: boolean
  readonly refused: boolean
  readonly memorised: boolean
  readonly dose: Dose
}

/** Where a proxy records, and what all records say. */
export interface RecorderOptions {
  readonly log: Pick<ProxyLog, 'write'>
  readonly condition: string
  /** Tells the user of the first request or reply of each kind that is passed on in the other wording. */
  readonly warn: (message: string) => void
  /** The current time in milliseconds. */
  readonly now: () => number
}

const maxLogged = 300
/** The kinds of warning that are given. */
const maxWarnings = 20

/** Makes recorders, one for each model; `redact` takes secrets out of what is recorded. */
export function createRecorder({ log, condition, warn, now }: RecorderOptions) {
  const warned = new Set<string>()
  return (model: string, redact = (text: string): string => text) => {
    const clean = (text: string): string => redact(text).slice(0, maxLogged)
    const of = () => ({ condition, model: clean(model), at: new Date(now()).toISOString() })
    return {
      failed: (why: string) => log.write({ kind: 'failed', ...of(), why: clean(why) }),
      unread(text: string): void {
        const why = clean(text)
        log.write({ kind: 'unread', ...of(), why })
        if (warned.has(why) || warned.size >= maxWarnings) return
        warned.add(why)
        warn(`warning: something is passed on unperturbed and counted as unread: ${why}.`)
      },
      turn({ conversation, turn, action, sent, isReworded, refused, memorised, dose }: RecordedTurn): void {
        log.write({
          ...{ kind: 'turn', ...of(), conversation, turn, action: clean(action) },
          ...((isReworded || refused) && sent !== undefined && { sent: clean(sent) }),
          ...(refused && { refused }),
          ...(memorised && { memorised }),
          dose: { ...dose, commandsSaid: isReworded ? 1 : 0 },
        })
      },
    }
  }
}

/** The counts of a dose that a proxy can change. */
const summed = ['forms', 'commandsSeen', 'names', 'characters', 'listed', 'failed', 'leaks'] as const

/** The results of one model in one condition; the dose is the sum over all conversations at their last turn. */
export type ProxySummary = ReturnType<typeof summarise>

type Counted = Exclude<ProxyRecord, { kind: 'start' }>

/**
 * Summarises a log by condition and model, in the order of their first lines. Lines that are no JSON are counted.
 * @throws ShaketableError `bad-input` for a file that is not a proxy's log, `store` for one that cannot be read
 */
export function summariseProxyLog(path: string): { readonly rows: readonly ProxySummary[]; readonly damaged: number } {
  const groups = new Map<string, Counted[]>()
  const records = [...readLines(path)].map(({ text }) => parseJson(text) as ProxyRecord | undefined)
  const known = records.filter((record) => record !== undefined)
  if (known[0]?.kind !== 'start') {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected the first line of a proxy's log, {"kind":"start",…}, got something else or nothing. Give the file that shaketable proxy --log wrote.`,
    )
  }
  for (const record of known) {
    if (record.kind === 'start') continue
    const key = JSON.stringify([record.condition, record.model])
    const group = groups.get(key) ?? []
    group.push(record)
    groups.set(key, group)
  }
  return { rows: [...groups.values()].map(summarise), damaged: records.length - known.length }
}

function summarise(records: readonly Counted[]) {
  const { condition, model } = records[0]!
  const turns = records.filter((record) => record.kind === 'turn')
  const last = new Map<string, (typeof turns)[number]>()
  for (const turn of turns) if (turn.turn >= (last.get(turn.conversation)?.turn ?? 0)) last.set(turn.conversation, turn)
  const sum = (part: (typeof summed)[number]): number =>
    [...last.values()].reduce((all, { dose }) => all + (Number(dose[part]) || 0), 0)
  return {
    condition,
    model,
    conversations: last.size,
    turns: new Set(turns.map(({ conversation, turn }) => `${conversation} ${String(turn)}`)).size,
    dose: {
      ...(Object.fromEntries(summed.map((part) => [part, sum(part)])) as Record<(typeof summed)[number], number>),
      commandsSaid: turns.filter(({ refused, sent }) => !refused && sent !== undefined).length,
    },
    refused: turns.filter(({ refused }) => refused).length,
    memorised: turns.filter(({ memorised }) => memorised).length,
    /** Requests that were passed on unchanged. */
    unread: records.filter(({ kind }) => kind === 'unread').length,
    failed: records.filter(({ kind }) => kind === 'failed').length,
  }
}
