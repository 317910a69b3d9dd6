import { expect, it } from 'vitest'
import { createBatchSize } from '../../src/queue/batch-size.js'

/** Sizes of batches of 16 cells or a multiple, for 4 slots, after a batch whose episodes took `milliseconds` each. */
function sizeAfter(milliseconds: number, wanted: number, slots = 4): number {
  const size = createBatchSize(16, wanted)
  size.slots = slots
  size.played(16, 16 * milliseconds)
  return size.next()
}

it.each([
  ['of episodes that take 10 ms: half a second', 10, 1e6, 48],
  ['of the least size if one episode takes a second', 1000, 1e6, 16],
  ['bounded, since the next episodes may take longer', 0.1, 1e6, 128],
  ['bounded also if no time was measured', 0, 1e6, 128],
  ['such that each slot has four of what is left', 0.1, 1600, 96],
  ['of the least size near the end', 0.1, 50, 16],
])('a batch is %s', (_, milliseconds, wanted, cells) => {
  expect(sizeAfter(milliseconds, wanted)).toBe(cells)
})

it('is of the least size until a time is measured and a worker is there', () => {
  const size = createBatchSize(16, 1e6)
  expect(size.next()).toBe(16)
  size.played(16, 1)
  expect(size.next()).toBe(16)
  size.slots = 4
  expect(size.next()).toBe(128)
})

it('follows what is left and how long episodes take', () => {
  const size = createBatchSize(16, 1600)
  size.slots = 4
  size.played(16, 1)
  expect(size.next()).toBe(96)
  size.taken(800)
  expect(size.next()).toBe(48)
  for (let batch = 0; batch < 10; batch++) size.played(1, 1000)
  expect(size.next()).toBe(16)
})
