import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Outcome } from '../../src/core/episode.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { coloursOf } from '../../src/tables/colours.js'
import { widthOf } from '../../src/tables/plain.js'
import type { Plan } from '../../src/run/plan.js'
import { createTally, progressLine, showProgress } from '../../src/run/progress.js'

function row(condition: string, outcome: Outcome, error?: string, model = 'm'): EpisodeRow {
  return { condition, outcome, model, ...(error !== undefined && { error }) } as EpisodeRow
}

const plan = {
  models: [{ name: 'm' }, { name: 'other' }],
  conditions: [
    { label: 'none', perturbations: [] },
    { label: 'placebo', perturbations: [{ promise: 'identity' }] },
    { label: 'unlock', perturbations: [{ promise: 'invariant' }] },
  ],
} as unknown as Plan

function tallyOf(planned: number, played: readonly EpisodeRow[], seen: readonly EpisodeRow[] = []) {
  const tally = createTally(planned, plan)
  seen.forEach(tally.seen)
  played.forEach(tally.played)
  return tally.now()
}

it('a tally counts stored, played and broken episodes, and never scores broken ones', () => {
  const gone = row('unlock', 'model-error', 'gone')
  const tally = tallyOf(
    10,
    [row('none', 'success'), row('none', 'step-limit'), row('placebo', 'success'), gone, gone],
    [row('unlock', 'success'), row('unlock', 'environment-error', 'broken')],
  )
  expect(tally).toEqual({
    ...{ planned: 10, already: 1, played: 3, errors: 2 },
    models: [
      { model: 'm', clean: { valid: 2, successes: 1 }, perturbed: { valid: 1, successes: 1 } },
      { model: 'other', clean: { valid: 0, successes: 0 }, perturbed: { valid: 0, successes: 0 } },
    ],
    messages: new Map([['model-error of m: gone', 2]]),
  })
})

it('the line of progress shows counts, speed, remaining time and use of servers, cut at the width', () => {
  const tally = tallyOf(2000, [row('none', 'success'), row('unlock', 'model-error')], [row('unlock', 'success')])
  const spent = { calls: 12, tokens: 3400 }
  const line = progressLine({ tally, spent, pauses: ['模型 pauses for 5 s'] }, 3, 100)
  expect(line).toBe(
    '0% · 3 of 2,000 episodes · 3.0/s · 12 min left · 1 in error · 12 calls · 3,400 tokens · 模型 pauses…',
  )
  expect(widthOf(line)).toBeLessThanOrEqual(100)
})

describe('showing progress', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function show(isTTY: boolean) {
    vi.stubEnv('NO_COLOR', '1')
    const tally = createTally(100_000, plan)
    const written: string[] = []
    let now = 0
    const stream = { isTTY, columns: 60, rows: 24, write: (text: string) => written.push(text) }
    const progress = showProgress(
      stream,
      () => ({ tally: tally.now() }),
      () => now,
    )
    const play = (ms: number) => {
      for (let step = 0; step < ms; step += 10) {
        tally.played(row('none', 'success'))
        now += 10
        vi.advanceTimersByTime(10)
      }
    }
    return { written, progress, play, stream }
  }

  it('redraws the line of a terminal five times a second, and a note stands above it', () => {
    const { written, progress, play, stream } = show(true)
    play(2000)
    expect(written.length).toBe(1 + 10)
    expect(written.at(-1)).toMatch(/^\r0% · 200 of [^\n]*\u001b\[K$/)
    stream.columns = 10
    progress.note('Stopping.')
    expect(written.slice(-2)).toEqual(['\rStopping.\u001b[K\n', '\r0% · 200…\u001b[K'])
    progress.end()
    const count = written.length
    play(1000)
    expect(written.length).toBe(count)
  })

  it('writes a plain line every ten seconds if there is no terminal, and one at the end', () => {
    const { written, progress, play } = show(false)
    play(25_000)
    expect(written.length).toBe(2)
    progress.end()
    expect(written.at(-1)).toBe('2% · 2,500 of 100,000 episodes · 100/s · 17 min left\n')
    expect(written.join('')).not.toContain('\u001b')
  })
})

describe('colours', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ TERM: 'dumb' }, true, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
  ])('follow %j where isTTY is %s', (env, isTTY, expected) => {
    expect(coloursOf({ isTTY }, env).isColorSupported).toBe(expected)
  })
})
