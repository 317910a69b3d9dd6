import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaskVector } from '../../src/gate/vectors.js'
import { readVector, spellVector } from '../../src/gate/vectors.js'

const vector = (success: TaskVector['success'], progress: TaskVector['progress']): TaskVector => ({ success, progress })

describe('the outcomes of a task as text', () => {
  it.each<[string, TaskVector[]]>([
    ['11010 11111', [vector([1, 1, 0, 1, 0], [1, 1, 0, 1, 0]), vector([1, 1, 1, 1, 1], [1, 1, 1, 1, 1])]],
    ['x(1/3)(0.5) 0x1', [vector([null, 0, 0], [null, 1 / 3, 0.5]), vector([0, null, 1], [0, null, 1])]],
    ['(2/7)', [vector([0], [2 / 7])]],
    ['(0.123456789)', [vector([0], [0.123456789])]],
    ['(1e-9)(1)', [vector([0, 0], [1e-9, 1])]],
    ['1[2/3][0](0.75)', [vector([1, 1, 1, 0], [1, 2 / 3, 0, 0.75])]],
  ])('%s', (text, vectors) => {
    expect(spellVector(vectors)).toBe(text)
    expect(
      readVector(
        text,
        vectors.map(({ success }) => success.length),
      ),
    ).toEqual(vectors)
  })

  it('is read back to the same numbers, whatever they are', () => {
    const one = fc.oneof(
      fc.constant({ success: null, progress: null }),
      fc.constant({ success: 1 as const, progress: 1 }),
      fc
        .oneof(
          fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
          fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 100 })).map(([a, b]) => Math.min(1, a / b)),
        )
        .chain((progress) =>
          fc.record({ success: fc.constantFrom(0 as const, 1 as const), progress: fc.constant(progress) }),
        ),
    )
    fc.assert(
      fc.property(fc.array(fc.array(one, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }), (groups) => {
        const vectors = groups.map((group) =>
          vector(
            group.map(({ success }) => success),
            group.map(({ progress }) => progress),
          ),
        )
        const counts = groups.map(({ length }) => length)
        expect(readVector(spellVector(vectors), counts)).toEqual(vectors)
      }),
    )
  })

  it.each([
    ['110', [2], /^2 signs in each group, one for each seed, got 3$/],
    ['11 11', [2], /^1 groups of signs, one for each temperature, got 2$/],
    ['12', [2], /^signs 1, 0, x, or a progress .* got '12'$/],
    ['(1.5)', [1], /^signs 1, 0, x/],
    ['(0.5', [1], /^signs 1, 0, x/],
    ['[0.5)', [1], /^signs 1, 0, x/],
    ['('.repeat(100_000), [1], /got '\({60}'$/],
  ])('are refused with a message: %.20s', (text, seeds, message) => {
    expect(readVector(text, seeds)).toMatch(message)
  })
})
