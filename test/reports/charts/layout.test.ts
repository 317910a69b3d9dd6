import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearScale, spread, ticksOf } from '../../../reports/charts/_scale.js'
import { fitText, textWidth, wrapText } from '../../../reports/charts/_text.js'

describe('a linear scale', () => {
  it('maps its ends to its ends, and everything to the start if they are equal', () => {
    expect([0, 15, 30].map(linearScale(0, 30, 100, 40))).toEqual([100, 70, 40])
    expect(linearScale(2, 2, 5, 9)(2)).toBe(5)
  })
})

describe('ticks', () => {
  it.each([
    [0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0, 1, 3, [0, 0.5, 1]],
    [0, 30, 6, [0, 5, 10, 15, 20, 25, 30]],
    [1, 3, 8, [1, 1.5, 2, 2.5, 3]],
    [0, 10_000, 3, [0, 5000, 10_000]],
    [4, 4, 6, [4]],
  ])('from %d to %d, with at most %d steps', (from, to, max, ticks) => {
    expect(ticksOf(from, to, max)).toEqual(ticks)
  })

  it('are within the ends, with at most the given number of steps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 2, max: 10 }),
        (from, length, max) => {
          const ticks = ticksOf(from, from + length, max)
          expect(ticks.length).toBeLessThanOrEqual(max + 1)
          expect(ticks.every((tick) => tick >= from && tick <= from + length)).toBe(true)
        },
      ),
    )
  })
})

describe('spread positions', () => {
  it.each([
    ['stay if there is room', [10, 50, 90], [10, 50, 90]],
    ['move apart evenly', [50, 50], [45, 55]],
    ['push each other', [50, 52, 54], [42, 52, 62]],
    ['stay within the ends', [0, 0, 100], [0, 10, 100]],
    ['keep their order if they are equal', [5, 5, 5], [0, 10, 20]],
  ])('%s', (_, ideal, positions) => {
    expect(spread(ideal, 10, 0, 100)).toEqual(positions)
  })

  it('keep their gap, their order and their bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -20, max: 120, noNaN: true }), { maxLength: 11 }), (all) => {
        const positions = spread(all, 10, 0, 100)
        const sorted = positions.map((at, index) => ({ at, ideal: all[index]! })).sort((a, b) => a.at - b.at)
        sorted.forEach(({ at, ideal }, index) => {
          expect(at >= -1e-9 && at <= 100 + 1e-9).toBe(true)
          if (index === 0) return
          expect(at - sorted[index - 1]!.at).toBeGreaterThanOrEqual(10 - 1e-6)
          expect(ideal).toBeGreaterThanOrEqual(sorted[index - 1]!.ideal)
        })
      }),
    )
  })
})

describe('text', () => {
  it('is estimated slightly too wide, never too narrow', () => {
    // DejaVu Sans, the widest of the usual families: advance widths of its regular face in ems.
    const measured = {
      a: 0.613,
      e: 0.615,
      i: 0.278,
      m: 0.974,
      w: 0.818,
      A: 0.684,
      M: 0.863,
      W: 0.989,
      '0': 0.636,
      '.': 0.318,
      ' ': 0.318,
      '-': 0.361,
      '%': 0.95,
      '−': 0.838,
    }
    for (const [letter, width] of Object.entries(measured))
      expect(textWidth(letter, 1), letter).toBeGreaterThanOrEqual(width)
  })

  it('is cut in the middle, since names often differ at their ends', () => {
    expect(fitText('short', 100, 10)).toBe('short')
    const cut = ['agentrefine-4:intensity=0.25', 'agentrefine-4:intensity=0.5'].map((name) => fitText(name, 100, 10))
    expect(cut).toEqual(['agentref…ty=0.25', 'agentref…ity=0.5'])
  })

  it('always fits its width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 20, max: 200 }), (text, width) => {
        expect(textWidth(fitText(text, width, 10), 10)).toBeLessThanOrEqual(width)
      }),
    )
    expect(fitText('\u0301'.repeat(100_000), 50, 10).length).toBeLessThan(300)
  })

  it('is wrapped at spaces into at most the given number of lines, with … if it is cut', () => {
    expect(wrapText('one two three four', 50, 10, 3)).toEqual(['one two', 'three', 'four'])
    expect(wrapText('one two three four', 50, 10, 2)).toEqual(['one two', 'three…'])
    expect(wrapText('', 50, 10, 2)).toEqual([])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 1, max: 5 }), (text, max) => {
        const lines = wrapText(text, 80, 10, max)
        expect(lines.length).toBeLessThanOrEqual(max)
        for (const line of lines) expect(textWidth(line, 10)).toBeLessThanOrEqual(80)
      }),
    )
  })
})
