import { randomUUID } from 'node:crypto'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { EpisodeRow } from '../core/episode.js'
import { isValid } from '../core/episode.js'
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
export interface Beginning {
  /** Key of the episode. */
  readonly key: string
  readonly model: string
  /** Episodes of one kind are expected to take about equally many calls. */
  readonly kind: string
  /** Maximum number of calls, without repeated attempts. */
  readonly maxCalls: number
}

/** An episode that has begun. */
export interface Begun {
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
  begin(episode: Beginning): Begun | undefined | Promise<Begun | undefined>
  /** Whether time is left; asked between two trials of an episode. */
  goOn(): boolean
  /**
   * Begins a reading of stored episodes, from which it learns how much one of each kind takes. A kind that is known
   * from this session or an earlier reading is left out, since its episodes would count twice.
   */
  reader(): (row: EpisodeRow, kind: string) => void
  /**
   * Counts a finished episode.
   * @param elsewhere the number of its attempts, where another process sent its calls
   */
  played(row: EpisodeRow, elsewhere?: number): void
  /** Attempts that the limit of calls still permits; undefined without one. */
  callsLeft(): number | undefined
  /** Says how many attempts other processes have made in this session, those of episodes that have no row included. */
  elsewhere(attempts: number): void
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
  readonly episode: Beginning
  readonly startedAt: number
  used: Amount
}

/** What finished episodes of one kind took, the latest last. */
interface Samples {
  readonly taken: Amount[]
  largest: Amount
  readonly milliseconds: number[]
}

/** What is known of the calls of a model. */
interface History {
  /** Tokens of its latest replies. */
  readonly replies: number[]
  /** Tokens of its last prompt for each that was estimated. */
  ratio: number
  attempts: number
  answered: number
}

const nothing: Amount = { calls: 0, tokens: 0, cost: 0 }
const attempt: Amount = { ...nothing, calls: 1 }
const oneCall: Amount = { ...attempt, tokens: 1 }
/** From so many episodes of a kind on, the largest of them is reserved; before, what the step limit allows. */
const enoughSamples = 20
const maxSamples = 200
/** Tokens of a call before any is known: of its prompt and its reply. */
const guessed = { prompt: 1800, completion: 200 } as const
/** A reply is expected to be no longer than 19 of 20 replies of its model before. */
const replyQuantile = 0.95

