import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { GivenUp } from '../../src/core/errors.js'
import type { Completion } from '../../src/core/model.js'
import { type BudgetLimits, createBudget, readBudgetFlags } from '../../src/run/budget.js'
import { completeExperiment } from '../../src/run/experiment.js'
import { prepareGrid } from '../../src/run/prepare-grid.js'
import { runExperiment } from '../../src/run/run-experiment.js'
import { readRun } from '../../src/run/store/read-run.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()

const row = (key: string, model = 'm'): EpisodeRow => ({
  ...{ key, environment: 'e', task: 't', condition: 'none', model, agent: 'act', temperature: 0, seed: 0 },
  ...{ outcome: 'success', progress: 1 },
  measures: {
    ...{ steps: 2, understood: 2, formatErrors: 0, repeats: 0, memorised: 0, modelCalls: 2 },
    ...{ promptTokens: 900, completionTokens: 100 },
  },
})

/** A world of calls that take 10 ms each, of which some fail, and episodes of a given length. */
function setUp(limits: BudgetLimits) {
  let now = 0
  const budget = createBudget(limits, () => now)
  const { meter } = budget
  const sent = { attempts: 0, abandoned: 0, played: 0 }
  const call = async (reply: Completion | undefined, prompt: number, maxReply: number): Promise<void> => {
    const reserved = await meter.reserve(prompt, maxReply)
    await Promise.resolve()
    try {
      reserved.send()
      sent.attempts++
      now += 10
      await new Promise((resolve) => setImmediate(resolve))
      reserved.end(reply)
    } catch (thrown) {
      reserved.end()
      throw thrown
    }
  }
  /** Plays episodes at once, in lanes, until the budget refuses or all are played. */
  const play = async (
    lengths: readonly number[],
    { lanes = 8, maxCalls = 20, prompt = 900, maxReply = 4096, reply = 100, failing = 0 } = {},
  ): Promise<void> => {
    const todo = lengths.entries()
    let calls = 0
    const lane = async (): Promise<void> => {
      for (const [index, length] of todo) {
        const key = String(index)
        const end = await budget.begin(maxCalls)
        if (end === undefined) return
        try {
          for (let step = 0; step < length;) {
            const isFailed = failing > 0 && ++calls % failing === 0
            const answer = { text: 'look', promptTokens: prompt, completionTokens: reply }
            await call(isFailed ? undefined : answer, prompt, maxReply)
            if (!isFailed) step++
          }
          sent.played++
          budget.played(row(key))
        } catch (thrown) {
          if (!(thrown instanceof GivenUp)) throw thrown
          sent.abandoned++
        } finally {
          end()
        }
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }
  return { budget, sent, play, pass: (ms: number) => (now += ms) }
}

const many = (length: number, count = 40): number[] => Array.from({ length: count }, () => length)

describe('a budget', () => {
  it.each<[string, BudgetLimits, number[], Parameters<ReturnType<typeof setUp>['play']>[1], object]>([
    ['calls, all episodes of the most steps', { calls: 150 }, many(20), {}, { attempts: 150, played: 7, abandoned: 1 }],
    ['calls, of which some fail', { calls: 150 }, many(20), { failing: 7 }, { attempts: 150, played: 6, abandoned: 1 }],
    ['fewer calls than an episode takes', { calls: 15 }, many(20), {}, { attempts: 15, played: 0, abandoned: 1 }],
    ['tokens', { tokens: 100_000 }, many(20), {}, { attempts: 100, played: 5, abandoned: 0 }],
    ['tokens, with longer replies than usual', { tokens: 9000 }, many(3), { reply: 4000 }, { attempts: 2, played: 0 }],
    ['episodes', { episodes: 3 }, many(20), {}, { attempts: 60, played: 3, abandoned: 0 }],
    ['minutes', { minutes: 0.02 }, many(20), { lanes: 1 }, { attempts: 120, played: 6, abandoned: 0 }],
    ['minutes, with less time than an episode takes', { minutes: 0.001 }, many(20), {}, { attempts: 6, played: 0 }],
  ])('is a ceiling of %s', async (_, limits, lengths, options, expected) => {
    const { budget, sent, play } = setUp(limits)
    await play(lengths, options)
    expect(sent).toMatchObject(expected)
    const { attempts, tokens } = budget.spent()
    expect(attempts).toBe(sent.attempts)
    expect(attempts).toBeLessThanOrEqual(limits.calls ?? Infinity)
    expect(tokens.prompt + tokens.completion).toBeLessThanOrEqual((limits.tokens ?? Infinity) + (options?.reply ?? 100))
    expect(budget.reached() === undefined).toBe(sent.played === lengths.length)
  })

  it('goes beyond tokens by one reply at most', async () => {
    const { budget } = setUp({ tokens: 10_000 })
    const reserved = await budget.meter.reserve(100, 50_000)
    reserved.send()
    const second = budget.meter.reserve(100, 50_000)
    reserved.end({ text: '', promptTokens: 100, completionTokens: 50_000 })
    await expect(second).rejects.toThrow(GivenUp)
    expect(budget.spent().tokens).toEqual({ prompt: 100, completion: 50_000 })
  })

  it('counts neither an attempt that was not sent nor tokens that a server does not tell, but stops at their estimate', async () => {
    const { budget } = setUp({ tokens: 1000 })
    const meter = budget.meter
    ;(await meter.reserve(900, 10)).end()
    const reserved = await meter.reserve(900, 10)
    reserved.send()
    reserved.end({ text: 'look' })
    expect(budget.spent()).toEqual({ episodes: 0, calls: 1, attempts: 1, tokens: { prompt: 0, completion: 0 } })
    await expect(meter.reserve(900, 10)).rejects.toThrow(GivenUp)
    expect(budget.reached()).toMatch(/\(--max tokens=1000\)\. No episode was finished within it\.$/)
  })

  it('ends with the clock between two trials, and counts probes and episodes that other processes played', () => {
    const { budget, pass } = setUp({ minutes: 1, calls: 30 })
    expect(budget.goOn()).toBe(true)
    budget.probed(20)
    expect(budget.begin(5)).toBeDefined()
    budget.played(row('k'), 5)
    expect(budget.spent()).toEqual({
      ...{ episodes: 1, calls: 22, attempts: 25, tokens: { prompt: 900, completion: 100 } },
    })
    pass(60_000)
    expect([budget.goOn(), budget.reached()]).toEqual([
      false,
      'The budget of this session is used up (--max minutes=1).',
    ])
  })
})

describe('flags of a budget', () => {
  it('are read as numbers', () => {
    const max = ['episodes=5,calls=6', 'tokens=7', 'minutes=0.5']
    expect(readBudgetFlags({ max })).toEqual({ episodes: 5, calls: 6, tokens: 7, minutes: 0.5 })
    expect(readBudgetFlags({})).toEqual({})
  })

  it.each([
    ['episodes=0', '--max: expected a limit (episodes, calls, tokens, minutes) with a number above 0'],
    ['calls=1.5', "such as calls=1000, got 'calls=1.5'."],
    ['minutes=-1', "got 'minutes=-1'."],
    ['minutes=0.0', "got 'minutes=0.0'."],
    ['hours=1', "got 'hours=1'."],
  ])('refuse %s', (text, message) => {
    expect(() => readBudgetFlags({ max: [text] })).toThrow(message)
  })
})

describe('a session whose last episode reaches the limit', () => {
  it.each([
    ['all of the run', undefined, { ended: undefined, stored: undefined }],
    ['a part of it', [0], { ended: undefined, stored: expect.stringContaining('played a part') as string }],
  ] as const)('has played %s, so it was not stopped', async (name, only, expected) => {
    const given = { environments: ['household'], tasks: 1, perturbations: ['none'], models: [{ name: 'oracle' }] }
    const file = { given: { ...given, seeds: 2, temperatures: [1], stepLimit: 2 }, where: () => '' }
    const { experiment } = completeExperiment({ flags: {}, file })
    const { grid } = await prepareGrid(experiment)
    const budget = createBudget({ minutes: 1 }, () => performance.now())
    const folder = join(scratch, name)
    const ended = await runExperiment({
      ...{ experiment, grid, folder, workers: 0, stop: new AbortController().signal, opened: () => undefined },
      budget: { ...budget, reached: () => '--max minutes=1 is reached.' },
      ...(only && { only }),
    })
    expect(ended.played).toBe(ended.planned)
    expect({ ended: ended.stopped, stored: readRun(folder).stopped }).toEqual(expected)
  })
})
