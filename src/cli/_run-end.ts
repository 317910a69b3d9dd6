import { join } from 'node:path'
import { aggregateOf } from '../../reports/tables/define-report.js'
import type { Tally } from '../run/progress.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { coloursOf } from '../tables/colours.js'
import { count as counted } from '../tables/words.js'
import { complain, number, print, printDocument, say } from './_lines.js'
import { openPage } from './_open-page.js'
import type { Output, Played } from './_run-session.js'
import { exits } from './_signals.js'
import { describeSummary, summaryJson } from './_summary.js'
import { pageOf, writeOwnReports } from './report.js'

/** A run that is stopped ends soon: reports of a larger plan take longer than a scheduler waits before it kills. */
const maxReportedAtStop = 20_000
/** Messages of errors that are printed. */
const maxErrors = 3

/** How a session ended. */
interface Session extends Played {
  /** Whether it was to play a part of the plan. */
  readonly isPart: boolean
  /** Planned episodes of the whole run. */
  readonly whole: number
}

/** Writes the reports of what is stored and prints the summary. */
export async function conclude(
  folder: string,
  { reports, quiet, json, open }: Output,
  session: Session,
): Promise<void> {
  const { tally, interrupted, use } = session
  const { planned, already, played, errors, stored } = tally
  const kept = already + played
  const isLong = interrupted && session.whole > maxReportedAtStop
  const isCut = (interrupted && kept + errors < planned) || tally.stopped !== undefined
  const run = (isCut && kept === 0) || isLong ? undefined : readRun(folder)
  if (run) writeOwnReports(run, folder, reports)
  const end = endOf(folder, session, run)
  if (end.code !== 0) process.exitCode = end.code
  const controls = run?.controls ?? []
  const page = pageOf(join(folder, 'report'))
  const isWhole = run === undefined || run.planned === planned
  if (json) {
    await printDocument({
      folder,
      ...(run && { page }),
      state: end.state,
      exitCode: end.code,
      episodes: { planned, stored: kept, played, errors, ...(!isWhole && { whole: { planned: run.planned, stored } }) },
      errors: worstErrors(tally).map(([message, count]) => ({ message, count })),
      ...(use && { spent: use }),
      ...(run ? summaryJson(aggregateOf(run), controls) : { identity: [], headlines: [], notices: [], results: [] }),
    })
  } else if (run && !quiet) {
    const width = process.stdout.isTTY ? process.stdout.columns || 100 : Infinity
    await print(describeSummary(aggregateOf(run), { width, colours: coloursOf(process.stdout), page, controls }))
  }
  if (run && open) await openPage(page)
  for (const sentence of end.sentences) (end.code === 0 ? say : complain)(sentence)
  if (!isWhole) say(`${folder} has ${number(stored)} of its ${number(run.planned)} planned episodes.`)
}

/** How a run ended: in a word, in sentences for people, and as an exit code. */
interface RunEnd {
  readonly state: 'complete' | 'incomplete' | 'errors' | 'interrupted' | 'stopped'
  readonly code: number
  readonly sentences: readonly string[]
}

function endOf(folder: string, { tally, interrupted, isPart, whole }: Session, run?: ReadRun): RunEnd {
  const { planned, errors, stopped, stored } = tally
  const kept = tally.already + tally.played
  const share = `${number(kept)} of ${number(planned)} episodes are kept in ${folder}`
  const again = 'run the same command again to go on'
  const isLong = whole > maxReportedAtStop
  if (interrupted && (isLong || kept + errors < planned)) {
    const unwritten = isLong && kept > 0 ? ` \`shaketable report ${folder}\` writes its reports.` : ''
    return { state: 'interrupted', code: exits.interrupted, sentences: [`Stopped. ${share}; ${again}.${unwritten}`] }
  }
  if (stopped !== undefined) {
    const rest = kept === 0 ? '' : ` ${share}, and its reports are marked as partial; ${again}.`
    return { state: 'stopped', code: exits.stopped, sentences: [`${stopped}${rest}`] }
  }
  if (errors > 0) return { state: 'errors', code: exits.wrong, sentences: describeErrors(folder, tally) }
  if (isPart && kept === planned) {
    const part = `The ${counted(kept, 'episode')} of this part are all in ${folder}; its reports are partial until the rest is there.`
    return { state: 'complete', code: 0, sentences: run && run.stored < run.planned ? [part] : [] }
  }
  if (run === undefined || run.stored >= stored) return { state: 'complete', code: 0, sentences: [] }
  const sentence = `Only ${number(run.stored)} of ${number(stored)} stored episodes are in the reports; the lines of the others in ${folder} are unusable. Give --out another folder to play them all.`
  return { state: 'incomplete', code: exits.wrong, sentences: [sentence] }
}

function describeErrors(folder: string, tally: Tally): string[] {
  const { errors, refused } = tally
  const worst = worstErrors(tally)
  const [again, others] = [errors - refused, worst.length - maxErrors]
  const lines = [
    again > 0 &&
      `${counted(again, 'episode')} ended in an error and ${again === 1 ? 'is' : 'are'} not counted; run the same command again to play ${again === 1 ? 'it' : 'them'} again.`,
    refused > 0 &&
      `The server refused the conversation of ${counted(refused, 'episode')}, as a content filter does; the same command does not play ${refused === 1 ? 'it' : 'them'} again, unless with --retry-refused.`,
    ...worst.slice(0, maxErrors).map(([message, times]) => `  ${number(times)} × ${message}`),
    others > 0 && `  … and ${number(others)} other messages; see \`shaketable show ${folder} --outcome error\``,
  ]
  return lines.filter((line) => line !== false)
}

function worstErrors({ messages }: Tally): (readonly [message: string, count: number])[] {
  return [...messages].sort(([, a], [, b]) => b - a)
}
