import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { createKernels, createMemory } from '../../../src/learn/transformer/kernels.js'

const memory = createMemory(100_000)
const kernels = createKernels(memory)
const floats = new Float32Array(memory.buffer)
const random = createRandom('kernels')
const fill = (at: number, length: number): void => {
  for (let index = at; index < at + length; index++) floats[index] = random.next() * 2 - 1
}

describe('kernels', () => {
  it.each([
    [4, 4, 8],
    [12, 20, 24],
    [36, 64, 40],
  ])('multiply matrices of %d × %d and %d columns', (rows, inner, columns) => {
    const [a, b, packed, c] = [0, 10_000, 20_000, 30_000]
    const stride = inner + 4
    fill(a, rows * stride)
    fill(b, inner * columns)
    fill(c, rows * columns)
    const before = floats.slice(c, c + rows * columns)
    const value = (row: number, column: number): number => {
      let sum = before[row * columns + column]!
      for (let at = 0; at < inner; at++) sum += floats[a + row * stride + at]! * floats[b + at * columns + column]!
      return sum
    }
    const check = (): void => {
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          expect(floats[c + row * columns + column]).toBeCloseTo(value(row, column), 4)
        }
      }
    }
    kernels.pack(b, columns, inner, columns, packed, inner * 8)
    kernels.multiply(c, columns, a, stride, packed, inner * 8, rows, inner, columns, true)
    check()
    before.fill(0)
    kernels.multiply(c, columns, a, stride, packed, inner * 8, rows, inner, columns)
    check()
    const [turnedA, turnedB] = [40_000, 50_000]
    for (let row = 0; row < rows; row++) {
      for (let at = 0; at < inner; at++) floats[turnedA + at * rows + row] = floats[a + row * stride + at]!
    }
    for (let column = 0; column < columns; column++) {
      for (let at = 0; at < inner; at++) floats[turnedB + column * inner + at] = floats[b + at * columns + column]!
    }
    floats.fill(0, packed, packed + inner * columns)
    kernels.packTransposed(turnedB, inner, inner, columns, packed, inner * 8)
    kernels.multiplyTransposed(c, columns, turnedA, rows, packed, inner * 8, rows, inner, columns)
    check()
  })

  it('compute softmax, also of large numbers', () => {
    const values = [-1e30, -90, 3, 2.5, -4, 0, 1, 100, 99, 98, 7, -100]
    floats.set(values)
    kernels.softmax(0, 12, 0.5)
    const powers = values.map((value) => Math.exp(0.5 * (value - 100)))
    const sum = powers.reduce((total, power) => total + power, 0)
    powers.forEach((power, at) => expect(floats[at]).toBeCloseTo(power / sum, 6))
  })

  it('work by elements', () => {
    floats.set([1, -2, 3, 4, 2, 2, -1, 0.5, 10, 10, 10, 10])
    kernels.addProduct(8, 0, 4, 4)
    expect([...floats.subarray(8, 12)]).toEqual([12, 6, 7, 12])
    kernels.setProduct(8, 0, 4, 4)
    expect([...floats.subarray(8, 12)]).toEqual([2, -4, -3, 2])
    kernels.addTo(8, 0, 4)
    expect([...floats.subarray(8, 12)]).toEqual([3, -6, 0, 6])
    kernels.squareRelu(8, 0, 4)
    expect([...floats.subarray(8, 12)]).toEqual([1, 0, 9, 16])
    kernels.squareReluBack(4, 0, 4)
    expect([...floats.subarray(4, 8)]).toEqual([4, 0, -6, 4])
  })
})
