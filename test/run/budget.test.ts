import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../src/core/episode.js'
import type { BudgetLimits } from '../../src/run/budget.js'
import { createBudget, readBudgetFlags, readPrices } from '../../src/run/budget.js'

const scratch = mkdtempSync(join(tmpdir(), 'shaketable-budget-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const measures = { steps: 2, understood: 2, formatErrors: 0, repeats: 0, memorised: 0, modelCalls: 2 }
const row = (model: string, attempts?: number): EpisodeRow => ({
  ...{ key: 'k', environment: 'e', task: 't', column: 'none', model, agent: 'act', temperature: 0, seed: 0 },
  ...{ outcome: 'success', progress: 1 },
  measures: { ...measures, ...(attempts !== undefined && { attempts }), promptTokens: 900, completionTokens: 100 },
})

function budgetOf(limits: BudgetLimits, more: { now?: () => number; prices?: boolean } = {}) {
  const prices = more.prices ? new Map([['m', { prompt: 1, completion: 11 }]]) : undefined
  return createBudget({ limits, served: new Set(['m']), prices, clock: more.now ?? (() => 0) })
}

/** Starts and plays episodes until the budget refuses. */
function playOut(budget: ReturnType<typeof budgetOf>, played: EpisodeRow): number {
  let count = 0
  while (count < 100 && budget.begin()) {
    budget.played(played)
    count++
  }
  return count
}

describe('a budget', () => {
  it.each([
    [{ episodes: 3 }, undefined, 3, '--max-episodes 3'],
    [{ calls: 7 }, undefined, 4, '--max-calls 7'],
    [{ calls: 7 }, 5, 2, '--max-calls 7'],
    [{ tokens: 2500 }, undefined, 3, '--max-tokens-total 2500'],
    [{ cost: 0.005 }, undefined, 3, '--max-cost 0.005'],
  ])('of %j lets the episode under way finish and starts no other', (limits, attempts, count, words) => {
    const budget = budgetOf(limits, { prices: true })
    expect(playOut(budget, row('m', attempts))).toBe(count)
    expect(budget.reached()).toBe(`The budget of this session is used up (${words}).`)
    expect(budget.begin()).toBe(false)
  })

  it('of minutes ends with the clock', () => {
    let now = 1000
    const budget = budgetOf({ minutes: 0.5 }, { now: () => now })
    expect(budget.begin()).toBe(true)
    now += 29_999
    expect(budget.begin()).toBe(true)
    now += 1
    expect(budget.begin()).toBe(false)
    expect(budget.reached()).toContain('--max-minutes 0.5')
  })

  it('counts only episodes for controls', () => {
    const budget = budgetOf({ calls: 1, tokens: 1 }, { prices: true })
    expect(playOut(budget, row('parrot'))).toBe(100)
    expect(budget.spent()).toEqual({ episodes: 100, calls: 0, replies: 0, tokens: 0, cost: 0 })
  })

  it('counts attempts, tokens and costs from rows', () => {
    const budget = budgetOf({}, { prices: true })
    budget.played(row('m', 5))
    budget.played(row('m'))
    expect(budget.spent()).toEqual({ episodes: 2, calls: 7, replies: 4, tokens: 2000, cost: 0.004 })
    expect(budgetOf({}).spent()).not.toHaveProperty('cost')
    expect(budget.reached()).toBeUndefined()
  })

  it('stops between two trials once it is used up, and counts what was used', () => {
    const budget = budgetOf({ episodes: 1, calls: 10 })
    const goOn = (key: string, model: string, modelCalls: number): boolean =>
      budget.goOn({ key, model, measures: { ...row(model).measures, modelCalls } })
    expect([budget.begin(), budget.begin()]).toEqual([true, false])
    expect(goOn('a', 'm', 4)).toBe(true)
    expect(budget.spent()).toEqual({ episodes: 0, calls: 4, replies: 4, tokens: 1000 })
    expect([goOn('a', 'm', 6), goOn('b', 'other', 4), goOn('b', 'm', 4)]).toEqual([true, true, false])
    expect(budget.spent()).toEqual({ episodes: 0, calls: 10, replies: 10, tokens: 2000 })
    budget.played({ ...row('m'), key: 'a', measures: { ...row('m').measures, modelCalls: 7 } })
    expect(budget.spent()).toEqual({ episodes: 1, calls: 11, replies: 11, tokens: 2000 })
    expect(budget.reached()).toContain('--max-episodes 1')
  })

  it('reports what was used up even if no episode was left to start', () => {
    const budget = budgetOf({ calls: 2 })
    expect(budget.begin()).toBe(true)
    expect(budget.goOn({ key: 'a', model: 'm', measures: row('m').measures })).toBe(false)
    expect(budget.reached()).toBe('The budget of this session is used up (--max-calls 2).')
    expect(budget.begin()).toBe(false)
  })
})

describe('flags of a budget', () => {
  it('are read as numbers', () => {
    const flags = { maxEpisodes: '5', maxCalls: '6', maxTokensTotal: '7', maxMinutes: '0.5', maxCost: '2', prices: 'p' }
    expect(readBudgetFlags(flags)).toEqual({ episodes: 5, calls: 6, tokens: 7, minutes: 0.5, cost: 2 })
    expect(readBudgetFlags({})).toEqual({})
  })

  it.each([
    [{ maxEpisodes: '0' }, "--max-episodes: expected a whole number from 1, got '0'."],
    [{ maxCalls: '1.5' }, "--max-calls: expected a whole number from 1, got '1.5'."],
    [{ maxTokensTotal: '' }, "--max-tokens-total: expected a whole number from 1, got ''."],
    [{ maxMinutes: '-1' }, "--max-minutes: expected a number above 0, got '-1'."],
    [{ maxCost: '0', prices: 'p' }, "--max-cost: expected a number above 0, got '0'."],
    [{ maxCost: '3' }, '--max-cost: expected --prices with a file of prices beside it, got none.'],
  ])('refuse %j', (flags, message) => {
    expect(() => readBudgetFlags(flags)).toThrow(message)
  })
})

describe('prices', () => {
  const file = (text: string): string => {
    const path = join(scratch, 'prices.json')
    writeFileSync(path, text)
    return path
  }

  it('are read for every requested model', () => {
    const path = file('{"m": {"prompt": 0.5, "completion": 1.5}, "other": {"prompt": 1, "completion": 1}}')
    expect(readPrices(path, ['m']).get('m')).toEqual({ prompt: 0.5, completion: 1.5 })
  })

  it.each([
    ['{"tuned-7b": {"prompt": 1, "completion": 1}}', /has no price for the model 'tuned'/],
    ['{}', /^--prices: .*prices\.json has no price for the model 'tuned'\. Add it/],
    ['{"tuned": {"prompt": -1, "completion": 1}}', /at 'tuned\.prompt'/],
    ['{"tuned": 3}', /at 'tuned'/],
    ['{', /^--prices: expected a JSON file of prices, but .* cannot be read/],
  ])('refuse %s', (text, message) => {
    expect(() => readPrices(file(text), ['tuned'])).toThrow(message)
  })

  it('are refused from a file that does not exist', () => {
    expect(() => readPrices(join(scratch, 'none.json'), [])).toThrow(/--prices: expected a JSON file .*ENOENT/)
  })
})
