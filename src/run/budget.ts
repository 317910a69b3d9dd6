import type { EpisodeRow } from '../core/episode.js'
import { ShaketableError, messageOf, nearMiss } from '../core/errors.js'
import type { Underway } from './play-cell.js'
import * as z from 'zod'
import { readRegular } from '../files/read-text.js'

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

/** Use of model servers. */
interface Use {
  /** Attempts at calls. */
  readonly calls: number
  /** Attempts that returned a reply. */
  readonly replies: number
  readonly tokens: number
  readonly cost: number
}

/** Use of a session so far, from the rows of its episodes; the cost is there only with prices. */
type Spent = Omit<Use, 'cost'> & { readonly episodes: number; readonly cost?: number }

/** Decides whether another episode, or another trial of one, may begin. */
export interface Budget {
  /**
   * Reserves one episode.
   * @returns false once any limit is reached; nothing more begins after that
   */
  begin(): boolean
  /**
   * Counts the use of an episode between two of its trials. The use stays counted if the episode is abandoned then.
   * @returns false once a limit other than that of episodes is reached
   */
  goOn(underway: Underway): boolean
  /** Counts the use of a finished episode; `attempts` are its attempted calls, where recorded. */
  played(row: EpisodeRow, attempts?: number): void
  spent(): Spent
  /** The limit that was reached, as a sentence. */
  reached(): string | undefined
}

/** Inputs of {@link createBudget}. */
interface BudgetOptions {
  readonly limits: BudgetLimits
  /** Names of the models whose calls and tokens count. */
  readonly served: ReadonlySet<string>
  readonly prices?: Prices | undefined
  /** Milliseconds since any fixed moment. */
  readonly clock: () => number
}

/** Creates the budget of one session; a resumed run starts with a full one. */
export function createBudget({ limits, served, prices, clock }: BudgetOptions): Budget {
  const started = clock()
  const used = { episodes: 0, calls: 0, replies: 0, tokens: 0, cost: 0 }
  const underway = new Map<string, Use>()
  let begun = 0
  let reached: string | undefined
  const check = (): string | undefined => {
    if (used.calls >= (limits.calls ?? Infinity)) return `--max-calls ${String(limits.calls)}`
    if (used.tokens >= (limits.tokens ?? Infinity)) return `--max-tokens-total ${String(limits.tokens)}`
    if (used.cost >= (limits.cost ?? Infinity)) return `--max-cost ${String(limits.cost)}`
    const minutes = (clock() - started) / 60_000
    return minutes >= (limits.minutes ?? Infinity) ? `--max-minutes ${String(limits.minutes)}` : undefined
  }
  const isLeft = (limit: string | undefined): boolean => {
    if (limit !== undefined) reached ??= `The budget of this session is used up (${limit}).`
    return reached === undefined
  }
  const useOf = ({ model, measures }: Omit<Underway, 'key'>, attempts = measures.attempts): Use => {
    if (!served.has(model)) return { calls: 0, replies: 0, tokens: 0, cost: 0 }
    const { wordings } = measures
    const promptTokens = measures.promptTokens + (wordings?.promptTokens ?? 0)
    const completionTokens = measures.completionTokens + (wordings?.completionTokens ?? 0)
    const replies = measures.modelCalls + (wordings?.calls ?? 0)
    return {
      calls: attempts ?? replies,
      replies,
      tokens: promptTokens + completionTokens,
      cost: costOf(prices?.get(model), promptTokens, completionTokens),
    }
  }
  const count = ({ calls, replies, tokens, cost }: Use, sign: 1 | -1 = 1): void => {
    used.calls += sign * calls
    used.replies += sign * replies
    used.tokens += sign * tokens
    used.cost += sign * cost
  }
  const countAgain = (key: string, use: Use): void => {
    const before = underway.get(key)
    if (before !== undefined) count(before, -1)
    count(use)
  }
  return {
    begin() {
      if (reached !== undefined) return false
      const isFull = begun >= (limits.episodes ?? Infinity)
      if (!isLeft(isFull ? `--max-episodes ${String(limits.episodes)}` : check())) return false
      begun++
      return true
    },
    goOn(episode) {
      const use = useOf(episode)
      countAgain(episode.key, use)
      underway.set(episode.key, use)
      const limit = check()
      isLeft(limit)
      return limit === undefined
    },
    played(row, attempts) {
      used.episodes++
      countAgain(row.key, useOf(row, attempts))
      underway.delete(row.key)
    },
    spent() {
      const { cost, ...counts } = used
      return { ...counts, ...(prices && { cost }) }
    },
    reached: () => reached,
  }
}

/** The flags of `shaketable run` that limit a session. */
export interface BudgetFlags {
  readonly maxEpisodes?: string
  readonly maxCalls?: string
  readonly maxTokensTotal?: string
  readonly maxMinutes?: string
  readonly maxCost?: string
  readonly prices?: string
}

/**
 * Reads the flags that limit a session.
 * @throws ShaketableError `usage` for a value that is not such a number, or a cost limit without prices
 */
export function readBudgetFlags(flags: BudgetFlags): BudgetLimits {
  const { maxEpisodes, maxCalls, maxTokensTotal, maxMinutes, maxCost, prices } = flags
  if (maxCost !== undefined && prices === undefined) {
    throw new ShaketableError(
      'usage',
      '--max-cost: expected --prices with a file of prices beside it, got none. A cost that is not known cannot be limited.',
    )
  }
  return {
    ...(maxEpisodes !== undefined && { episodes: readCount('--max-episodes', maxEpisodes) }),
    ...(maxCalls !== undefined && { calls: readCount('--max-calls', maxCalls) }),
    ...(maxTokensTotal !== undefined && { tokens: readCount('--max-tokens-total', maxTokensTotal) }),
    ...(maxMinutes !== undefined && { minutes: readAmount('--max-minutes', maxMinutes) }),
    ...(maxCost !== undefined && { cost: readAmount('--max-cost', maxCost) }),
  }
}

function readCount(flag: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new ShaketableError('usage', `${flag}: expected a whole number from 1, got '${text.slice(0, 100)}'.`)
}

function readAmount(flag: string, text: string): number {
  if (/^\d{0,12}(?:\.\d{1,9})?$/.test(text) && Number(text) > 0) return Number(text)
  throw new ShaketableError('usage', `${flag}: expected a number above 0, got '${text.slice(0, 100)}'.`)
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
  let value: unknown
  try {
    value = JSON.parse(readRegular(path).toString('utf8'))
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `--prices: expected a JSON file of prices, but ${path} cannot be read: ${messageOf(thrown)}. It looks like {"my-model": {"prompt": 0.5, "completion": 1.5}}, for a million tokens.`,
    )
  }
  const read = pricesSchema.safeParse(value)
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
