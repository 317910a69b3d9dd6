import type { Agent } from '../core/agent.js'
import { isValid } from '../core/episode.js'
import type { EpisodeRow } from '../core/episode.js'
import type { PlannedColumn } from '../core/report.js'
import { columnsIn, pairsOf } from '../core/report.js'
import type { Prices } from '../run/budget.js'
import { costOf } from '../run/budget.js'
import { countCells } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { replyTokens } from '../run/model-choice.js'
import { layOut, number } from './_lines.js'

/** Calls and tokens: of an episode, or of several. */
interface Cost {
  readonly calls: number
  readonly prompt: number
  readonly completion: number
}

const none: Cost = { calls: 0, prompt: 0, completion: 0 }
const noCost = { episodes: 0, max: 0, expected: none, maxReplies: 0, money: 0, maxMoney: 0 }
/** The fields of a row and of a planned episode that decide what it costs, the most important first. */
type Place = Pick<EpisodeRow, 'environment' | 'model' | 'agent' | 'column'>

/** Stored episodes that say what others will cost, and the folder that they are in. */
export interface Pilot {
  readonly rows: Iterable<EpisodeRow>
  readonly folder: string
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
  readonly expected: Cost
  readonly money: number
}

/**
 * The cost of a grid: each condition and all of them. `isKnown` says whether there are stored episodes to expect from.
 */
function costsOf(grid: Grid, pilot: Pilot | undefined, prices: Prices | undefined) {
  const meanOf = pilot && meansOf(pilot.rows)
  const known = grid.plan.columns.map((column): ConditionCost => ({
    label: column.label,
    ...sumOf(grid, column, meanOf, prices),
  }))
  const total = known.reduce(
    (sum, one): ConditionCost => ({
      label: 'all',
      episodes: sum.episodes + one.episodes,
      max: sum.max + one.max,
      expected: add(sum.expected, one.expected),
      maxReplies: sum.maxReplies + one.maxReplies,
      money: sum.money + one.money,
      maxMoney: sum.maxMoney + one.maxMoney,
    }),
    { label: 'all', ...noCost },
  )
  return { conditions: known, total, isKnown: meanOf?.() !== undefined }
}

/**
 * The cost of a grid by condition, as `--dry-run` shows it: episodes, model calls at most (by step limits), and calls,
 * tokens and money as expected from the mean stored episode of the same environment, model, agent and condition, or
 * where there is none, of fewer of them.
 */
export function describeCost(grid: Grid, pilot: Pilot | undefined, prices: Prices | undefined): string {
  const { conditions, total, isKnown } = costsOf(grid, pilot, prices)
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
    : 'What to expect is known from stored episodes: play a few (--max-episodes 50), then --dry-run again, or name another run with --pilot.'
  return `${layOut([heads, ...rows])}\n${source}`
}

/** The same for programs. */
export function costJson(grid: Grid, pilot: Pilot | undefined, prices: Prices | undefined) {
  const { conditions, total, isKnown } = costsOf(grid, pilot, prices)
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
    ...(isKnown && { pilot: pilot!.folder }),
    conditions: conditions.map((one) => ({ condition: one.label, ...figuresOf(one) })),
  }
}

/** The maximum number of calls of an episode: one a step and one for each reflection. */
export function maxCalls({ trials }: Agent, stepLimit: number): number {
  if (trials === undefined) return stepLimit
  return trials.most * stepLimit + (trials.reflection === undefined ? 0 : trials.most - 1)
}

function sumOf(
  { plan, agents }: Grid,
  column: PlannedColumn,
  meanOf: ReturnType<typeof meansOf> | undefined,
  prices: Prices | undefined,
) {
  let [episodes, max, maxReplies, money, maxMoney, expected] = [0, 0, 0, 0, 0, none]
  for (const environment of plan.environments) {
    if (columnsIn([column], environment.name).length === 0) continue
    for (const { model, agent } of pairsOf(plan)) {
      const own = { ...plan, environments: [environment], columns: [column], models: [model], agents: [agent] }
      const count = countCells(own)
      const calls = count * maxCalls(agents.get(agent.name)!, plan.stepLimit)
      const replies = calls * replyTokens(model.settings, plan.maxTokens)
      const mean =
        meanOf?.({ environment: environment.name, model: model.name, agent: agent.name, column: column.label }) ?? none
      const here = { calls: count * mean.calls, prompt: count * mean.prompt, completion: count * mean.completion }
      const price = prices?.get(model.name)
      episodes += count
      max += calls
      maxReplies += replies
      expected = add(expected, here)
      money += costOf(price, here.prompt, here.completion)
      maxMoney += costOf(price, 0, replies)
    }
  }
  return { episodes, max, maxReplies, expected, money, maxMoney }
}

function add(one: Cost, other: Cost): Cost {
  return {
    calls: one.calls + other.calls,
    prompt: one.prompt + other.prompt,
    completion: one.completion + other.completion,
  }
}

/**
 * The mean cost of stored episodes at a place, or at the nearest place that has some; of all of them without a place.
 */
function meansOf(rows: Iterable<EpisodeRow>): (place?: Place) => Cost | undefined {
  const sums = new Map<string, { sum: Cost; count: number }>()
  for (const row of rows) {
    if (!isValid(row.outcome)) continue
    const { modelCalls, promptTokens, completionTokens, wordings } = row.measures
    const calls = modelCalls + (wordings?.calls ?? 0)
    const prompt = promptTokens + (wordings?.promptTokens ?? 0)
    const completion = completionTokens + (wordings?.completionTokens ?? 0)
    for (const key of keysOf(row)) {
      const { sum, count } = sums.get(key) ?? { sum: none, count: 0 }
      sums.set(key, { sum: add(sum, { calls, prompt, completion }), count: count + 1 })
    }
  }
  return (place) => {
    const found = (place ? keysOf(place) : ['[]']).map((key) => sums.get(key)).find((one) => one !== undefined)
    if (found === undefined) return undefined
    const { sum, count } = found
    return { calls: sum.calls / count, prompt: sum.prompt / count, completion: sum.completion / count }
  }
}

/** Keys of a place, the narrowest first. */
function keysOf({ environment, model, agent, column }: Place): string[] {
  return [
    [environment, model, agent, column],
    [environment, model, agent],
    [environment, model],
    [environment],
    [],
  ].map((names) => JSON.stringify(names))
}
