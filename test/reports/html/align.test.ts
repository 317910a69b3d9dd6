import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { align, comparePrompts, firstDifference, wordDifference } from '../../../reports/html/page/align.js'
import type { ShownStep } from '../../../reports/html/packed.js'
import { makeStep, refusedStep } from './_runs.js'

/** Steps by letters: equal letters are equal steps. */
const steps = (letters: string): ShownStep[] => [...letters].map((letter) => makeStep(letter))

/** Rows as pairs of letters, `.` for a gap. */
const shown = (left: readonly ShownStep[], right: readonly ShownStep[]): string =>
  align(left, right)
    .map(
      (row) =>
        `${row.left === undefined ? '.' : left[row.left]!.action}${row.right === undefined ? '.' : right[row.right]!.action}`,
    )
    .join(' ')

describe('two episodes side by side', () => {
  it.each([
    ['the same', 'abc', 'abc', 'aa bb cc', -1],
    ['one step more', 'abc', 'axbc', 'aa .x bb cc', 1],
    ['another step', 'abc', 'axc', 'aa bx cc', 1],
    ['a longer end', 'ab', 'abcd', 'aa bb .c .d', 2],
  ])('are aligned: %s', (_, left, right, expected, first) => {
    expect(shown(steps(left), steps(right))).toBe(expected)
    expect(firstDifference(align(steps(left), steps(right)))).toBe(first)
  })

  it('have a refused action beside the corresponding command, and are aligned again after it', () => {
    const clean = [...steps('a'), makeStep('take x'), ...steps('b')]
    const perturbed = [
      ...steps('a'),
      refusedStep('take x'),
      refusedStep('take x'),
      makeStep('grab x', { command: 'take x', original: 'You did: take x.' }),
      ...steps('b'),
    ]
    const rows = align(clean, perturbed)
    expect(firstDifference(rows)).toBe(1)
    expect(rows.at(-1)).toEqual({ left: 2, right: 4, same: true })
    expect(align(clean.slice(0, 2), perturbed.slice(0, 2))[1]).toEqual({ left: 1, right: 1, same: false })
  })

  it('contain every step once and in order', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (left, right) => {
        const rows = align(steps(left), steps(right))
        expect(rows.flatMap((row) => row.left ?? [])).toEqual([...left].map((_, index) => index))
        expect(rows.flatMap((row) => row.right ?? [])).toEqual([...right].map((_, index) => index))
        for (const row of rows) {
          if (row.same) expect(left[row.left!]).toBe(right[row.right!])
        }
        expect(rows.every(({ same }) => same)).toBe(left === right)
      }),
    )
  })
})

const marked = (one: string, other: string): string[] =>
  wordDifference(one, other)!.map((runs) => runs.map(({ text, own }) => (own ? `[${text}]` : text)).join(''))

describe('the words of two texts', () => {
  it.each([
    ['take mug 1 from desk 1', 'from desk 1 take mug 1', '[take mug 1] from desk 1', 'from desk 1[ take mug 1]'],
    ['drawer 10', 'drawer 1', 'drawer[ 10]', 'drawer[ 1]'],
  ])('are compared: %s | %s', (one, other, left, right) => {
    expect(marked(one, other)).toEqual([left, right])
  })
})

describe('a comparison of prompts', () => {
  it('pairs messages by place, equal lines, and the lines between them in order', () => {
    const say = (...lines: readonly string[]) => ({ role: 'user' as const, content: lines.join('\n') })
    const clean = say('Play.', "- 'go to {recep}': walk", "- 'take {obj} from {recep}': pick up", 'Begin.')
    const other = say('Play.', "- 'walk to {recep}': walk", 'More.', "- 'take {obj} from {recep}': pick up", 'Begin.')
    const lines = comparePrompts([clean], [other, say('Again.')])
    expect(lines.map(({ left, right }) => (left === right ? '=' : [left, right]))).toEqual([
      '=',
      ["- 'go to {recep}': walk", "- 'walk to {recep}': walk"],
      [undefined, 'More.'],
      '=',
      '=',
      [undefined, 'Again.'],
    ])
  })
})
