import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { createKernels, createMemory } from '../../../src/learn/transformer/kernels.js'
import { createNetwork } from '../../../src/learn/transformer/network.js'
import { layParameters, startParameters } from '../../../src/learn/transformer/shape.js'

const shape = { vocabulary: 16, width: 16, layers: 2, heads: 2, inner: 32 }
const parameters = layParameters(shape)
const { size } = parameters
const random = createRandom('network')

function create(isTrained: boolean) {
  const limits = { rows: 64, length: 64, isTrained }
  const make = (floats: number) => {
    const memory = createMemory(floats)
    const places = { weights: 0, work: 2 * size }
    const network = createNetwork(memory, createKernels(memory), shape, parameters, places, limits)
    return { floats: new Float32Array(memory.buffer), network }
  }
  return make(2 * size + make(0).network.workSize)
}

const count = 56
const tokens = Int32Array.from({ length: count }, () => random.int(16))
const features = Int32Array.from({ length: count }, () => random.int(8))
const rows = {
  tokens,
  features,
  count,
  sequences: [
    { at: 0, length: 40 },
    { at: 40, length: 16 },
  ],
}

describe('a network', () => {
  it('computes the gradient of its loss', () => {
    const { floats, network } = create(true)
    startParameters(floats, parameters, random)
    for (const { kind, at, rows: height, columns } of parameters.all) {
      for (let index = at; index < at + height * columns; index++) {
        if (kind === 'mix') floats[index] = random.next()
        if (kind === 'embedding') floats[index]! *= 10
      }
    }
    const targets = Int32Array.from({ length: count }, () => random.int(16))
    const weights = Float32Array.from({ length: count }, () => (random.next() < 0.6 ? random.next() : 0))
    const lossAt = (): number => {
      network.readWeights()
      network.forward(rows)
      floats.fill(0, size, 2 * size)
      return network.backward(rows, targets, weights, size, () => undefined)
    }
    lossAt()
    const gradient = floats.slice(size, 2 * size)
    const largest = gradient.reduce((most, one) => Math.max(most, Math.abs(one)), 0)
    expect(largest).toBeGreaterThan(1)
    for (const { at, rows: height, columns } of parameters.all) {
      for (let sample = 0; sample < 8; sample++) {
        const index = at + random.int(height * columns)
        const [before, small] = [floats[index]!, 0.01]
        floats[index] = before + small
        const above = lossAt()
        floats[index] = before - small
        const below = lossAt()
        floats[index] = before
        expect(Math.abs((above - below) / (2 * small) - gradient[index]!)).toBeLessThan(0.001 * largest)
      }
    }
  })

  it('continues from rows that it has computed, with equal results', () => {
    const { floats, network } = create(false)
    startParameters(floats, parameters, random)
    network.readWeights()
    const one = { tokens, features, count: 56, sequences: [{ at: 0, length: 56 }] }
    network.forward(one)
    const whole = floats.slice(network.logitsAt(50), network.logitsAt(50) + 16)
    network.forward({
      ...one,
      tokens: tokens.map((token, at) => (at < 27 ? token : 0)),
      count: 32,
      sequences: [{ at: 0, length: 32 }],
    })
    network.forward(one, 24)
    expect(floats.slice(network.logitsAt(50), network.logitsAt(50) + 16)).toEqual(whole)
    expect(new Set(whole).size).toBeGreaterThan(8)
  })
})
