import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createNumpyRandom, seedWords } from '../../../src/environments/babyai/simulator/numpy-random.js'
import { sharedData } from '../../shared-data.js'

describe('the stream of a seed', () => {
  it('starts as in numpy 1.24', () => {
    expect(seedWords(1234n, 4)).toEqual([
      6882349382922872486n,
      11590492409849068143n,
      12133961332504294695n,
      7528486351679201682n,
    ])
    const words = createNumpyRandom(1234n)
    expect([words.word(), words.word()]).toEqual([18016930633132456890n, 7013373421822782593n])
    const random = createNumpyRandom(1234n)
    const draws = [22, 5, 3e9, 6, 3e9, 3e9, 1000, 18, 1, 8].map((range) => random.integer(0, range))
    expect(draws).toEqual([21, 4, 2963821739, 2, 314677933, 785077271, 138, 5, 0, 4])
  })

  it('accepts seeds of any size', () => {
    expect(seedWords(2n ** 200n + 5n, 2)).not.toEqual(seedWords(5n, 2))
    expect(seedWords(0n, 1)).toEqual([15793235383387715774n])
  })
})

interface Vector {
  readonly seed: string
  readonly gs: readonly string[]
  readonly state: string
  readonly inc: string
  readonly raw: readonly string[]
  readonly seq: readonly (readonly [number | 'f', number])[]
  readonly after: readonly [state: string, hasUint32: number, uinteger: number]
}

describe.skipIf(sharedData === undefined)('numpy’s own recordings', () => {
  it('are matched by every draw, and by the state after the last', () => {
    const vectors = JSON.parse(readFileSync(join(sharedData!, 'babyai/rng_vectors.json'), 'utf8')) as Vector[]
    expect(vectors.length).toBeGreaterThan(5)
    for (const vector of vectors) {
      const seed = BigInt(vector.seed)
      expect(seedWords(seed, 4).map(String)).toEqual(vector.gs)
      const words = createNumpyRandom(seed)
      expect(words.state()).toMatchObject({ state: BigInt(vector.state), inc: BigInt(vector.inc) })
      expect(vector.raw.map(() => String(words.word()))).toEqual(vector.raw)
      const random = createNumpyRandom(seed)
      const drawn = vector.seq.map(([range]) => (range === 'f' ? random.float() : random.integer(0, range)))
      expect(drawn).toEqual(vector.seq.map(([, value]) => value))
      const [state, hasUint32, uinteger] = vector.after
      expect(random.state()).toMatchObject({ state: BigInt(state), hasUint32: hasUint32 === 1, uinteger })
    }
  })
})
