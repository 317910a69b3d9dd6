import type { EpisodeRow } from '../results/episode-row.js'
import { GivenUp, usageError } from '../core/errors.js'
import { estimateTokens } from '../models/fit.js'
import type { Meter } from '../models/limit.js'

/** Limits of one session of a run. Absent means no limit. */
export interface BudgetLimits {
  readonly episodes?: number
  /** Attempts at calls to models behind servers. */
  readonly calls?: number
  /** Tokens of prompts and replies of models behind servers. */
  readonly tokens?: number
  readonly minutes?: number
}

/** Returns what an episode that has begun does not need. */
export type EndEpisode = () => void

/** The ceiling of a session. */
export type Budget = ReturnType<typeof createBudget>

/**
 * Creates the budget of one session; a resumed run starts with a full one. Every attempt at a call asks before it is
 * sent; an episode asks before it begins, so that those that have begun can finish.
 * @param clock milliseconds since any fixed moment
 */
export function createBudget(limits: BudgetLimits, clock: () => number) {
  const started = clock()
  const { calls: maxCalls = Infinity, tokens: maxTokens = Infinity, episodes = Infinity, minutes = Infinity } = limits
  const counted = { episodes: 0, calls: 0, prompt: 0, completion: 0 }
  /** Attempts, and tokens with estimates for replies without usage. */
  const used = { calls: 0, tokens: 0 }
  /** Tokens of the largest call so far; before the first a guess. */
  let largestCall = 2000
  /** What the attempts that have permission can add at most. */
  const reserved = { calls: 0, tokens: 0 }
  /** Episodes that have begun and not ended, and the calls that they may still make. */
  const underway = { episodes: 0, calls: 0 }
  let begun = 0
  let reached: string | undefined
  let sleepers: (() => void)[] = []
  const sleep = (): Promise<void> => new Promise((resolve) => sleepers.push(resolve))
  const wakeAll = (): void => {
    const woken = sleepers
    sleepers = []
    for (const wake of woken) wake()
  }
  const exceeded = (calls: number, tokens: number): string | undefined => {
    if (used.calls + calls > maxCalls) return `--max calls=${String(maxCalls)}`
    return used.tokens + tokens > maxTokens ? `--max tokens=${String(maxTokens)}` : undefined
  }
  const outOfTime = (): string | undefined =>
    clock() - started < minutes * 60_000 ? undefined : `--max minutes=${String(minutes)}`
  const outOfEpisodes = (): string | undefined => (begun < episodes ? undefined : `--max episodes=${String(episodes)}`)
  /** @returns whether no limit is reached */
  const isWithin = (limit: string | undefined): boolean => {
    if (limit !== undefined) reached ??= `The budget of this session is used up (${limit}).`
    return limit === undefined
  }
  const allow = (limit: string | undefined): void => {
    if (!isWithin(limit)) throw new GivenUp('The budget of the session is used up.')
  }
  const meter: Meter = {
    async reserve(prompt, maxReply) {
      const most = prompt + maxReply
      for (;;) {
        allow(outOfTime() ?? exceeded(1, prompt))
        // What could exceed the ceiling is sent alone, so that no more than one reply does.
        if (reserved.calls === 0 || exceeded(reserved.calls + 1, reserved.tokens + most) === undefined) break
        await sleep()
      }
      reserved.calls++
      reserved.tokens += most
      let isSent = false
      return {
        send() {
          allow(outOfTime())
          isSent = true
        },
        end(reply) {
          reserved.calls--
          reserved.tokens -= most
          if (isSent) used.calls++
          if (isSent && reply !== undefined) {
            const { promptTokens, completionTokens, text, reasoning = '' } = reply
            const said = [{ role: 'assistant', content: text + reasoning }] as const
            const written = completionTokens ?? (promptTokens === undefined ? estimateTokens(said) : 0)
            const tokens = (promptTokens ?? prompt) + written
            largestCall = used.tokens === 0 ? tokens : Math.max(largestCall, tokens)
            used.tokens += tokens
            counted.calls++
            counted.prompt += promptTokens ?? 0
            counted.completion += completionTokens ?? 0
          }
          wakeAll()
        },
      }
    },
  }
  return {
    /** Asks for permission for each attempt at a call to a model. */
    meter,
    /**
     * Reserves the most calls of an episode, without repeated attempts. Where they are only free once another episode
     * ends, it waits.
     * @returns undefined once a limit is reached; nothing more begins after that
     */
    async begin(calls: number): Promise<EndEpisode | undefined> {
      for (;;) {
        if (reached !== undefined || !isWithin(outOfEpisodes() ?? exceeded(1, 1) ?? outOfTime())) return undefined
        const most = underway.calls + calls
        if (underway.episodes === 0 || exceeded(most, most * largestCall) === undefined) break
        await sleep()
      }
      begun++
      underway.episodes++
      underway.calls += calls
      return () => {
        underway.episodes--
        underway.calls -= calls
        wakeAll()
      }
    },
    /** Whether time is left; asked between two trials of an episode. */
    goOn: () => isWithin(outOfTime()),
    /** Counts a finished episode; with the number of its attempts where another process sent its calls. */
    played(row: EpisodeRow, elsewhere?: number): void {
      counted.episodes++
      if (elsewhere === undefined) return
      const { modelCalls, promptTokens, completionTokens } = row.measures
      used.calls += elsewhere
      used.tokens += promptTokens + completionTokens
      counted.calls += modelCalls
      counted.prompt += promptTokens
      counted.completion += completionTokens
    },
    /** Counts requests of the probe of a server. */
    probed(requests: number): void {
      used.calls += requests
      counted.calls += requests
    },
    /** What was sent to model servers and came back: calls are attempts with a reply, tokens as the servers count. */
    spent() {
      const { episodes, calls, prompt, completion } = counted
      return { episodes, calls, attempts: used.calls, tokens: { prompt, completion } }
    },
    /** The limit that was reached, as a sentence. */
    reached: (): string | undefined =>
      reached === undefined || counted.episodes > 0 ? reached : `${reached} No episode was finished within it.`,
  }
}

/** The limits of a session, and what each of them takes. */
const limitKinds = {
  episodes: /^[1-9]\d{0,14}$/,
  calls: /^[1-9]\d{0,14}$/,
  tokens: /^[1-9]\d{0,14}$/,
  minutes: /^(?=.*[1-9])\d{0,12}(?:\.\d{1,9})?$/,
} as const

/**
 * Reads the limits of a session, such as `calls=1000,minutes=50`.
 * @throws ShaketableError `usage` for anything else
 */
export function readBudgetFlags({ max = [] }: { readonly max?: readonly string[] }): BudgetLimits {
  const limits = max
    .flatMap((text) => text.split(','))
    .map((text) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
      const isKnown = Object.hasOwn(limitKinds, name)
      if (isKnown && limitKinds[name as keyof BudgetLimits].test(value)) return [name, Number(value)] as const
      const kinds = Object.keys(limitKinds).join(', ')
      throw usageError(
        `--max: expected a limit (${kinds}) with a number above 0, such as calls=1000, got '${text.slice(0, 100)}'.`,
      )
    })
  return Object.fromEntries(limits)
}
