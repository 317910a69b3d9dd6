import { randomUUID } from 'node:crypto'
import { AsyncLocalStorage } from 'node:async_hooks'
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
  /** Key of the episode. */
  readonly key: string
  readonly model: string
  /** Maximum number of calls, without repeated attempts. */
  readonly maxCalls: number
}

/** An episode that has begun. */
export interface Reservation {
  /** Plays it: the calls of `work` are counted as this episode's. */
  run<T>(work: () => T): T
  /** Returns what it does not need. */
  end(): void
}

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
  begin(episode: Request): Reservation | undefined | Promise<Reservation | undefined>
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

/** Inputs of {@link createBudget}. */
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

/** An episode underway. */
interface Account {
  readonly episode: Request
  used: Amount
}

const nothing: Amount = { calls: 0, tokens: 0, cost: 0 }
const oneCall: Amount = { calls: 1, tokens: 1, cost: 0 }
/** Tokens of a call before any is known: of its prompt and its reply. */
const guessed = { prompt: 1800, completion: 200 } as const

/** Creates the budget of one session; a resumed run starts with a full one. */
export function createBudget({ limits, prices, clock }: BudgetOptions): Budget {
  const started = clock()
  const hasCeiling = (limits.calls ?? limits.tokens ?? limits.cost) !== undefined
  const counted = { episodes: 0, calls: 0, prompt: 0, completion: 0, cost: 0 }
  /** With estimates for replies without usage. */
  let used = nothing
  /** The most that the attempts which have permission can add to it, and their number. */
  let reserved = nothing
  let reservations = 0
  let waitingCalls: (() => void)[] = []
  let largestCall: Amount | undefined
  const underway = new Map<string, Account>()
  const current = new AsyncLocalStorage<Account>()
  const waiting: { readonly episode: Request; readonly decide: (begun: Reservation | undefined) => void }[] = []
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
  const reach = (limit: string): void => {
    reached ??= `The budget of this session is used up (${limit}).`
  }
  const deny = (limit: string): never => {
    reach(limit)
    throw new GivenUp('The budget of the session is used up.')
  }
  const priced = (model: string, prompt: number, completion: number): Amount => ({
    calls: 0,
    tokens: prompt + completion,
    cost: costOf(prices?.get(model), prompt, completion),
  })
  const count = (account: Account | undefined, use: Amount): void => {
    used = add(used, use)
    if (account !== undefined) account.used = add(account.used, use)
  }
  const wakeCalls = (): void => {
    const woken = waitingCalls
    waitingCalls = []
    for (const wake of woken) wake()
  }
  /** The most that an episode takes, with calls as large as the largest so far. */
  const needOf = ({ model, maxCalls }: Request): Amount => {
    const { tokens, cost } = largestCall ?? priced(model, guessed.prompt, guessed.completion)
    return { calls: maxCalls, tokens: maxCalls * tokens, cost: maxCalls * cost }
  }
  const decide = (episode: Request): Reservation | 'wait' | undefined => {
    if (reached !== undefined) return undefined
    const limit =
      (begun >= (limits.episodes ?? Infinity) ? `--max episodes=${String(limits.episodes)}` : undefined) ??
      exceeded(used, oneCall) ??
      outOfTime()
    if (limit !== undefined) {
      reach(limit)
      return undefined
    }
    const promised = [...underway.values()].map((account) => subtract(needOf(account.episode), account.used))
    const isFree = !hasCeiling || underway.size === 0 || exceeded(used, ...promised, needOf(episode)) === undefined
    return isFree ? open(episode) : 'wait'
  }
  const open = (episode: Request): Reservation => {
    begun++
    const account: Account = { episode, used: nothing }
    underway.set(episode.key, account)
    return {
      run: (work) => current.run(account, work),
      end() {
        underway.delete(episode.key)
        while (waiting.length > 0) {
          const answer = decide(waiting[0]!.episode)
          if (answer === 'wait') return
          waiting.shift()!.decide(answer)
        }
      },
    }
  }
  return {
    session: randomUUID(),
    started: new Date().toISOString(),
    meter: (model) => ({
      async reserve(prompt, maxReply) {
        const least = { ...priced(model, prompt, 0), calls: 1 }
        const most = { ...priced(model, prompt, maxReply), calls: 1 }
        for (;;) {
          const limit = outOfTime() ?? exceeded(used, least)
          if (limit !== undefined) deny(limit)
          // What could exceed the ceiling is sent alone, so that no more than one reply does.
          if (reservations === 0 || exceeded(used, reserved, most) === undefined) break
          await new Promise<void>((resolve) => waitingCalls.push(resolve))
        }
        const account = current.getStore()
        let pending = most
        reservations++
        reserved = add(reserved, pending)
        let isSent = false
        return {
          send() {
            const limit = outOfTime()
            if (limit !== undefined) deny(limit)
            isSent = true
            count(account, { ...nothing, calls: 1 })
            pending = { ...pending, calls: 0 }
            reserved = subtract(reserved, { ...nothing, calls: 1 })
          },
          end(reply) {
            reservations--
            reserved = subtract(reserved, pending)
            if (isSent && reply !== undefined) {
              const { promptTokens, completionTokens, text, reasoning = '' } = reply
              const read = promptTokens ?? prompt
              const written = completionTokens ?? (promptTokens === undefined ? textTokens(text + reasoning) : 0)
              const use = priced(model, read, written)
              count(account, use)
              largestCall = larger(largestCall ?? nothing, use)
              counted.calls++
              counted.prompt += promptTokens ?? 0
              counted.completion += completionTokens ?? 0
              counted.cost += costOf(prices?.get(model), promptTokens ?? 0, completionTokens ?? 0)
            }
            wakeCalls()
          },
        }
      },
    }),
    begin(episode) {
      const answer = waiting.length > 0 && underway.size > 0 ? 'wait' : decide(episode)
      if (answer !== 'wait') return answer
      return new Promise((resolve) => waiting.push({ episode, decide: resolve }))
    },
    goOn() {
      const limit = outOfTime()
      if (limit !== undefined) reach(limit)
      return limit === undefined
    },
    played(row, elsewhere) {
      counted.episodes++
      if (elsewhere === undefined) return
      const { calls, prompt, completion } = countsOf(row)
      const use = { ...priced(row.model, prompt, completion), calls: elsewhere }
      count(underway.get(row.key), use)
      counted.calls += calls
      counted.prompt += prompt
      counted.completion += completion
      counted.cost += use.cost
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

/** Calls and tokens of an episode, those that score wordings included. */
export function countsOf({ measures }: Pick<EpisodeRow, 'measures'>) {
  const { modelCalls, promptTokens, completionTokens, wordings } = measures
  return {
    calls: modelCalls + (wordings?.calls ?? 0),
    prompt: promptTokens + (wordings?.promptTokens ?? 0),
    completion: completionTokens + (wordings?.completionTokens ?? 0),
  }
}

function textTokens(content: string): number {
  return estimateTokens([{ role: 'assistant', content }])
}

function add(one: Amount, other: Amount): Amount {
  return { calls: one.calls + other.calls, tokens: one.tokens + other.tokens, cost: one.cost + other.cost }
}

/** What is left of an amount, at least nothing. */
function subtract(whole: Amount, part: Amount): Amount {
  return {
    calls: Math.max(0, whole.calls - part.calls),
    tokens: Math.max(0, whole.tokens - part.tokens),
    cost: Math.max(0, whole.cost - part.cost),
  }
}

function larger(one: Amount, other: Amount): Amount {
  return {
    calls: Math.max(one.calls, other.calls),
    tokens: Math.max(one.tokens, other.tokens),
    cost: Math.max(one.cost, other.cost),
  }
}

/** The flags that limit a session. */
export interface BudgetFlags {
  /** Such as `calls=1000,minutes=50`. */
  readonly max?: readonly string[]
  readonly prices?: string
}

/** How each limit is read. */
const limitReaders: Readonly<Record<keyof BudgetLimits, (flag: string, text: string) => number>> = {
  episodes: readCount,
  calls: readCount,
  tokens: readCount,
  minutes: readAmount,
  cost: readAmount,
}
/** The names of the limits. */
const limitNames = Object.keys(limitReaders) as readonly (keyof BudgetLimits)[]

/**
 * Reads the flags that limit a session.
 * @throws ShaketableError `usage` for a value that is not such a number, or a cost limit without prices
 */
export function readBudgetFlags({ max = [], prices }: BudgetFlags): BudgetLimits {
  const limits: { -readonly [Name in keyof BudgetLimits]: number } = {}
  for (const text of max.flatMap((one) => one.split(','))) {
    const [, given = '', value] = /^([^=]*)=(.*)$/s.exec(text) ?? []
    const name = limitNames.find((one) => one === given)
    if (name === undefined || value === undefined) {
      throw new ShaketableError(
        'usage',
        `--max: expected a limit such as calls=1000 (${limitNames.join(', ')}), got '${text.slice(0, 100)}'.`,
      )
    }
    limits[name] = limitReaders[name](`--max ${name}`, value)
  }
  if (limits.cost !== undefined && prices === undefined) {
    throw new ShaketableError(
      'usage',
      '--max cost: expected --prices with a file of prices beside it, got none. A cost that is not known cannot be limited.',
    )
  }
  return limits
}

function readCount(flag: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new ShaketableError('usage', `${flag}: expected a whole number from 1, got '${text.slice(0, 100)}'.`)
}

/** @throws ShaketableError `usage` for anything but a number above 0 */
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
