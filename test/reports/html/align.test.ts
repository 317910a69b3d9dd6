import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { align, partingRow } from '../../../reports/html/page/align.js'
import type { ShownStep } from '../../../reports/html/packed.js'
import { makeStep, refusedStep } from './_spoken-run.js'

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

describe('two episodes beside each other', () => {
  it.each([
    ['the same', 'abc', 'abc', 'aa bb cc', -1],
    ['one step more', 'abc', 'axbc', 'aa .x bb cc', 1],
    ['one step less', 'abc', 'ac', 'aa b. cc', 1],
    ['another step', 'abc', 'axc', 'aa bx cc', 1],
    ['nothing in common', 'ab', 'xy', 'ax by', 0],
    ['one empty', '', 'ab', '.a .b', 0],
    ['both empty', '', '', '', -1],
    ['a longer end', 'ab', 'abcd', 'aa bb .c .d', 2],
  ])('are aligned: %s', (_, left, right, expected, parting) => {
    expect(shown(steps(left), steps(right))).toBe(expected)
    expect(partingRow(align(steps(left), steps(right)))).toBe(parting)
  })

  it('are compared by what the environment heard, not by what was said', () => {
    const clean = [makeStep('take mug 1 from desk 1', { observation: 'Taken.' })]
    const perturbed = [
      makeStep('from desk 1 take mug 1', {
        command: 'take mug 1 from desk 1',
        observation: 'Got it.',
        original: 'Taken.',
      }),
    ]
    expect(align(clean, perturbed)).toEqual([{ left: 0, right: 0, same: true }])
  })

  it('part where the environment answers something else', () => {
    expect(align([makeStep('look')], [makeStep('look', { observation: 'Dark.' })])).toEqual([
      { left: 0, right: 0, same: false },
    ])
  })

  it('put a refused action beside the one that it would have been, and go on together after it', () => {
    const clean = [...steps('a'), makeStep('take x'), ...steps('b')]
    const perturbed = [
      ...steps('a'),
      refusedStep('take x'),
      refusedStep('take x'),
      makeStep('grab x', { command: 'take x', original: 'You did: take x.' }),
      ...steps('b'),
    ]
    const rows = align(clean, perturbed)
    expect(partingRow(rows)).toBe(1)
    expect(rows.at(-1)).toEqual({ left: 2, right: 4, same: true })
    expect(align(clean.slice(0, 2), perturbed.slice(0, 2))[1]).toEqual({ left: 1, right: 1, same: false })
  })

  it('hold every step once and in order', () => {
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

  it('are paired step by step where they are too long for a table', () => {
    const rows = align(steps('ab'.repeat(1500)), steps('ab'.repeat(1600)))
    expect(rows).toHaveLength(3200)
    expect(partingRow(rows)).toBe(3000)
  })
})
