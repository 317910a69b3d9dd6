import { randomUUID } from 'node:crypto'
import type { EpisodeRow } from '../results/episode-row.js'
import { GivenUp, ShaketableError, nearMiss } from '../core/errors.js'
import { estimateTokens } from '../models/fit.js'
import type { Meter } from '../models/limit.js'
import * as z from 'zod'
import { readJson } from '../files/read-json.js'

/** Limits of one session of a run. Absent means no limit. */
export interface BudgetLimits {
  readonly episodes?: number
  /** Attempts at calls to models behind servers. */
  readonly calls?: number
  /** Tokens of prompts and replies of models behind servers. */
  readonly tokens?: number
  readonly minutes?: number
  /** In the currency of the prices. */
  readonly cost?: number
}

/** What a session sent to model servers and got from them, whatever became of its episodes. */
export interface Spent {
  /** Episodes that were played to their end. */
  readonly episodes: number
  /** Attempts with a reply. */
  readonly calls: number
  readonly attempts: number
  /** As the servers counted them; a failed attempt has none. */
  readonly tokens: { readonly prompt: number; readonly completion: number }
  /** Only with prices. */
  readonly cost?: number
}

/** An episode that is about to begin. */
export interface Request {
  readonly model: string
  /** Maximum number of calls, without repeated attempts. */
  readonly maxCalls: number
}

/** Returns what an episode that has begun does not need. */
export type EndEpisode = () => void

/**
 * The ceiling of a session. Every attempt at a call asks before it is sent; an episode asks before it begins, so that
 * those that have begun can finish.
 */
export interface Budget {
  /** Identifies the session, also among those of other machines. */
  readonly session: string
  /** When it began (ISO 8601). */
  readonly started: string
  /** Asks for permission for each attempt at a call to a model. */
  meter(model: string): Meter
  /**
   * Reserves the calls of an episode. Where they are only free once another episode ends, it waits.
   * @returns undefined once a limit is reached; nothing more begins after that
   */
  begin(episode: Request): EndEpisode | undefined | Promise<EndEpisode | undefined>
  /** Whether time is left; asked between two trials of an episode. */
  goOn(): boolean
  /**
   * Counts a finished episode.
   * @param elsewhere the number of its attempts, where another process sent its calls
   */
  played(row: EpisodeRow, elsewhere?: number): void
  /** Counts requests of the probe of a server. */
  probed(requests: number): void
  spent(): Spent
  /** The limit that was reached, as a sentence. */
  reached(): string | undefined
}

interface BudgetOptions {
  readonly limits: BudgetLimits
  readonly prices?: Prices | undefined
  /** Milliseconds since any fixed moment. */
  readonly clock: () => number
}

/** An amount of all that has a ceiling but time. */
interface Amount {
  readonly calls: number
  readonly tokens: number
  readonly cost: number
}

const nothing: Amount = { calls: 0, tokens: 0, cost: 0 }
/** Tokens of a call before any is known: of its prompt and its reply. */
const guessed = { prompt: 1800, completion: 200 } as const

