import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitText, textWidth, wrapText } from '../../../reports/charts/_text.js'

describe('text of a width', () => {
  it('is guessed rather too wide than too narrow', () => {
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

  it('is cut in the middle, since names often differ in their ends', () => {
    expect(fitText('short', 100, 10)).toBe('short')
    const cut = ['agentrefine-4:intensity=0.25', 'agentrefine-4:intensity=0.5'].map((name) => fitText(name, 100, 10))
    expect(cut).toEqual(['agentref…ty=0.25', 'agentref…ity=0.5'])
  })

  it('fits, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 20, max: 200 }), (text, width) => {
        expect(textWidth(fitText(text, width, 10), 10)).toBeLessThanOrEqual(width)
      }),
    )
    expect(fitText('\u0301'.repeat(100_000), 50, 10).length).toBeLessThan(300)
  })

  it('is wrapped at spaces into no more lines than wanted, and says where it goes on', () => {
    expect(wrapText('one two three four', 50, 10, 3)).toEqual(['one two', 'three', 'four'])
    expect(wrapText('one two three four', 50, 10, 2)).toEqual(['one two', 'three…'])
    expect(wrapText('', 50, 10, 2)).toEqual([])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 1, max: 5 }), (text, most) => {
        const lines = wrapText(text, 80, 10, most)
        expect(lines.length).toBeLessThanOrEqual(most)
        for (const line of lines) expect(textWidth(line, 10)).toBeLessThanOrEqual(80)
      }),
    )
  })
})
