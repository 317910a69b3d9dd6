import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { drawClusters, wholeNumbers } from '../../src/statistics/half-samples.js'
import { type UnitVector, dot, logDeterminant, meanPairwiseCosine, unitVector } from '../../src/statistics/vectors.js'

const unit = (...values: number[]): UnitVector => unitVector(values)!

/** Random vectors with many zeros, whose places differ. */
function randomVectors(count: number, dimensions: number, seed: string): UnitVector[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const places = Array.from({ length: dimensions }, (_, place) => place).filter(() => random.next() < 0.4)
    const at = places.length === 0 ? [0] : places
    return unitVector(
      at.map(() => random.next() - 0.3),
      at,
    )!
  })
}

function cosine(one: UnitVector, other: UnitVector): number {
  const full = new Float64Array(1000)
  other.at.forEach((place, index) => (full[place] = other.values[index]!))
  return dot(one, full)
}

describe('unitVector', () => {
  it('has length 1, also where squares overflow, and is undefined without a direction', () => {
    expect([...unit(3, 4).values]).toEqual([0.6, 0.8])
    expect([...unit(3e200, 4e200).values].map((value) => value.toFixed(3))).toEqual(['0.600', '0.800'])
    expect(unitVector([0, 0])).toBeUndefined()
  })
})

describe('meanPairwiseCosine', () => {
  it('is the mean over all pairs', () => {
    expect(meanPairwiseCosine([unit(1, 0), unit(1, 0), unit(0, 1)])).toBeCloseTo(1 / 3, 12)
    expect(meanPairwiseCosine([unit(1, 0), unit(-1, 0)])).toBeCloseTo(-1, 12)
    const vectors = randomVectors(40, 30, 'pairs')
    const pairs = vectors.flatMap((one, at) => vectors.slice(at + 1).map((other) => cosine(one, other)))
    expect(meanPairwiseCosine(vectors)).toBeCloseTo(pairs.reduce((sum, value) => sum + value, 0) / pairs.length, 12)
    expect(meanPairwiseCosine([unit(1)])).toBeUndefined()
  })
})

describe('logDeterminant', () => {
  it('has its bounds for equal and for orthogonal vectors', () => {
    const axes = Array.from({ length: 5 }, (_, place) => unitVector([1], [place])!)
    expect(logDeterminant(axes)).toBeCloseTo(Math.log(2), 12)
    expect(logDeterminant(axes.map(() => axes[2]!))).toBeCloseTo(Math.log(6) / 5, 12)
    expect(logDeterminant([])).toBeUndefined()
  })

  it('is the logarithm of the determinant of I + K, worked out for two and three vectors', () => {
    const [a, b, c] = [unit(1, 2, 0), unit(0, 1, 3), unit(2, 0, 1)]
    const [ab, ac, bc] = [cosine(a, b), cosine(a, c), cosine(b, c)]
    expect(logDeterminant([a, b])).toBeCloseTo(Math.log(4 - ab ** 2) / 2, 12)
    const sarrus = 8 + 2 * ab * ac * bc - 2 * (ab ** 2 + ac ** 2 + bc ** 2)
    expect(logDeterminant([a, b, c])).toBeCloseTo(Math.log(sarrus) / 3, 12)
  })
})

describe('half-samples', () => {
  it('take whole clusters, none twice, and cut the last', () => {
    const draw = wholeNumbers(createRandom('draw').next)
    const clusters = ['aaa', '', 'bbbbb', 'cc', 'dddd'].map((members) => [...members])
    for (let round = 0; round < 50; round++) {
      const drawn = drawClusters(clusters, 7, draw)
      expect(new Set(drawn.map(([member]) => member)).size).toBe(drawn.length)
      expect(drawn.flat().length).toBe(7)
      for (const members of drawn.slice(0, -1)) expect(clusters).toContainEqual(members)
    }
  })
})
