import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FollowedRun } from '../run/follow-run.js'
import { followRun } from '../run/follow-run.js'
import type { Sample } from '../run/progress.js'
import { createMeter, progressLine } from '../run/progress.js'
import { filesOf } from '../run/store/run-folder.js'
import { coloursOf } from '../tables/colours.js'
import { count as counted } from '../tables/words.js'
import { escapeLine, number, wrap } from './_lines.js'
import { onStop } from './_signals.js'
import { describeFollowed } from './_follow-view.js'

/** The terminal, or the pipe, that the view goes to. */
interface FollowStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

interface FollowOptions {
  readonly stop: AbortSignal
  /** Milliseconds between two readings. */
  readonly pollMs?: number
  /** Milliseconds between two lines where there is no terminal. */
  readonly lineMs?: number
}

/** The rate is measured over these last milliseconds: episodes on a server can take a minute. */
const windowMs = 60_000
const [minWidth, maxWidth, minHeight] = [39, 160, 10]
/** Width and height without a terminal. */
const [plainWidth, plainHeight] = [100, 60]

/** Follows a run until it ends, or Ctrl-C. */
export async function followUntilStopped(folder: string): Promise<void> {
  const stopping = new AbortController()
  onStop(() => stopping.abort())
  await follow(folder, process.stdout, { stop: stopping.signal })
}

/**
 * Draws the view of a run until the run or its writer ends, or until `stop`. The screen of a terminal is restored
 * whatever happens.
 * @throws ShaketableError `store` for a folder without a run that can be read
 */
export async function follow(
  folder: string,
  stream: FollowStream,
  { stop, pollMs = 1000, lineMs = 10_000 }: FollowOptions,
): Promise<void> {
  const follower = followRun(folder)
  const isLive = stream.isTTY === true && process.env['TERM'] !== 'dumb'
  const colours = coloursOf(stream)
  let meter: ReturnType<typeof createMeter> | undefined
  let rate = 0
  const read = (): FollowedRun => {
    const run = follower.update()
    const now = { at: Date.now(), count: run.tally.already + run.tally.errors }
    // What was there before was not played at the pace of reading it.
    rate = (meter ??= createMeter(startOf(folder) ?? now, windowMs))(now)
    return run
  }
  const view = (run: FollowedRun, height: number): readonly string[] => {
    const width = isLive ? Math.max(minWidth, Math.min(maxWidth, (stream.columns || 80) - 1)) : plainWidth
    return describeFollowed(run, { folder, width, height, rate, colours })
  }
  let run = read()
  const screen = isLive && run.state === 'running' ? openScreen(stream) : undefined
  try {
    let printed = -Infinity
    while (!stop.aborted && run.state === 'running') {
      if (screen !== undefined) screen.draw(view(run, Math.max(minHeight, stream.rows || 24)))
      else if (performance.now() - printed >= lineMs) {
        printed = performance.now()
        stream.write(`${progressLine(run.tally, { rate, width: plainWidth, spent: run.spent })}\n`)
      }
      await delay(pollMs, undefined, { signal: stop }).catch(() => undefined)
      if (!stop.aborted) run = read()
    }
  } finally {
    screen?.close()
  }
  const height = isLive ? Math.max(minHeight, (stream.rows || 24) - 3) : plainHeight
  const shown = isLive || run.state !== 'running' ? view(run, height) : []
  const width = Math.max(minWidth, stream.columns || plainWidth)
  stream.write([...shown, ...wrap(describeEnd(folder, run), width, '  ')].map((line) => `${line}\n`).join(''))
}

/** The start of a session, where every row is of that session. */
function startOf(folder: string): Sample | undefined {
  const [lock, rows] = [filesOf(folder).lock, filesOf(folder).outcomes].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  )
  const isFirst = lock !== undefined && rows !== undefined && rows.birthtimeMs >= lock.mtimeMs - 1000
  return isFirst ? { at: lock.mtimeMs, count: 0 } : undefined
}

function describeEnd(folder: string, { state, why, tally }: FollowedRun): string {
  const { planned, already, errors } = tally
  const where = escapeLine(folder)
  const page = join(filesOf(folder).report, 'report.html')
  if (state === 'running') return `${where} is still running; \`shaketable runs ${where} --follow\` shows it again.`
  if (state === 'complete') {
    const next = existsSync(page) ? `Open ${escapeLine(page)}` : `\`shaketable report ${where}\` writes its reports`
    return `${where} is complete: ${counted(planned, 'episode')}. ${next}.`
  }
  const broken = errors > 0 ? `, ${number(errors)} in error` : ''
  const reason = why === undefined ? '' : ` ${escapeLine(why)}`
  return `The writer of ${where} has ended with ${number(already)} of ${counted(planned, 'episode')}${broken}.${reason} The command that began the run continues it.`
}

/** A terminal's second screen, without a cursor. It is left at the end of the process at the latest. */
function openScreen(stream: FollowStream) {
  let drawn = ''
  const enter = (): void => void stream.write('\u001b[?1049h\u001b[?25l')
  const leave = (): void => void stream.write('\u001b[?2026l\u001b[?25h\u001b[?1049l')
  const suspend = (): void => {
    leave()
    process.kill(process.pid, 'SIGSTOP')
  }
  const resume = (): void => {
    enter()
    drawn = ''
  }
  process.on('exit', leave).on('SIGTSTP', suspend).on('SIGCONT', resume)
  enter()
  return {
    /** Draws lines over those that are there, as one change where the terminal knows how (mode 2026). */
    draw(lines: readonly string[]): void {
      const text = `\u001b[H${lines.map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J`
      const size = `${String(stream.columns)}×${String(stream.rows)}`
      if (`${size}${text}` === drawn) return
      drawn = `${size}${text}`
      stream.write(`\u001b[?2026h${text}\u001b[?2026l`)
    },
    close(): void {
      process.off('exit', leave).off('SIGTSTP', suspend).off('SIGCONT', resume)
      leave()
    },
  }
}