/** Creates the budget of one session; a resumed run starts with a full one. */
export function createBudget({ limits, prices, clock }: BudgetOptions): Budget {
  const started = clock()
  const hasCeiling = (limits.calls ?? limits.tokens ?? limits.cost) !== undefined
  const counted = { episodes: 0, calls: 0, prompt: 0, completion: 0, cost: 0 }
  /** With estimates for replies without usage. */
  let used = nothing
  /** The most that the attempts which have permission can add to it. */
  const reserved = new Set<Amount>()
  let waitingCalls: (() => void)[] = []
  let largestCall: Amount | undefined
  /** The most that each episode underway takes. */
  const underway = new Set<Amount>()
  const waiting: { readonly need: () => Amount; readonly decide: (begun: EndEpisode | undefined) => void }[] = []
  let begun = 0
  let reached: string | undefined

  const exceeded = (...amounts: readonly Amount[]): string | undefined => {
    const { calls, tokens, cost } = amounts.reduce(add)
    if (calls > (limits.calls ?? Infinity)) return `--max calls=${String(limits.calls)}`
    if (tokens > (limits.tokens ?? Infinity)) return `--max tokens=${String(limits.tokens)}`
    // Sums of many small costs have rounding errors.
    if (cost > (limits.cost ?? Infinity) * (1 + 1e-9)) return `--max cost=${String(limits.cost)}`
    return undefined
  }
  const outOfTime = (): string | undefined =>
    clock() - started < (limits.minutes ?? Infinity) * 60_000 ? undefined : `--max minutes=${String(limits.minutes)}`
  /** @returns whether no limit is reached */
  const isWithin = (limit: string | undefined): boolean => {
    if (limit !== undefined) reached ??= `The budget of this session is used up (${limit}).`
    return limit === undefined
  }
  const allow = (limit: string | undefined): void => {
    if (!isWithin(limit)) throw new GivenUp('The budget of the session is used up.')
  }
  const priced = (model: string, prompt: number, completion: number, calls = 1): Amount => ({
    calls,
    tokens: prompt + completion,
    cost: costOf(prices?.get(model), prompt, completion),
  })
  const count = (calls: number, prompt: number, completion: number, cost: number): void => {
    counted.calls += calls
    counted.prompt += prompt
    counted.completion += completion
    counted.cost += cost
  }
  const decide = (need: Amount): EndEpisode | 'wait' | undefined => {
    const maxEpisodes = limits.episodes ?? Infinity
    const limit =
      (begun >= maxEpisodes ? `--max episodes=${String(maxEpisodes)}` : undefined) ??
      exceeded(used, { calls: 1, tokens: 1, cost: 0 }) ??
      outOfTime()
    if (reached !== undefined || !isWithin(limit)) return undefined
    if (hasCeiling && underway.size > 0 && exceeded(used, ...underway, need) !== undefined) return 'wait'
    begun++
    underway.add(need)
    return () => {
      underway.delete(need)
      while (waiting.length > 0) {
        const answer = decide(waiting[0]!.need())
        if (answer === 'wait') return
        waiting.shift()!.decide(answer)
      }
    }
  }
  return {
    session: randomUUID(),
    started: new Date().toISOString(),
    meter: (model) => ({
      async reserve(prompt, maxReply) {
        const most = priced(model, prompt, maxReply)
        for (;;) {
          allow(outOfTime() ?? exceeded(used, priced(model, prompt, 0)))
          // What could exceed the ceiling is sent alone, so that no more than one reply does.
          if (reserved.size === 0 || exceeded(used, ...reserved, most) === undefined) break
          await new Promise<void>((resolve) => waitingCalls.push(resolve))
        }
        reserved.add(most)
        let isSent = false
        return {
          send() {
            allow(outOfTime())
            isSent = true
          },
          end(reply) {
            reserved.delete(most)
            if (isSent && reply === undefined) used = add(used, { ...nothing, calls: 1 })
            if (isSent && reply !== undefined) {
              const { promptTokens, completionTokens, text, reasoning = '' } = reply
              const written = completionTokens ?? (promptTokens === undefined ? textTokens(text + reasoning) : 0)
              const use = priced(model, promptTokens ?? prompt, written)
              used = add(used, use)
              largestCall = combine(largestCall ?? nothing, use, Math.max)
              const known = [promptTokens ?? 0, completionTokens ?? 0] as const
              count(1, ...known, costOf(prices?.get(model), ...known))
            }
            const woken = waitingCalls
            waitingCalls = []
            for (const wake of woken) wake()
          },
        }
      },
    }),
    begin({ model, maxCalls }) {
      const need = (): Amount => {
        const each = largestCall ?? priced(model, guessed.prompt, guessed.completion)
        return { calls: maxCalls, tokens: maxCalls * each.tokens, cost: maxCalls * each.cost }
      }
      const answer = waiting.length > 0 && underway.size > 0 ? 'wait' : decide(need())
      if (answer !== 'wait') return answer
      return new Promise((resolve) => waiting.push({ need, decide: resolve }))
    },
    goOn: () => isWithin(outOfTime()),
    played(row, elsewhere) {
      counted.episodes++
      if (elsewhere === undefined) return
      const { calls, prompt, completion } = countsOf(row)
      const use = priced(row.model, prompt, completion, elsewhere)
      used = add(used, use)
      count(calls, prompt, completion, use.cost)
    },
    probed(requests) {
      used = add(used, { ...nothing, calls: requests })
      counted.calls += requests
    },
    spent() {
      const { episodes, calls, prompt, completion, cost } = counted
      return { episodes, calls, attempts: used.calls, tokens: { prompt, completion }, ...(prices && { cost }) }
    },
    reached: () =>
      reached === undefined || counted.episodes > 0 ? reached : `${reached} No episode was finished within it.`,
  }
}

