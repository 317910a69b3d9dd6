import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spread, ticksOf } from '../../../reports/charts/_scale.js'
import { textWidth, wrapText } from '../../../reports/charts/_text.js'

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
})

describe('text', () => {
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
