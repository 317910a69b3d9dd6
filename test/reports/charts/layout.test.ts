import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spread, ticksOf } from '../../../reports/charts/_scale.js'
import { fitText, textWidth, wrapText } from '../../../reports/charts/_text.js'

describe('ticks', () => {
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