/** Creates the budget of one session; a resumed run starts with a full one. */
export function createBudget({ limits, prices, clock }: BudgetOptions): Budget {
  const started = clock()
  const hasCeiling = (limits.calls ?? limits.tokens ?? limits.cost) !== undefined
  const counted = { episodes: 0, calls: 0, prompt: 0, completion: 0, cost: 0 }
  /** With estimates for replies without usage. */
  let used = nothing
  /** What attempts that have permission are expected to add to it. */
  let reserved = nothing
  let reservations = 0
  let waitingCalls: (() => void)[] = []
  let largestCall: Amount | undefined
  const histories = new Map<string, History>()
  const samples = new Map<string, Samples>()
  const underway = new Map<string, Account>()
  const current = new AsyncLocalStorage<Account>()
  const waiting: { readonly episode: Beginning; readonly decide: (begun: Begun | undefined) => void }[] = []
  /** Attempts of other processes: of episodes that have a row, and of all others. */
  const attemptsElsewhere = { finished: 0, others: 0 }
  let begun = 0
  let reached: string | undefined

  const exceeded = (...amounts: readonly Amount[]): string | undefined => {
    const { calls, tokens, cost } = amounts.reduce(add)
    if (calls > (limits.calls ?? Infinity)) return `--max-calls ${String(limits.calls)}`
    if (tokens > (limits.tokens ?? Infinity)) return `--max-tokens-total ${String(limits.tokens)}`
    // Sums of many small costs have rounding errors.
    if (cost > (limits.cost ?? Infinity) * (1 + 1e-9)) return `--max-cost ${String(limits.cost)}`
    return undefined
  }
  const leftMs = (): number => (limits.minutes ?? Infinity) * 60_000 - (clock() - started)
  const outOfTime = (): string | undefined => (leftMs() > 0 ? undefined : `--max-minutes ${String(limits.minutes)}`)
  const reach = (limit: string, why = ''): void => {
    reached ??= `The budget of this session is used up (${limit})${why}.`
  }
  const priced = (model: string, prompt: number, completion: number): Amount => ({
    calls: 0,
    tokens: prompt + completion,
    cost: costOf(prices?.get(model), prompt, completion),
  })
  const historyOf = (model: string): History => {
    const known = histories.get(model) ?? { replies: [], ratio: 1, attempts: 0, answered: 0 }
    histories.set(model, known)
    return known
  }
  const count = (account: Account | undefined, use: Amount): void => {
    used = add(used, use)
    if (account !== undefined) account.used = add(account.used, use)
  }
  const wakeCalls = (): void => {
    const woken = waitingCalls
    waitingCalls = []
    for (const wake of woken) wake()
  }
  const samplesOf = (kind: string): Samples => {
    const known = samples.get(kind) ?? { taken: [], largest: nothing, milliseconds: [] }
    samples.set(kind, known)
    return known
  }
  const learn = (kind: string, taken: Amount, milliseconds?: number): void => {
    const known = samplesOf(kind)
    known.largest = larger(known.largest, taken)
    known.taken.push(taken)
    if (known.taken.length > maxSamples) known.taken.shift()
    if (milliseconds === undefined) return
    known.milliseconds.push(milliseconds)
    if (known.milliseconds.length > maxSamples) known.milliseconds.shift()
  }
  /** What is reserved for a whole episode. */
  const needOf = ({ kind, model, maxCalls }: Beginning): Amount => {
    const { taken, largest } = samplesOf(kind)
    if (taken.length >= enoughSamples) return largest
    const { tokens, cost } = largestCall ?? priced(model, guessed.prompt, guessed.completion)
    const { attempts, answered } = historyOf(model)
    const repeated = attempts < enoughSamples ? 1 : attempts / Math.max(1, answered)
    return { calls: Math.ceil(maxCalls * repeated), tokens: maxCalls * tokens, cost: maxCalls * cost }
  }
  const promisedTo = ({ episode, used: own }: Account): Amount => subtract(needOf(episode), own)
  /** Episodes that began earlier go first; one whose rest does not fit beside theirs waits. */
  const isInTurn = (account: Account): boolean => {
    if (!hasCeiling) return true
    let promised = used
    for (const one of underway.values()) {
      if (one === account)
        return promised === used || exceeded(promised, larger(promisedTo(one), oneCall)) === undefined
      promised = add(promised, promisedTo(one))
    }
    return true
  }
  const decide = (episode: Beginning): Begun | 'wait' | undefined => {
    if (reached !== undefined) return undefined
    const limit =
      (begun >= (limits.episodes ?? Infinity) ? `--max-episodes ${String(limits.episodes)}` : undefined) ??
      exceeded(used, oneCall) ??
      outOfTime()
    if (limit !== undefined) {
      reach(limit)
      return undefined
    }
    const { taken, milliseconds } = samplesOf(episode.kind)
    const left = leftMs()
    if (!isLikely(milliseconds, (one) => one <= left)) {
      reach(`--max-minutes ${String(limits.minutes)}`, ': the time that is left is too short for another episode')
      return undefined
    }
    if (!hasCeiling) return open(episode)
    const lacking = exceeded(used, ...[...underway.values()].map(promisedTo), needOf(episode))
    if (lacking !== undefined && underway.size > 0) return 'wait'
    if (lacking !== undefined && begun > 0 && !isLikely(taken, (one) => exceeded(used, one) === undefined)) {
      reach(lacking, ': what is left is too little for another episode')
      return undefined
    }
    return open(episode)
  }
  const open = (episode: Beginning): Begun => {
    begun++
    const account: Account = { episode, startedAt: clock(), used: nothing }
    underway.set(episode.key, account)
    return {
      run: (work) => current.run(account, work),
      end() {
        underway.delete(episode.key)
        wakeCalls()
        while (waiting.length > 0) {
          const answer = decide(waiting[0]!.episode)
          if (answer === 'wait') return
          waiting.shift()!.decide(answer)
        }
      },
    }
  }
  const deny = (limit: string): never => {
    reach(limit)
    throw new GivenUp('The budget of the session is used up.')
  }
  return {
    session: randomUUID(),
    started: new Date().toISOString(),
    meter: (model) => ({
      async reserve(prompt, maxReply) {
        const account = current.getStore()
        const known = historyOf(model)
        let expected: Amount
        for (;;) {
          const isUnknown = known.replies.length === 0
          const length = isUnknown ? maxReply : Math.min(maxReply, quantileOf(known.replies))
          expected = { ...priced(model, prompt * known.ratio, length), calls: 1 }
          const limit = outOfTime() ?? exceeded(used, isUnknown ? oneCall : expected)
          if (limit !== undefined) deny(limit)
          const isFree = reservations === 0 || exceeded(used, reserved, expected) === undefined
          if (isFree && (account === undefined || isInTurn(account))) break
          await new Promise<void>((resolve) => waitingCalls.push(resolve))
        }
        reservations++
        reserved = add(reserved, expected)
        let isSent = false
        return {
          send() {
            const limit = outOfTime()
            if (limit !== undefined) deny(limit)
            isSent = true
            known.attempts++
            count(account, attempt)
            expected = { ...expected, calls: 0 }
            reserved = subtract(reserved, attempt)
          },
          end(reply) {
            reservations--
            reserved = subtract(reserved, expected)
            if (isSent && reply !== undefined) {
              const { promptTokens, completionTokens, text, reasoning = '' } = reply
              const read = promptTokens ?? prompt
              const written = completionTokens ?? (promptTokens === undefined ? textTokens(text + reasoning) : 0)
              const use = priced(model, read, written)
              count(account, use)
              largestCall = larger(largestCall ?? nothing, use)
              known.answered++
              known.replies.push(written)
              if (known.replies.length > maxSamples) known.replies.shift()
              if (prompt > 0) known.ratio = read / prompt
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
    reader() {
      const known = new Set(samples.keys())
      return (row, kind) => {
        if (isValid(row.outcome) && !known.has(kind)) learn(kind, useOf(row, prices))
      }
    },
    callsLeft: () => limits.calls && Math.max(0, limits.calls - used.calls),
    elsewhere(attempts) {
      const more = Math.max(0, attempts - attemptsElsewhere.finished) - attemptsElsewhere.others
      attemptsElsewhere.others += more
      used = { ...used, calls: used.calls + more }
      const limit = exceeded(used, oneCall)
      if (limit !== undefined) reach(limit)
    },
    played(row, elsewhere) {
      counted.episodes++
      const account = underway.get(row.key)
      if (elsewhere !== undefined) {
        const use = { ...useOf(row, prices), calls: elsewhere }
        const { calls, prompt, completion } = countsOf(row)
        const known = Math.min(elsewhere, attemptsElsewhere.others)
        attemptsElsewhere.finished += elsewhere
        attemptsElsewhere.others -= known
        used = add(used, { ...use, calls: elsewhere - known })
        if (account) account.used = use
        counted.calls += calls
        counted.prompt += prompt
        counted.completion += completion
        counted.cost += use.cost
      }
      if (account === undefined || !isValid(row.outcome)) return
      learn(account.episode.kind, account.used, clock() - account.startedAt)
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

function useOf(row: EpisodeRow, prices: Prices | undefined): Amount {
  const { calls, prompt, completion } = countsOf(row)
  return { calls, tokens: prompt + completion, cost: costOf(prices?.get(row.model), prompt, completion) }
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

/** Whether at least half of the samples pass; true without any. */
function isLikely<T>(all: readonly T[], passes: (one: T) => boolean): boolean {
  return 2 * all.filter(passes).length >= all.length
}

function quantileOf(lengths: readonly number[]): number {
  const sorted = [...lengths].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(replyQuantile * sorted.length))]!
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

/** @throws ShaketableError `usage` for anything but a number above 0 */
export function readAmount(flag: string, text: string): number {
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
