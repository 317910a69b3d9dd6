import { join } from 'node:path'
import { aggregateOf } from '../../reports/tables/define-report.js'
import type { Tally } from '../run/progress.js'
import type { RunOptions } from '../run/run-experiment.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { coloursOf } from '../tables/colours.js'
import { count as counted } from '../tables/words.js'
import { complain, number, print, printJson, say } from './_lines.js'
import { openPage } from './_open-page.js'
import type { Output, Played } from './_run-session.js'
import { describeSummary, summaryJson } from './_summary.js'
import { pageOf, writeOwnReports } from './report.js'

/** A server does not answer, or a budget is used up. */
export const exitStopped = 4
const exitInterrupted = 130

/** A run that is stopped ends soon: reports of a larger plan take longer than a scheduler waits before it kills. */
const maxReportedAtStop = 20_000

/** How a session ended. */
interface Session extends Played {
  /** Whether it was to play a part of the plan. */
  readonly isPart: boolean
  /** Planned episodes of the whole run. */
  readonly whole: number
  /** What stays planned because its servers are missing. */
  readonly left?: string
}

/** Writes the reports of what is stored and prints the summary. */
export async function conclude(
  { folder }: Pick<RunOptions, 'folder'>,
  { reports, quiet, json, open }: Output,
  session: Session,
): Promise<void> {
  const { tally, interrupted, spent, use } = session
  const kept = tally.already + tally.played
  const isLong = interrupted && session.whole > maxReportedAtStop
  const isCut = (interrupted && kept + tally.errors < tally.planned) || tally.stopped !== undefined
  const run = (isCut && kept === 0) || isLong ? undefined : readRun(folder)
  if (run) writeOwnReports(run, folder, reports)
  const end = endOf(folder, session, run)
  if (end.code !== 0) process.exitCode = end.code
  const controls = run?.controls ?? []
  const page = pageOf(join(folder, 'report'))
  if (json) {
    const counts = { planned: tally.planned, stored: kept, played: tally.played, errors: tally.errors }
    const whole = run && run.planned !== tally.planned && { whole: { planned: run.planned, stored: tally.stored } }
    const document = {
      folder,
      ...(run && { page }),
      state: end.state,
      exitCode: end.code,
      episodes: { ...counts, ...whole },
      errors: worstErrors(tally).map(([message, count]) => ({ message, count })),
      ...(use && { spent: use }),
      ...(run ? summaryJson(aggregateOf(run), controls) : { identity: [], headlines: [], notices: [], results: [] }),
    }
    await printJson(JSON.stringify(document, undefined, 2))
  } else if (run && !quiet) {
    const width = process.stdout.isTTY ? process.stdout.columns || 100 : Infinity
    const following = [...spent, ...end.sentences].reduce(
      (sum, text) => sum + Math.max(1, Math.ceil(text.length / width)),
      0,
    )
    const colours = coloursOf(process.stdout)
    await print(describeSummary(aggregateOf(run), { width, colours, page, controls, following }))
  }
  if (run && open) await openPage(page)
  for (const sentence of end.sentences) (end.code === 0 ? say : complain)(sentence)
  if (run && run.planned !== tally.planned)
    say(`${folder} has ${number(tally.stored)} of its ${number(run.planned)} planned episodes.`)
}

/** How a run ended: in a word, in sentences for people, and as an exit code. */
interface RunEnd {
  readonly state: 'complete' | 'incomplete' | 'errors' | 'interrupted' | 'stopped'
  readonly code: number
  readonly sentences: readonly string[]
}

function endOf(folder: string, { tally, interrupted, isPart, whole, left }: Session, run?: ReadRun): RunEnd {
  const kept = tally.already + tally.played
  const share = `${number(kept)} of ${number(tally.planned)} episodes are kept in ${folder}`
  const again = 'run the same command again to go on'
  const isLong = whole > maxReportedAtStop
  const unwritten = isLong && kept > 0 ? ` \`shaketable report ${folder}\` writes its reports.` : ''
  if (interrupted && (isLong || kept + tally.errors < tally.planned))
    return { state: 'interrupted', code: exitInterrupted, sentences: [`Stopped. ${share}; ${again}.${unwritten}`] }
  if (tally.stopped !== undefined) {
    const rest = kept === 0 ? '' : ` ${share}, and its reports are marked as partial; ${again}.`
    return { state: 'stopped', code: exitStopped, sentences: [`${tally.stopped}${rest}`] }
  }
  if (tally.errors > 0) {
    const { refused } = tally
    const again = tally.errors - refused
    const worst = worstErrors(tally)
    const others = worst.length - maxErrors
    return {
      state: 'errors',
      code: 1,
      sentences: [
        ...(again > 0
          ? [
              `${counted(again, 'episode')} ended in an error and ${again === 1 ? 'is' : 'are'} not counted; run the same command again to play ${again === 1 ? 'it' : 'them'} again.`,
            ]
          : []),
        ...(refused > 0
          ? [
              `The server refused the conversation of ${counted(refused, 'episode')}, as a content filter does; the same command does not play ${refused === 1 ? 'it' : 'them'} again, unless with --retry-refused.`,
            ]
          : []),
        ...worst.slice(0, maxErrors).map(([message, times]) => `  ${number(times)} × ${message}`),
        ...(others > 0
          ? [`  … and ${number(others)} other messages; see \`shaketable show ${folder} --outcome error\``]
          : []),
      ],
    }
  }
  if (left !== undefined) return { state: 'stopped', code: exitStopped, sentences: [left] }
  if (isPart && kept === tally.planned) {
    const share = `The ${counted(kept, 'episode')} of this part are all in ${folder}`
    return {
      state: 'complete',
      code: 0,
      sentences: run && run.stored < run.planned ? [`${share}; its reports are partial until the rest is there.`] : [],
    }
  }
  if (run === undefined || run.stored >= tally.stored) return { state: 'complete', code: 0, sentences: [] }
  const sentence = `Only ${number(run.stored)} of ${number(tally.stored)} stored episodes are in the reports; the lines of the others in ${folder} are unusable. Give --out another folder to play them all.`
  return { state: 'incomplete', code: 1, sentences: [sentence] }
}

/** Messages of errors that are printed. */
const maxErrors = 3

function worstErrors({ messages }: Tally): (readonly [message: string, count: number])[] {
  return [...messages].sort(([, a], [, b]) => b - a)
}
