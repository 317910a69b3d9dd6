import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EpisodeRow, Outcome } from '../../src/core/episode.js'
import { createTally, progressLine, showProgress } from '../../src/run/progress.js'

function row(column: string, outcome: Outcome, error?: string): EpisodeRow {
  return { column, outcome, model: 'm', ...(error !== undefined && { error }) } as EpisodeRow
}

function tallyOf(planned: number, played: readonly EpisodeRow[], seen: readonly EpisodeRow[] = []) {
  const tally = createTally(planned, ['none', 'unlock'])
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
        row('unlock', 'model-error', 'gone'),
        row('unlock', 'model-error', 'gone'),
      ],
      [row('unlock', 'success'), row('unlock', 'environment-error', 'broken')],
    )
    expect(tally).toEqual({
      planned: 10,
      already: 1,
      played: 2,
      errors: 2,
      columns: [
        { label: 'none', valid: 2, successes: 1 },
        { label: 'unlock', valid: 1, successes: 1 },
      ],
      messages: new Map([['model-error of m: gone', 2]]),
    })
  })
})

describe('the progress line', () => {
  const tally = tallyOf(
    2000,
    [row('none', 'success'), row('none', 'failure'), row('unlock', 'model-error')],
    [row('unlock', 'success')],
  )

  it('shows progress, speed, remaining time, and the success of each column', () => {
    expect(progressLine(tally, 3, 200)).toBe(
      '0% · 4 of 2,000 episodes · 3.0/s · 12 min left · 1 in error · success: none 50% unlock 100%',
    )
  })

  it('shows which server asks to wait, how, and for how much longer', () => {
    expect(progressLine(tally, 0, 80, ['host:8000 asks to wait 42 s (Retry-After)'])).toContain(
      '0% · 4 of 2,000 episodes · host:8000 asks to wait 42 s (Retry-After) · 1 in ',
    )
  })

  it('is never wider than the terminal', () => {
    for (const width of [1, 10, 40, 79]) expect(progressLine(tally, 3, width).length).toBeLessThanOrEqual(width)
  })

  it('has no rate before the first episode and no remaining time after the last', () => {
    expect(progressLine(tallyOf(2, []), 0, 80)).toBe('0% · 0 of 2 episodes')
    expect(progressLine(tallyOf(1, [row('none', 'success')]), 10, 80)).toBe(
      '100% · 1 of 1 episodes · 10/s · success: none 100%',
    )
  })
})

describe('showing progress', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function show(isTTY: boolean) {
    const tally = createTally(100_000, ['none'])
    const written: string[] = []
    let now = 0
    const progress = showProgress({ isTTY, columns: 60, write: (text) => written.push(text) }, tally.now, () => now)
    const play = (ms: number) => {
      for (let step = 0; step < ms; step += 10) {
        tally.played(row('none', 'success'))
        now += 10
        vi.advanceTimersByTime(10)
      }
    }
    return { written, progress, play }
  }

  it('redraws a terminal at most five times a second, and a note stands above the line', () => {
    const { written, progress, play } = show(true)
    play(2000)
    expect(written.length).toBe(1 + 10)
    expect(written.every((text) => text.startsWith('\r\u001b[2K'))).toBe(true)
    progress.note('Stopping.')
    expect(written.at(-2)).toBe('\r\u001b[2KStopping.\n')
    progress.end()
    expect(written.at(-1)).toMatch(/^\r\u001b\[2K0% · 200 of 100,000 episodes · 100\/s · .*\n$/)
    const count = written.length
    play(1000)
    expect(written.length).toBe(count)
  })

  it('writes a plain line every ten seconds if there is no terminal, and one at the end', () => {
    const { written, progress, play } = show(false)
    play(25_000)
    expect(written.length).toBe(2)
    progress.end()
    expect(written.at(-1)).toMatch(/^2% · 2,500 of 100,000 episodes · 100\/s · 17 min left · success: none 100%\n$/)
    expect(written.join('')).not.toContain('\u001b')
  })
})
