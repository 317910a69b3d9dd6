import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearScale, spread, ticksOf } from '../../../reports/charts/_scale.js'

describe('a linear scale', () => {
  it('puts its ends at its ends, and everything at the start where they are one', () => {
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
  ])('from %d to %d, %d at most', (from, to, most, ticks) => {
    expect(ticksOf(from, to, most)).toEqual(ticks)
  })

  it('are evenly apart, within the ends, and no more steps than wanted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 2, max: 10 }),
        (from, length, most) => {
          const ticks = ticksOf(from, from + length, most)
          expect(ticks.length).toBeLessThanOrEqual(most + 1)
          expect(ticks.every((tick) => tick >= from && tick <= from + length)).toBe(true)
        },
      ),
    )
  })
})

describe('places that are spread', () => {
  it.each([
    ['stay where there is room', [10, 50, 90], [10, 50, 90]],
    ['move apart evenly', [50, 50], [45, 55]],
    ['push each other', [50, 52, 54], [42, 52, 62]],
    ['stay within the ends', [0, 0, 100], [0, 10, 100]],
    ['keep the order in which they came where they are equal', [5, 5, 5], [0, 10, 20]],
  ])('%s', (_, wanted, places) => {
    expect(spread(wanted, 10, 0, 100)).toEqual(places)
  })

  it('keep their gap, their order and their bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -20, max: 120, noNaN: true }), { maxLength: 11 }), (wanted) => {
        const places = spread(wanted, 10, 0, 100)
        const sorted = places.map((place, index) => ({ place, wish: wanted[index]! })).sort((a, b) => a.place - b.place)
        sorted.forEach(({ place, wish }, index) => {
          expect(place >= -1e-9 && place <= 100 + 1e-9).toBe(true)
          if (index === 0) return
          expect(place - sorted[index - 1]!.place).toBeGreaterThanOrEqual(10 - 1e-6)
          expect(wish).toBeGreaterThanOrEqual(sorted[index - 1]!.wish)
        })
      }),
    )
  })
})
