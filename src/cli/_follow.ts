import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FollowedRun } from '../run/follow-run.js'
import { followRun } from '../run/follow-run.js'
import type { Sample } from '../run/progress.js'
import { createMeter, progressLine } from '../run/progress.js'
import { filesOf } from '../run/store/run-folder.js'
import { fitTo } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import { escapeLine, number, oneLine, wrap } from './_lines.js'
import { stopSignal } from './_signals.js'

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
/** Width without a terminal. */
const plainWidth = 100

/** Follows a run until it ends, or Ctrl-C. */
export async function followUntilStopped(folder: string): Promise<void> {
  await follow(folder, process.stdout, { stop: stopSignal() })
}

/**
 * Prints the view of a run, over the one before, until the run or its writer ends, or until `stop`. Without a terminal
 * it prints a line from time to time, and the view at the end.
 * @throws ShaketableError `store` for a folder without a run that can be read
 */
export async function follow(
  folder: string,
  stream: FollowStream,
  { stop, pollMs = 1000, lineMs = 10_000 }: FollowOptions,
): Promise<void> {
  const follower = followRun(folder)
  const isLive = stream.isTTY === true
  let meter: ReturnType<typeof createMeter> | undefined
  const read = () => {
    const run = follower.update()
    const now = { at: Date.now(), count: run.tally.already + run.tally.errors }
    // What was there before was not played at the pace of reading it.
    return { run, rate: (meter ??= createMeter(startOf(folder) ?? now, windowMs))(now) }
  }
  let drawn = 0
  const draw = (run: FollowedRun, rate: number): void => {
    const width = isLive ? Math.max(minWidth, Math.min(maxWidth, (stream.columns || 80) - 1)) : plainWidth
    const lines = describeFollowed(run, folder, width, rate)
    const shown = isLive ? lines.slice(0, Math.max(minHeight, (stream.rows || 24) - 1)) : lines
    const above = drawn > 0 ? `\u001b[${String(drawn)}A` : ''
    stream.write(`${above}${shown.map((line) => `${line}${isLive ? '\u001b[K' : ''}\n`).join('')}`)
    if (isLive) stream.write('\u001b[J')
    drawn = shown.length
  }
  let { run, rate } = read()
  let printed = -Infinity
  while (!stop.aborted && run.state === 'running') {
    if (isLive) draw(run, rate)
    else if (performance.now() - printed >= lineMs) {
      printed = performance.now()
      stream.write(`${progressLine(run.tally, { rate, width: plainWidth, spent: run.spent })}\n`)
    }
    await delay(pollMs, undefined, { signal: stop }).catch(() => undefined)
    if (!stop.aborted) ({ run, rate } = read())
  }
  if (run.state !== 'running') draw(run, rate)
  const width = Math.max(minWidth, stream.columns || plainWidth)
  stream.write(`${wrap(describeEnd(folder, run), width, '  ').join('\n')}\n`)
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

const [maxFailures, maxErrors] = [8, 4]

/** A run in lines: state, progress and success of each model, newest failures, and errors. */
export function describeFollowed(run: FollowedRun, folder: string, width: number, rate: number): string[] {
  const { state, why, leftOut, tally, spent, failures } = run
  const words = [state, folder, ...(why === undefined ? [] : [why])]
  if (leftOut > 0) words.push(`${counted(leftOut, 'line')} left out`)
  const failed = failures
    .slice(0, maxFailures)
    .map(({ key, outcome, model, column, task }) => [key.slice(0, 10), outcome, model, column, task].join('  '))
  const errors = [...tally.messages]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxErrors)
    .map(([message, times]) => `${number(times)} × ${message}`)
  const below = [
    ...(failed.length === 0 ? [] : ['newest failures', ...failed]),
    ...(errors.length === 0 ? [] : ['errors', ...errors]),
  ]
  const [head, ...rest] = [words.join(' · '), ...below].map((line) => fitTo(oneLine(line), width))
  return [head!, progressLine(tally, { rate, width, spent }), ...rest]
}
