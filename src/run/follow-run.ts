import { statSync } from 'node:fs'
import type { EpisodeRow } from '../results/episode-row.js'
import { isValid } from '../core/episode.js'
import type { Plan } from './plan.js'
import { isLocked } from '../files/lock.js'
import { readLines } from '../files/lines.js'
import type { Interval } from '../statistics/intervals.js'
import { taskInterval } from '../statistics/intervals.js'
import { costOf, countsOf } from './budget.js'
import { createRowFinder } from './cells.js'
import type { RunState } from './find-runs.js'
import { stateOf, tallyOf } from './find-runs.js'
import type { Tally } from './progress.js'
import type { Prices } from './budget.js'
import { filesOf, readStoredPrices } from './store/run-folder.js'
import { readPlan } from './store/plan-file.js'
import { noRun } from './store/read-run.js'
import { readRow } from './store/row.js'

/** A run as far as its rows have been read. */
export interface FollowedRun extends RunState {
  readonly plan: Plan
  readonly tally: Tally
  /** In the order of their first valid episode. */
  readonly groups: readonly FollowedGroup[]
  /** Valid episodes without success, the newest first. */
  readonly failures: readonly EpisodeRow[]
  /** Use of model servers by the rows read; the cost only with stored prices. */
  readonly spent: { readonly calls: number; readonly tokens: number; readonly cost?: number }
  /** Lines that cannot be read, and rows of no episode of the plan. */
  readonly leftOut: number
}

/** The valid episodes of one environment, model, agent and condition. */
export interface FollowedGroup extends Pick<EpisodeRow, 'environment' | 'model' | 'agent' | 'column'> {
  readonly success: number
  /** As in reports: of the mean over tasks, see `taskInterval`. */
  readonly interval: Interval | undefined
}

/**
 * Follows a run that another process may be writing; its rows are kept in memory. `update` reads what was added since
 * its last call. A run whose rows were replaced is read anew.
 * @throws ShaketableError `store` from `update` if the folder holds no run that can be read
 */
export function followRun(folder: string) {
  const files = filesOf(folder)
  const begin = () => ({ inode: 0, offset: 0, unreadable: 0, rows: new Map<string, EpisodeRow>() })
  let read = begin()
  return {
    update(): FollowedRun {
      // Asked before the rows are read, so that no row of a writer that has ended is missed.
      const isRunning = isLocked(files.lock)
      const found = readPlan(files.plan)
      if (found === undefined) throw noRun(folder)
      const { plan } = found
      const { ino = 0, size = 0 } = statSync(files.outcomes, { throwIfNoEntry: false }) ?? {}
      if (ino !== read.inode || size < read.offset) read = { ...begin(), inode: ino }
      for (const { text, offset, bytes, ended } of readLines(files.outcomes, { from: read.offset })) {
        if (!ended) break
        const row = readRow(text)
        if (row === undefined) read.unreadable++
        else if (!isValid(read.rows.get(row.key)?.outcome ?? 'model-error')) read.rows.set(row.key, row)
        read.offset = offset + bytes + 1
      }
      const find = createRowFinder(plan)
      const planned = [...read.rows.values()].filter((row) => find(row) !== undefined)
      const tally = tallyOf(plan, planned)
      const state = isRunning ? { state: 'running' as const } : stateOf(files, tally)
      return {
        ...state,
        plan,
        tally,
        groups: groupRows(planned),
        failures: planned.filter(({ outcome }) => isValid(outcome) && outcome !== 'success').reverse(),
        spent: spentOn(planned, readStoredPrices(files.prices)),
        leftOut: read.unreadable + read.rows.size - planned.length,
      }
    },
  }
}

function groupRows(rows: readonly EpisodeRow[]): FollowedGroup[] {
  const groups = new Map<string, { readonly first: EpisodeRow; readonly tasks: Map<string, number[]> }>()
  for (const row of rows) {
    if (!isValid(row.outcome)) continue
    const name = JSON.stringify([row.environment, row.model, row.agent, row.column])
    let group = groups.get(name)
    if (group === undefined) groups.set(name, (group = { first: row, tasks: new Map() }))
    const scores = group.tasks.get(row.task) ?? []
    group.tasks.set(row.task, scores)
    scores.push(row.outcome === 'success' ? 1 : 0)
  }
  return [...groups.values()].map(({ first: { environment, model, agent, column }, tasks }) => ({
    environment,
    model,
    agent,
    column,
    success: meanOf([...tasks.values()].flat()),
    interval: taskInterval([...tasks.values()].map(meanOf)),
  }))
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}

function spentOn(rows: readonly EpisodeRow[], prices: Prices | undefined) {
  let [calls, tokens, cost] = [0, 0, 0]
  for (const { date, model, measures } of rows) {
    // Episodes of control models have no date, and cost nothing.
    if (date === undefined) continue
    const use = countsOf({ measures })
    calls += use.calls
    tokens += use.prompt + use.completion
    cost += costOf(prices?.get(model), use.prompt, use.completion)
  }
  return { calls, tokens, ...(prices && { cost }) }
}
