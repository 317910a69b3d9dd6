import { join } from 'node:path'
import { describeTasks } from '../../reports/index.js'
import { aggregateOf } from '../../reports/tables/define-report.js'
import { formatDuration } from '../models/retry-after.js'
import type { Budget } from '../run/budget.js'
import { countCells } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { costsOf } from '../run/grid-cost.js'
import type { Plan } from '../run/plan.js'
import type { Tally } from '../run/progress.js'
import type { Registry } from '../run/registry.js'
import type { Ended } from '../run/run-experiment.js'
import { type Shard, describeShard } from '../run/shard.js'
import { readRun } from '../run/store/read-run.js'
import { coloursOf } from '../tables/colours.js'
import { count as counted, listFirst } from '../tables/words.js'
import { complain, layOut, number, print, printDocument, say } from './_lines.js'
import { exits } from './_signals.js'
import { describeSummary } from './_summary.js'
import { openPage, pageOf, writeOwnReports } from './report.js'

/** What a session begins with. */
export function describeStart(folder: string, { planned, already }: Tally, episodes: string): string {
  if (already === 0) return `Playing ${number(planned)} ${episodes} into ${folder}.`
  if (already < planned) return `${folder} has ${number(already)} of ${number(planned)} ${episodes}; playing the rest.`
  return `${folder} has all ${number(planned)} ${episodes} already; nothing is played again.`
}

/** How a session went. */
interface Session {
  readonly tally: Ended
  readonly interrupted: boolean
  readonly used: ReturnType<Budget['spent']>
  readonly milliseconds: number
}

/** Writes the reports of what is stored and prints the summary. */
export async function conclude(
  folder: string,
  registry: Registry,
  flags: { readonly json?: true; readonly quiet?: true; readonly open?: true },
  session: Session,
): Promise<void> {
  const { tally, used, milliseconds } = session
  const { calls, attempts, tokens } = used
  if (attempts > 0) {
    const took = `${counted(calls, 'call')} in ${counted(attempts, 'attempt')} and ${counted(tokens.prompt + tokens.completion, 'token')}`
    say(`This session took ${took} in ${formatDuration(milliseconds)}.`)
  }
  const { planned, already, played, errors, stored } = tally
  const kept = already + played
  const end = endOf(folder, session)
  if (end.code !== 0) process.exitCode = end.code
  const isEmpty = kept === 0 && ['interrupted', 'stopped'].includes(end.state)
  const run = isEmpty ? undefined : readRun(folder)
  if (run) writeOwnReports(run, folder, registry.list('report'))
  const page = pageOf(join(folder, 'report'))
  if (flags.json) {
    const whole = run && run.planned !== planned && { whole: { planned: run.planned, stored } }
    const { identity, headlines, notices } = run ? aggregateOf(run) : { identity: [], headlines: [], notices: [] }
    await printDocument({
      ...{ folder, page, state: end.state, exitCode: end.code },
      episodes: { planned, stored: kept, played, errors, ...whole },
      errors: worstErrors(tally).map(([message, count]) => ({ message, count })),
      ...(attempts > 0 && { spent: { ...used, hours: milliseconds / 3_600_000 } }),
      ...{ identity, headlines, notices },
    })
  } else if (run && !flags.quiet) {
    const width = process.stdout.isTTY ? process.stdout.columns || 100 : Infinity
    const { controls = [] } = run
    await print(describeSummary(aggregateOf(run), { width, colours: coloursOf(process.stdout), page, controls }))
  }
  if (run && flags.open) await openPage(page)
  for (const sentence of end.sentences) (end.code === 0 ? say : complain)(sentence)
  if (run && run.planned !== planned && run.stored < run.planned)
    say(`${folder} has ${number(stored)} of its ${number(run.planned)} planned episodes; its reports are partial.`)
}

/** Messages of errors that are printed. */
const maxErrors = 3

/** How a run ended: in a word, in sentences for people, and as an exit code. */
function endOf(folder: string, { tally, interrupted }: Session) {
  const { planned, errors, stopped } = tally
  const kept = tally.already + tally.played
  const share = `${number(kept)} of ${number(planned)} episodes are kept in ${folder}`
  const again = 'run the same command again to go on'
  if (interrupted && kept + errors < planned)
    return { state: 'interrupted', code: exits.interrupted, sentences: [`Stopped. ${share}; ${again}.`] }
  if (stopped !== undefined) {
    const rest = kept === 0 ? '' : ` ${share}, and its reports are marked as partial; ${again}.`
    return { state: 'stopped', code: exits.stopped, sentences: [`${stopped}${rest}`] }
  }
  if (errors === 0) return { state: 'complete', code: 0, sentences: [] }
  const worst = worstErrors(tally)
  const sentences = [
    `${counted(errors, 'episode')} ended in an error and do not count; run the same command again to play them again.`,
    ...worst.slice(0, maxErrors).map(([message, times]) => `  ${number(times)} × ${message}`),
    ...(worst.length > maxErrors
      ? [
          `  … and ${number(worst.length - maxErrors)} other messages; see \`shaketable show ${folder} --outcome error\``,
        ]
      : []),
  ]
  return { state: 'errors', code: exits.wrong, sentences }
}

function worstErrors({ messages }: Ended): (readonly [message: string, count: number])[] {
  return [...messages].sort(([, a], [, b]) => b - a)
}

/** The values of each axis of a plan. */
export function axesOf({ environments, conditions, models, agents, temperatures, seeds }: Plan) {
  const namesOf = (named: readonly { readonly name: string }[]): readonly string[] => named.map(({ name }) => name)
  return {
    environments: namesOf(environments),
    conditions: conditions.map(({ label }) => label),
    ...{ models: namesOf(models), agents: namesOf(agents), temperatures, seeds },
  }
}

/**
 * A grid as `--dry-run` shows it: its axes, its size, and what its conditions cost.
 * @param only indices of the cells to play. Default: all
 */
export function describeGrid(
  grid: Grid,
  folder: string,
  shard: Shard | undefined,
  only: readonly number[] | undefined,
): string {
  const { plan } = grid
  const { byCondition, total } = costsOf(grid, only)
  const rows = [...byCondition, ['all', total] as const].map(([label, cost]) => [
    label,
    ...[cost.episodes, cost.calls, cost.replies].map(number),
  ])
  const axes = [
    ['tasks', describeTasks(plan)],
    ...Object.entries(axesOf(plan)).map(([axis, values]) => [
      axis,
      `${number(values.length)}: ${listFirst(values.map(String), 12)}`,
    ]),
    ['limits', `${number(plan.stepLimit)} steps an episode, ${number(plan.maxTokens)} tokens a reply`],
    ['episodes', number(countCells(plan))],
    ...(shard && only ? [['shard', `${describeShard(shard)}: ${number(only.length)} episodes`]] : []),
    ['goes to', folder],
  ]
  const heads = ['condition', 'episodes', 'calls at most', 'reply tokens at most']
  return `${layOut(axes)}\n\n${layOut([heads, ...rows])}\nTo know what an episode takes, play a few (--max episodes=50).`
}
