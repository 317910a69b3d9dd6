import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordDifference } from '../../../reports/html/page/word-difference.js'

const marked = (one: string, other: string): string[] =>
  wordDifference(one, other)!.map((runs) => runs.map(({ text, own }) => (own ? `[${text}]` : text)).join(''))

describe('words of two texts', () => {
  it.each([
    ['take mug 1 from desk 1', 'from desk 1 take mug 1', '[take mug 1 ]from desk 1', 'from desk 1[ take mug 1]'],
    ['clean mug 1 using sink 1', 'clean mug 1 with sink 1', 'clean mug 1 [using] sink 1', 'clean mug 1 [with] sink 1'],
    ['look', 'look', 'look', 'look'],
    ['', 'look', '', '[look]'],
    ['drawer 10', 'drawer 1', 'drawer [10]', 'drawer [1]'],
  ])('are told apart: %s | %s', (one, other, left, right) => {
    expect(marked(one, other)).toEqual([left, right])
  })

  it('make up the texts again, and what is shared is the same in both', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '你', '-', '😀')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [left, right] = wordDifference(one, other)!
        expect(left.map((run) => run.text).join('')).toBe(one)
        expect(right.map((run) => run.text).join('')).toBe(other)
        const shared = (runs: typeof left): string =>
          runs
            .filter(({ own }) => !own)
            .map((run) => run.text)
            .join('')
        expect(shared(left)).toBe(shared(right))
      }),
    )
  })

  it('are not told apart in texts that are too long', () => {
    expect(wordDifference('a '.repeat(600), 'b '.repeat(600))).toBeUndefined()
  })
})
