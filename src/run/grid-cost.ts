import type { Prices } from './budget.js'
import { costOf } from './budget.js'
import type { Cell } from './cells.js'
import { cellAt, cells } from './cells.js'
import { meansOf, noUse } from './expected-use.js'
import type { Grid } from './grid.js'
import { maxCalls } from './grid.js'
import { replyTokens } from './model-choice.js'
import type { ReadRun } from './store/read-run.js'

/** What the cost of a grid depends on besides the grid. */
export interface CostOptions {
  /** A run whose stored episodes say what others will cost. */
  readonly pilot?: Pick<ReadRun, 'rows' | 'folder' | 'spent'> | undefined
  readonly prices?: Prices | undefined
  /** Indices of the cells to play. Default: all. */
  readonly only?: readonly number[] | undefined
  /** The limit of the experiment. */
  readonly requestsPerMinute?: number | undefined
}

const noCost = {
  episodes: 0,
  /** Model calls at most, by step limits, and tokens and money of their replies. */
  calls: 0,
  replies: 0,
  replyMoney: 0,
  /** Calls, tokens and money as expected from stored episodes; all 0 without them. */
  expectedCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
  money: 0,
}

/** What a condition costs, or all of them. */
export type Cost = Readonly<typeof noCost>

function addCost(one: Cost, other: Cost): Cost {
  const fields = Object.keys(noCost) as (keyof Cost)[]
  return Object.fromEntries(fields.map((field) => [field, one[field] + other[field]])) as Cost
}

/**
 * The cost of a grid: each condition and all of them, at most by step limits, and as expected from the mean stored
 * episode of the same environment, model, agent and condition, or where there is none, of fewer of them (of models
 * behind servers from those alone).
 */
export function costsOf(grid: Grid, options: CostOptions) {
  const { plan, agents, served } = grid
  const { pilot, prices, only, requestsPerMinute = Infinity } = options
  const meanOf = pilot && meansOf(pilot.rows)
  const groups = new Map<string, { readonly cell: Cell; episodes: number }>()
  for (const cell of only?.map((index) => cellAt(plan, index)) ?? cells(plan)) {
    const { environment, column, model, agent } = cell
    const key = JSON.stringify([environment.name, column.label, model.name, agent.name])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { cell, episodes: 1 })
    else group.episodes++
  }
  const byCondition = new Map(plan.columns.map(({ label }): [string, Cost] => [label, noCost]))
  for (const { cell, episodes } of groups.values()) {
    const { environment, column, model, agent } = cell
    const calls = episodes * maxCalls(agents.get(agent.name)!, plan.stepLimit)
    const replies = calls * replyTokens(model.settings, plan.maxTokens)
    const place = { environment: environment.name, model: model.name, agent: agent.name, column: column.label }
    const mean = meanOf?.({ ...place, isServed: served.has(model.name) }) ?? noUse
    const price = prices?.get(model.name)
    const [promptTokens, completionTokens] = [episodes * mean.prompt, episodes * mean.completion]
    const here: Cost = {
      ...{ episodes, calls, replies, replyMoney: costOf(price, 0, replies) },
      ...{ expectedCalls: episodes * mean.calls, promptTokens, completionTokens },
      money: costOf(price, promptTokens, completionTokens),
    }
    byCondition.set(column.label, addCost(byCondition.get(column.label)!, here))
  }
  const total = [...byCondition.values()].reduce(addCost)
  const none = { environment: '', model: '', agent: '', column: '' }
  const isKnown = plan.models.every(({ name }) => meanOf?.({ ...none, isServed: served.has(name) }) !== undefined)
  // At the rate of calls of the pilot's sessions, within the limit of the experiment.
  const { calls = 0, hours = 0 } = pilot?.spent ?? {}
  const callsPerMinute = Math.min(calls > 0 && hours > 0 ? calls / hours / 60 : Infinity, requestsPerMinute)
  const played = isKnown ? total.expectedCalls : total.calls
  const time = callsPerMinute === Infinity ? undefined : { callsPerMinute, hours: played / callsPerMinute / 60 }
  return { byCondition, total, isKnown, time }
}
