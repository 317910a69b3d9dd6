import type { EpisodeRow } from '../results/episode-row.js'
import type { Plan, PlannedColumn } from '../run/plan.js'
import { columnsIn, pairsOf } from '../run/plan.js'
import type { Prices } from '../run/budget.js'
import { costOf } from '../run/budget.js'
import type { ExpectedUse } from '../run/expected-use.js'
import { addUse, meansOf, noUse } from '../run/expected-use.js'
import { cellAt, countCells } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { maxCalls } from '../run/grid.js'
import { replyTokens } from '../run/model-choice.js'
import { formatDuration } from '../models/retry-after.js'
import { layOut, number } from './_lines.js'

const noCost = { episodes: 0, max: 0, expected: noUse, maxReplies: 0, money: 0, maxMoney: 0 }

/** Stored episodes that say what others will cost, and the folder that they are in. */
export interface Pilot {
  readonly rows: Iterable<EpisodeRow>
  readonly folder: string
  /** Calls a minute of its sessions, where they were recorded. */
  readonly callsPerMinute?: number
}

/** What an estimate is made from. */
export interface EstimateOptions {
  readonly pilot?: Pilot | undefined
  readonly prices?: Prices | undefined
  /** Indices of the cells to play. Default: all. */
  readonly only?: readonly number[] | undefined
  /** Limits of the experiment. */
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
}

/** What a condition costs, or all of them. */
interface ConditionCost {
  readonly label: string
  readonly episodes: number
  /** Model calls at most, by step limits, and tokens of their replies. */
  readonly max: number
  readonly maxReplies: number
  readonly maxMoney: number
  /** From stored episodes; all 0 without them. */
  readonly expected: ExpectedUse
  readonly money: number
}

/**
 * The cost of a grid: each condition and all of them. `isKnown` says whether there are stored episodes to expect from.
 */
function costsOf(grid: Grid, options: EstimateOptions) {
  const { pilot, prices, only } = options
  const meanOf = pilot && meansOf(pilot.rows)
  const countIn = only === undefined ? countCells : countSelected(grid, only)
  const known = grid.plan.columns.map((column): ConditionCost => ({
    label: column.label,
    ...sumOf(grid, column, meanOf, prices, countIn),
  }))
  const total = known.reduce(
    (sum, one): ConditionCost => ({
      label: 'all',
      episodes: sum.episodes + one.episodes,
      max: sum.max + one.max,
      expected: addUse(sum.expected, one.expected),
      maxReplies: sum.maxReplies + one.maxReplies,
      money: sum.money + one.money,
      maxMoney: sum.maxMoney + one.maxMoney,
    }),
    { label: 'all', ...noCost },
  )
  const none = { environment: '', model: '', agent: '', column: '' }
  const isKnown = grid.plan.models.every(
    ({ name }) => meanOf?.({ ...none, isServed: grid.served.has(name) }) !== undefined,
  )
  return { conditions: known, total, isKnown, time: timeOf(total, isKnown, options) }
}

