import colors from 'picocolors'
import { formatDuration } from '../models/retry-after.js'
import { plainText } from '../tables/plain.js'
import type { Tally } from './tally.js'

/** Where progress is shown. */
interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** A display of how far a run is. */
export interface Progress {
  /** Puts a sentence above the display. */
  note(text: string): void
  end(): void
}

const redrawMs = 200
const plainLineMs = 10_000
/** The rate is that of the last so many milliseconds, as a run begins slowly; at the end it is that of the whole. */
const windowMs = 20_000

interface Sample {
  readonly at: number
  readonly count: number
}

/** Shows a line that is redrawn in a terminal, and writes one now and then where there is none. */
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
 * How far a run is, in one line of at most so many characters: episodes, rate a second, time left, pauses that servers
 * ask for, errors, and running success by column.
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
