import colors from 'picocolors'
import { formatDuration } from '../models/retry-after.js'
import { plainText } from '../tables/plain.js'
import type { EpisodeRow } from '../core/episode.js'
import { isValid } from '../core/episode.js'

/** Output stream of the progress display. */
interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Display of a run's progress. */
export interface Progress {
  /** Prints a sentence above the display. */
  note(text: string): void
  end(): void
}

const redrawMs = 200
const plainLineMs = 10_000
/**
 * The rate is measured over these last milliseconds, as a run begins slowly; the final rate is that of the whole run.
 */
const windowMs = 20_000

interface Sample {
  readonly at: number
  readonly count: number
}

/** Shows a line that is redrawn in a terminal; without a terminal it prints a line from time to time. */
export function showProgress(
  stream: ProgressStream,
  tally: () => Tally,
  clock: () => number,
  pauses: () => readonly string[] = () => [],
): Progress {
  const started = { at: clock(), count: sessionOf(tally()) }
  let recent = [started]
  const live = stream.isTTY === true
  const line = (since: () => Sample): string => {
    const now = { at: clock(), count: sessionOf(tally()) }
    const from = since()
    recent = [...recent.filter(({ at }) => now.at - at <= windowMs), now]
    const rate = now.at > from.at ? ((now.count - from.count) * 1000) / (now.at - from.at) : 0
    return progressLine(tally(), rate, live ? (stream.columns ?? 80) - 1 : Infinity, pauses())
  }
  const lately = (): Sample => recent[0] ?? started
  let drawn = ''
  const draw = (): void => {
    const next = line(lately)
    if (next === drawn) return
    stream.write(`\r\u001b[2K${colors.isColorSupported ? colors.dim(next) : next}`)
    drawn = next
  }
  const timer = setInterval(live ? draw : () => stream.write(`${line(lately)}\n`), live ? redrawMs : plainLineMs)
  timer.unref()
  if (live) draw()
  return {
    note(text) {
      stream.write(live ? `\r\u001b[2K${text}\n` : `${text}\n`)
      drawn = ''
      if (live) draw()
    },
    end() {
      clearInterval(timer)
      const last = line(() => started)
      stream.write(live ? `\r\u001b[2K${last}\n` : `${last}\n`)
    },
  }
}

/**
 * The progress in one line of at most `width` characters: episodes, rate per second, time left, pauses that servers
 * request, errors, and success so far by column.
 */
export function progressLine(tally: Tally, rate: number, width: number, pauses: readonly string[] = []): string {
  const { planned, already, played, errors, columns } = tally
  const done = already + played + errors
  const parts = [
    `${String(planned === 0 ? 100 : Math.floor((100 * done) / planned))}%`,
    `${number(done)} of ${number(planned)} episodes`,
    ...(rate > 0 ? [`${rate < 10 ? rate.toFixed(1) : number(Math.round(rate))}/s`] : []),
    ...(rate > 0 && done < planned ? [`${formatDuration(((planned - done) * 1000) / rate)} left`] : []),
    ...pauses,
    ...(errors > 0 ? [`${number(errors)} in error`] : []),
  ]
  const rates = columns
    .filter(({ valid }) => valid > 0)
    .map(({ label, valid, successes }) => `${plainText(label)} ${String(Math.round((100 * successes) / valid))}%`)
  const text = `${parts.join(' · ')}${rates.length === 0 ? '' : ` · success: ${rates.join(' ')}`}`
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}

function sessionOf({ played, errors }: Tally): number {
  return played + errors
}

function number(value: number): string {
  return value.toLocaleString('en')
}

/** Running counts of a run's episodes. */
export interface Tally {
  readonly planned: number
  /** Valid episodes of earlier sessions. */
  readonly already: number
  /** Valid episodes of this session. */
  readonly played: number
  /** Episodes of this session that ended in an error. */
  readonly errors: number
  /** Valid episodes and successes by column, in the order of the plan. */
  readonly columns: readonly { readonly label: string; readonly valid: number; readonly successes: number }[]
  /** Number of errors by message. */
  readonly messages: ReadonlyMap<string, number>
}

/** The most different messages that are counted, to bound memory. */
const maxMessages = 100

/** Creates the counts of a grid: `seen` adds a row of an earlier session, `played` one of this session. */
export function createTally(planned: number, labels: readonly string[]) {
  const columns = new Map(labels.map((label) => [label, { label, valid: 0, successes: 0 }]))
  const messages = new Map<string, number>()
  const count = { already: 0, played: 0, errors: 0 }
  const valid = (row: EpisodeRow): void => {
    const column = columns.get(row.column)
    if (column === undefined) return
    column.valid++
    if (row.outcome === 'success') column.successes++
  }
  return {
    seen(row: EpisodeRow): void {
      if (!isValid(row.outcome)) return
      count.already++
      valid(row)
    },
    played(row: EpisodeRow): void {
      if (isValid(row.outcome)) {
        count.played++
        valid(row)
        return
      }
      count.errors++
      const message = `${row.outcome} of ${row.model}: ${row.error ?? 'without a message'}`
      if (messages.has(message) || messages.size < maxMessages) messages.set(message, (messages.get(message) ?? 0) + 1)
    },
    now: (): Tally => ({ planned, ...count, columns: [...columns.values()], messages }),
  }
}
