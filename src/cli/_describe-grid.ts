import { describeTasks } from '../../reports/index.js'
import { formatDuration } from '../models/retry-after.js'
import type { Prices } from '../run/budget.js'
import { costOf } from '../run/budget.js'
import type { Cell } from '../run/cells.js'
import { cellAt, cells } from '../run/cells.js'
import type { ExpectedUse } from '../run/expected-use.js'
import { addUse, meansOf, noUse } from '../run/expected-use.js'
import type { Grid } from '../run/grid.js'
import { maxCalls } from '../run/grid.js'
import { replyTokens } from '../run/model-choice.js'
import type { Plan } from '../run/plan.js'
import type { Shard } from '../run/shard.js'
import { describeShard } from '../run/shard.js'
import type { ReadRun } from '../run/store/read-run.js'
import { layOut, number } from './_lines.js'

/** What an estimate is made from, and what is played. */
interface GridOptions {
  /** A run whose stored episodes say what others will cost. */
  readonly pilot?: Pick<ReadRun, 'rows' | 'folder' | 'spent'> | undefined
  readonly prices?: Prices | undefined
  readonly shard?: Shard | undefined
  /** Indices of the cells to play. Default: all. */
  readonly only?: readonly number[] | undefined
  /** Limits of the experiment. */
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
}

/** What a condition costs, or all of them. */
interface Cost {
  readonly episodes: number
  /** Model calls at most, by step limits, and tokens and money of their replies. */
  readonly calls: number
  readonly replies: number
  readonly replyMoney: number
  /** From stored episodes; all 0 without them. */
  readonly expected: ExpectedUse
  readonly money: number
}

const noCost: Cost = { episodes: 0, calls: 0, replies: 0, replyMoney: 0, expected: noUse, money: 0 }

function addCost(one: Cost, other: Cost): Cost {
  return {
    episodes: one.episodes + other.episodes,
    calls: one.calls + other.calls,
    replies: one.replies + other.replies,
    replyMoney: one.replyMoney + other.replyMoney,
    expected: addUse(one.expected, other.expected),
    money: one.money + other.money,
  }
}

/**
 * The cost of a grid: each condition and all of them, at most by step limits, and as expected from the mean stored
 * episode of the same environment, model, agent and condition, or where there is none, of fewer of them (of models
 * behind servers from those alone).
 */
function costsOf(grid: Grid, options: GridOptions) {
  const { plan, agents, served } = grid
  const { pilot, prices, only, requestsPerMinute = Infinity, tokensPerMinute = Infinity } = options
  const meanOf = pilot && meansOf(pilot.rows)
  const groups = new Map<string, { readonly cell: Cell; count: number }>()
  for (const cell of only?.map((index) => cellAt(plan, index)) ?? cells(plan)) {
    const { environment, column, model, agent } = cell
    const key = JSON.stringify([environment.name, column.label, model.name, agent.name])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { cell, count: 1 })
    else group.count++
  }
  const byCondition = new Map(plan.columns.map(({ label }) => [label, noCost]))
  for (const { cell, count } of groups.values()) {
    const { environment, column, model, agent } = cell
    const calls = count * maxCalls(agents.get(agent.name)!, plan.stepLimit)
    const replies = calls * replyTokens(model.settings, plan.maxTokens)
    const place = { environment: environment.name, model: model.name, agent: agent.name, column: column.label }
    const mean = meanOf?.({ ...place, isServed: served.has(model.name) }) ?? noUse
    const expected = { calls: count * mean.calls, prompt: count * mean.prompt, completion: count * mean.completion }
    const price = prices?.get(model.name)
    const here = {
      episodes: count,
      calls,
      replies,
      replyMoney: costOf(price, 0, replies),
      expected,
      money: costOf(price, expected.prompt, expected.completion),
    }
    byCondition.set(column.label, addCost(byCondition.get(column.label)!, here))
  }
  const total = [...byCondition.values()].reduce(addCost)
  const none = { environment: '', model: '', agent: '', column: '' }
  const isKnown = plan.models.every(({ name }) => meanOf?.({ ...none, isServed: served.has(name) }) !== undefined)
  // At the rate of calls of the pilot's sessions, within the limits of the experiment.
  const { calls = 0, hours = 0 } = pilot?.spent ?? {}
  const tokens = isKnown ? (total.expected.prompt + total.expected.completion) / total.expected.calls : 0
  const callsPerMinute = Math.min(
    calls > 0 && hours > 0 ? calls / hours / 60 : Infinity,
    requestsPerMinute,
    tokens > 0 ? tokensPerMinute / tokens : Infinity,
  )
  const played = isKnown ? total.expected.calls : total.calls
  const time = callsPerMinute === Infinity ? undefined : { callsPerMinute, hours: played / callsPerMinute / 60 }
  return { byCondition, total, isKnown, time }
}