/** Counts the episodes of a part of a plan, with one environment, column, model and agent, that are selected. */
function countSelected({ plan }: Grid, only: readonly number[]): (part: Plan) => number {
  const counts = new Map<string, number>()
  for (const index of only) {
    const { environment, combination } = cellAt(plan, index)
    const key = JSON.stringify([environment.name, combination])
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const pairs = pairsOf(plan)
  return ({ environments: [environment], columns: [column], models: [model], agents: [agent] }) => {
    const pair = pairs.findIndex((one) => one.model.name === model!.name && one.agent.name === agent!.name)
    return counts.get(JSON.stringify([environment!.name, plan.columns.indexOf(column!) * pairs.length + pair])) ?? 0
  }
}

/** Hours at the rate of calls of the pilot, within the limits of the experiment. */
function timeOf({ max, expected }: ConditionCost, isKnown: boolean, options: EstimateOptions) {
  const { pilot, requestsPerMinute = Infinity, tokensPerMinute = Infinity } = options
  const tokens = isKnown && expected.calls > 0 ? (expected.prompt + expected.completion) / expected.calls : 0
  const callsPerMinute = Math.min(
    pilot?.callsPerMinute ?? Infinity,
    requestsPerMinute,
    tokens > 0 ? tokensPerMinute / tokens : Infinity,
  )
  if (callsPerMinute === Infinity) return undefined
  return { callsPerMinute, hours: (isKnown ? expected.calls : max) / callsPerMinute / 60 }
}

/**
 * The cost of a grid by condition, as `--dry-run` shows it: episodes, model calls at most (by step limits), and calls,
 * tokens and money as expected from the mean stored episode of the same environment, model, agent and condition, or
 * where there is none, of fewer of them (of models behind servers from those alone).
 */
export function describeCost(grid: Grid, options: EstimateOptions): string {
  const { pilot, prices } = options
  const { conditions, total, isKnown, time } = costsOf(grid, options)
  const heads = [
    'condition',
    'episodes',
    'calls at most',
    ...(isKnown ? ['expected', 'tokens'] : ['reply tokens at most']),
    ...(prices ? [isKnown ? 'cost' : 'cost of replies at most'] : []),
  ]
  const rows = [...conditions, total].map(({ label, episodes, max, expected, maxReplies, money, maxMoney }) => [
    label,
    number(episodes),
    number(max),
    ...(isKnown
      ? [number(Math.round(expected.calls)), number(Math.round(expected.prompt + expected.completion))]
      : [number(maxReplies)]),
    ...(prices ? [(isKnown ? money : maxMoney).toFixed(2)] : []),
  ])
  const source = isKnown
    ? `Expected calls and tokens are those of the mean stored episode in ${pilot!.folder}.`
    : 'What to expect is known from stored episodes: play a few (--max episodes=50), then --dry-run again, or name another run with --pilot.'
  const rate =
    time === undefined
      ? ''
      : `\nAt ${describeRate(time.callsPerMinute)} calls a minute it takes ${isKnown ? '' : 'at most '}${formatDuration(time.hours * 3_600_000)}.`
  return `${layOut([heads, ...rows])}\n${source}${rate}`
}

/** The same for programs. */
export function costJson(grid: Grid, options: EstimateOptions) {
  const { pilot, prices } = options
  const { conditions, total, isKnown, time } = costsOf(grid, options)
  const figuresOf = ({ episodes, max, maxReplies, maxMoney, expected, money }: ConditionCost) => ({
    episodes,
    maxCalls: max,
    maxReplyTokens: maxReplies,
    ...(prices && { maxReplyCost: maxMoney }),
    ...(isKnown && {
      expected: {
        calls: expected.calls,
        promptTokens: expected.prompt,
        completionTokens: expected.completion,
        ...(prices && { cost: money }),
      },
    }),
  })
  return {
    ...figuresOf(total),
    ...(time && {
      ...(isKnown ? { hours: time.hours } : { maxHours: time.hours }),
      callsPerMinute: time.callsPerMinute,
    }),
    ...(isKnown && { pilot: pilot!.folder }),
    conditions: conditions.map((one) => ({ condition: one.label, ...figuresOf(one) })),
  }
}

function sumOf(
  { plan, agents, served }: Grid,
  column: PlannedColumn,
  meanOf: ReturnType<typeof meansOf> | undefined,
  prices: Prices | undefined,
  countIn: (part: Plan) => number,
) {
  let [episodes, max, maxReplies, money, maxMoney, expected] = [0, 0, 0, 0, 0, noUse]
  for (const environment of plan.environments) {
    if (columnsIn([column], environment.name).length === 0) continue
    for (const { model, agent } of pairsOf(plan)) {
      const own = { ...plan, environments: [environment], columns: [column], models: [model], agents: [agent] }
      const count = countIn(own)
      const calls = count * maxCalls(agents.get(agent.name)!, plan.stepLimit)
      const replies = calls * replyTokens(model.settings, plan.maxTokens)
      const place = { environment: environment.name, model: model.name, agent: agent.name, column: column.label }
      const mean = meanOf?.({ ...place, isServed: served.has(model.name) }) ?? noUse
      const here = { calls: count * mean.calls, prompt: count * mean.prompt, completion: count * mean.completion }
      const price = prices?.get(model.name)
      episodes += count
      max += calls
      maxReplies += replies
      expected = addUse(expected, here)
      money += costOf(price, here.prompt, here.completion)
      maxMoney += costOf(price, 0, replies)
    }
  }
  return { episodes, max, maxReplies, expected, money, maxMoney }
}

function describeRate(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : number(Math.round(rate))
}