/** Calls and tokens of an episode. */
export function countsOf({ measures }: Pick<EpisodeRow, 'measures'>) {
  const { modelCalls, promptTokens, completionTokens } = measures
  return { calls: modelCalls, prompt: promptTokens, completion: completionTokens }
}

function textTokens(content: string): number {
  return estimateTokens([{ role: 'assistant', content }])
}

function combine(one: Amount, other: Amount, by: (one: number, other: number) => number): Amount {
  return { calls: by(one.calls, other.calls), tokens: by(one.tokens, other.tokens), cost: by(one.cost, other.cost) }
}

function add(one: Amount, other: Amount): Amount {
  return combine(one, other, (a, b) => a + b)
}

/** The flags that limit a session. */
export interface BudgetFlags {
  /** Such as `calls=1000,minutes=50`. */
  readonly max?: readonly string[]
  readonly prices?: string
}

/** The limits, and whether each is a whole number. */
const limitKinds = { episodes: true, calls: true, tokens: true, minutes: false, cost: false } as const

/**
 * Reads the flags that limit a session.
 * @throws ShaketableError `usage` for a value that is not such a number, or a cost limit without prices
 */
export function readBudgetFlags({ max = [], prices }: BudgetFlags): BudgetLimits {
  const limits: { -readonly [Name in keyof BudgetLimits]: number } = {}
  for (const text of max.flatMap((one) => one.split(','))) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
    if (!Object.hasOwn(limitKinds, name)) {
      throw new ShaketableError(
        'usage',
        `--max: expected a limit such as calls=1000 (${Object.keys(limitKinds).join(', ')}), got '${text.slice(0, 100)}'.`,
      )
    }
    const limit = name as keyof BudgetLimits
    const isWhole = limitKinds[limit]
    if (!(isWhole ? /^\d{1,15}$/ : /^\d{0,12}(?:\.\d{1,9})?$/).test(value) || !(Number(value) > 0)) {
      const what = isWhole ? 'a whole number from 1' : 'a number above 0'
      throw new ShaketableError('usage', `--max ${name}: expected ${what}, got '${value.slice(0, 100)}'.`)
    }
    limits[limit] = Number(value)
  }
  if (limits.cost !== undefined && prices === undefined) {
    throw new ShaketableError(
      'usage',
      '--max cost: expected --prices with a file of prices beside it, got none. A cost that is not known cannot be limited.',
    )
  }
  return limits
}

/** Price of a million tokens of a model, in any currency. */
interface Price {
  readonly prompt: number
  readonly completion: number
}

/** The cost of tokens of prompts and replies; 0 without a price. */
export function costOf(price: Price | undefined, promptTokens: number, completionTokens: number): number {
  return (promptTokens * (price?.prompt ?? 0) + completionTokens * (price?.completion ?? 0)) / 1e6
}

/** Prices by model. */
export type Prices = ReadonlyMap<string, Price>

const amount = z.number().nonnegative()
/** A file of prices. */
export const pricesSchema = z.record(z.string(), z.strictObject({ prompt: amount, completion: amount }))

/**
 * Reads a file of prices. It must name every model in `models`.
 * @throws ShaketableError `bad-input` with the place in the file, `usage` for a model without a price
 */
export function readPrices(path: string, models: Iterable<string>): Prices {
  const advice = 'It looks like {"my-model": {"prompt": 0.5, "completion": 1.5}}, for a million tokens.'
  const read = pricesSchema.safeParse(readJson('--prices: the file', path, advice))
  if (!read.success) {
    const { path: place, message } = read.error.issues[0]!
    throw new ShaketableError(
      'bad-input',
      `--prices: ${path}: at '${place.join('.')}', ${message}. A model's price is {"prompt": 0.5, "completion": 1.5}, for a million tokens.`,
    )
  }
  const prices = new Map(Object.entries(read.data))
  for (const model of models) {
    if (prices.has(model)) continue
    const near = nearMiss(model, prices.keys())
    throw new ShaketableError(
      'usage',
      `--prices: ${path} has no price for the model '${model}'${near === undefined ? '' : `, but one for '${near}'`}. Add it, since a cost that is not known cannot be limited.`,
    )
  }
  return prices
}