/** A grid as `--dry-run` shows it: its axes, its size, and what its conditions cost. */
export function describeGrid(grid: Grid, folder: string, options: GridOptions = {}): string {
  const { plan, live, agents } = grid
  const { shard, only, pilot, prices } = options
  const whole = costsOf(grid, { ...options, only: undefined }).total
  const { byCondition, total, isKnown, time } = costsOf(grid, options)
  const isTrial = [...agents.values()].some(({ trials }) => trials !== undefined)
  const axes: (readonly [string, string])[] = [
    ...plan.environments.map(
      (one) => ['environment', `${describeTasks({ ...plan, environments: [one] })}, version ${one.version}`] as const,
    ),
    ['perturbations', listed(plan.columns.map(({ label }) => label))],
    ['models', listed(plan.models.map(describeModel))],
    ['agents', listed(plan.agents.map(({ name }) => name))],
    ['temperatures', listed(plan.temperatures.map(String))],
    ['seeds', listed(plan.seeds.map(String))],
    ...describeSeedsAtZero(plan),
    ...describePairing(plan),
    [
      'limits',
      `${number(plan.stepLimit)} steps an episode${isTrial ? ' or trial' : ''}, ${number(plan.maxTokens)} tokens a reply`,
    ],
    ['episodes', number(whole.episodes)],
    ...(shard && only ? [['shard', `${describeShard(shard)}: ${number(only.length)} episodes`] as const] : []),
    [
      'model calls',
      `at most ${number(whole.calls)}${live ? ', and more if replies are thoughts without an action' : ''}`,
    ],
    ['goes to', folder],
  ]
  const heads = [
    ...['condition', 'episodes', 'calls at most'],
    ...(isKnown ? ['expected', 'tokens'] : ['reply tokens at most']),
    ...(prices ? [isKnown ? 'cost' : 'cost of replies at most'] : []),
  ]
  const rows = [...byCondition, ['all', total] as const].map(
    ([label, { episodes, calls, replies, replyMoney, expected, money }]) => [
      ...[label, number(episodes), number(calls)],
      ...(isKnown
        ? [number(Math.round(expected.calls)), number(Math.round(expected.prompt + expected.completion))]
        : [number(replies)]),
      ...(prices ? [(isKnown ? money : replyMoney).toFixed(2)] : []),
    ],
  )
  const source = isKnown
    ? `Expected calls and tokens are those of the mean stored episode in ${pilot!.folder}.`
    : 'What to expect is known from stored episodes: play a few (--max episodes=50), then --dry-run again, or name another run with --pilot.'
  const rate =
    time && time.callsPerMinute < 10 ? time.callsPerMinute.toFixed(1) : number(Math.round(time?.callsPerMinute ?? 0))
  const takes = time
    ? `\nAt ${rate} calls a minute it takes ${isKnown ? '' : 'at most '}${formatDuration(time.hours * 3_600_000)}.`
    : ''
  return `${layOut(axes)}\n\n${layOut([heads, ...rows])}\n${source}${takes}`
}

/** The same for programs: what `run --dry-run --json` prints. */
export function gridJson(grid: Grid, folder: string, options: GridOptions = {}) {
  const { environments, columns, models, agents, temperatures, seeds, stepLimit, maxTokens } = grid.plan
  const { pilot, prices, shard } = options
  const { byCondition, total, isKnown, time } = costsOf(grid, options)
  const namesOf = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name)
  const figuresOf = ({ episodes, calls, replies, replyMoney, expected, money }: Cost) => ({
    episodes,
    maxCalls: calls,
    maxReplyTokens: replies,
    ...(prices && { maxReplyCost: replyMoney }),
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
    folder,
    environments: environments.map(({ name, version, tasks }) => ({ name, version, tasks: tasks.length })),
    perturbations: columns.map(({ label }) => label),
    models: namesOf(models),
    agents: namesOf(agents),
    temperatures,
    seeds,
    stepLimit,
    maxTokens,
    ...(shard && { shard }),
    ...figuresOf(total),
    ...(time && { [isKnown ? 'hours' : 'maxHours']: time.hours, callsPerMinute: time.callsPerMinute }),
    ...(isKnown && { pilot: pilot!.folder }),
    conditions: [...byCondition].map(([condition, cost]) => ({ condition, ...figuresOf(cost) })),
  }
}

/** Models with fewer seeds at temperature 0. */
function describeSeedsAtZero({ models, temperatures }: Plan): (readonly [string, string])[] {
  if (!temperatures.includes(0)) return []
  const counts = new Set(models.map(({ seedsAtZero }) => seedsAtZero).filter((count) => count !== undefined))
  return [...counts].map((count) => {
    const names = models.filter(({ seedsAtZero }) => seedsAtZero === count).map(({ name }) => name)
    const first = count === 1 ? 'the first seed alone' : `the first ${number(count)} seeds`
    return ['at temperature 0', `${first} with ${names.join(', ')}; --set seedsAtZero=N plays more`]
  })
}

/** Whether episodes on a server are sent the seeds of their clean twins. */
function describePairing({ models }: Plan): (readonly [string, string])[] {
  const pairings = new Set(models.map(({ settings }) => settings['pairing']).filter((one) => typeof one === 'string'))
  return [...pairings].map((pairing) => ['pairing', pairing])
}

function describeModel({ name, withoutInDomain, heldIn, variantOf, checkpoint, agents }: Plan['models'][number]) {
  const roles = [
    agents && `with ${agents.join(', ')}`,
    withoutInDomain !== undefined && `without in-domain data: ${withoutInDomain}`,
    heldIn && `held in: ${heldIn.join(', ')}`,
    variantOf !== undefined && `variant of ${variantOf}`,
    checkpoint && `step ${number(checkpoint.step)} of ${checkpoint.series}`,
  ].filter((role) => typeof role === 'string')
  return roles.length === 0 ? name : `${name} (${roles.join('; ')})`
}

function listed(values: readonly string[]): string {
  const shown = values.length > 12 ? [...values.slice(0, 10), `… ${values.at(-1)!}`] : values
  return `${number(values.length)}: ${shown.join(', ')}`
}
