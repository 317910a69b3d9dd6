import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Outcome } from '../../src/core/episode.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { coloursOf } from '../../src/tables/colours.js'
import { widthOf } from '../../src/tables/plain.js'
import { createTally, progressLines, showProgress } from '../../src/run/progress.js'

function row(column: string, outcome: Outcome, error?: string, model = 'm'): EpisodeRow {
  return { column, outcome, model, ...(error !== undefined && { error }) } as EpisodeRow
}

const plan = {
  models: [{ name: 'm' }, { name: 'other' }],
  columns: [
    { label: 'none', perturbations: [] },
    { label: 'placebo', perturbations: [{ promise: 'identity' }] },
    { label: 'unlock', perturbations: [{ promise: 'invariant' }] },
  ],
} as const

function tallyOf(planned: number, played: readonly EpisodeRow[], seen: readonly EpisodeRow[] = []) {
  const tally = createTally(planned, plan)
  seen.forEach(tally.seen)
  played.forEach(tally.played)
  return tally.now()
}

describe('a tally', () => {
  it('counts stored, played and broken episodes, and never scores broken ones', () => {
    const tally = tallyOf(
      10,
      [
        row('none', 'success'),
        row('none', 'step-limit'),
        row('placebo', 'success'),
        row('unlock', 'model-error', 'gone'),
        row('unlock', 'model-error', 'gone'),
      ],
      [row('unlock', 'success'), row('unlock', 'environment-error', 'broken')],
    )
    expect(tally).toEqual({
      planned: 10,
      already: 1,
      played: 3,
      errors: 2,
      refused: 0,
      models: [
        { model: 'm', clean: { valid: 2, successes: 1 }, perturbed: { valid: 1, successes: 1 } },
        { model: 'other', clean: { valid: 0, successes: 0 }, perturbed: { valid: 0, successes: 0 } },
      ],
      messages: new Map([['model-error of m: gone', 2]]),
    })
  })
})

describe('the lines of progress', () => {
  const tally = tallyOf(
    2000,
    [row('none', 'success'), row('none', 'failure'), row('unlock', 'model-error')],
    [row('unlock', 'success'), row('unlock', 'failure', undefined, 'other')],
  )
  const view = { rate: 3, width: 100, height: 4 }

  it('show progress, speed, remaining time, and the success of each model, clean and perturbed', () => {
    expect(progressLines(tally, view)).toEqual([
      '0% · 5 of 2,000 episodes · 3.0/s · 12 min left · 1 in error',
      'success, clean → perturbed:  m 50% → 100%  other – → 0%',
    ])
    expect(progressLines(tally, { ...view, height: 1 })).toHaveLength(1)
  })

  it('are never wider than the terminal, nor more than fit, however many models there are', () => {
    const models = Array.from({ length: 40 }, (_, index) => ({ name: `模型-${String(index)}` }))
    const many = createTally(2000, { ...plan, models })
    for (const { name } of models) many.played(row('none', 'success', undefined, name))
    for (const width of [1, 10, 40, 79])
      for (const height of [1, 2, 4]) {
        const lines = progressLines(many.now(), { rate: 3, width, height })
        expect(lines.length).toBeLessThanOrEqual(height)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      }
  })
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
    const progress = showProgress(stream, { tally: tally.now, clock: () => now })
    const play = (ms: number) => {
      for (let step = 0; step < ms; step += 10) {
        tally.played(row('none', 'success'))
        now += 10
        vi.advanceTimersByTime(10)
      }
    }
    return { written, progress, play, stream }
  }

  it('redraws a terminal at most five times a second, over what is there, and a note stands above the lines', () => {
    const { written, progress, play, stream } = show(true)
    play(2000)
    expect(written.length).toBe(1 + 10)
    expect(written.at(-1)).toMatch(/^\r\u001b\[1A0% · 200 of [^\n]*\u001b\[K\nsuccess, [^\n]*\u001b\[K\u001b\[J$/)
    stream.columns = 20
    progress.note('Stopping.')
    // At 20 columns the first line takes three rows and the second two.
    expect(written.at(-2)).toBe('\r\u001b[4A\u001b[JStopping.\n')
    expect(written.at(-1)).toMatch(/^\r0%\u001b\[K\n200 of/)
    stream.columns = 60
    progress.end()
    expect(written.at(-1)).toMatch(/\u001b\[J0% · 200 of 100,000 episodes · 100\/s · [^\n]*\n$/)
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
    [{ CI: 'true' }, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
  ])('follow %j where isTTY is %s', (env, isTTY, expected) => {
    expect(coloursOf({ isTTY }, env).isColorSupported).toBe(expected)
  })
})
