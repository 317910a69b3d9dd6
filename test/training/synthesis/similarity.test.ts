import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { createDuplicateFinder, scriptWords } from '../../../src/training/synthesis/similarity.js'

/** A script of which the words are those given. */
const scriptOf = (words: readonly string[]) => ({ Goal: words.join(' ') })

describe('the words of a script', () => {
  it('are the templates without slot names, the things at any depth, and the words of the goal', () => {
    const script = {
      Environment: { kitchen: { Shelf: { is: ['dusty'], mug: {} } }, cellar: {} },
      Start: 'kitchen',
      Goal: 'Put the mug on the shelf.',
      'Available Actions': { 'take {obj} from {recep}': {} },
    }
    expect(scriptWords(script)).toEqual([
      'action: take {} from {}',
      'thing: shelf',
      'thing: mug',
      ...['put', 'the', 'mug', 'on', 'the', 'shelf'].map((word) => `word: ${word}`),
    ])
  })

  it('are read to a bounded depth', () => {
    let deep: Record<string, unknown> = {}
    for (let depth = 0; depth < 20_000; depth++) deep = { box: deep }
    expect(scriptWords({ Environment: { cellar: deep } }).length).toBeLessThan(20)
  })
})

describe('a finder of near duplicates', () => {
  it('takes a similarity at the threshold, and none below', () => {
    const finder = createDuplicateFinder(0.8)
    finder.add(scriptOf(['a', 'b', 'c', 'd', 'e']))
    expect(finder.add(scriptOf(['a', 'b', 'c', 'x']))).toBeUndefined()
    expect(finder.add(scriptOf(['a', 'b', 'c', 'd']))).toBe(0)
  })

  it.each([0.3, 0.5, 0.8, 1])('finds what a comparison with all finds, at %d', (threshold) => {
    const random = createRandom('words')
    const finder = createDuplicateFinder(threshold)
    const kept: { readonly index: number; readonly words: ReadonlySet<string> }[] = []
    let found = 0
    for (let index = 0; index < 400; index++) {
      const words = Array.from({ length: 1 + random.int(8) }, () => random.pick([...'abcdefghij']))
      const set = new Set(words)
      const twin = kept
        .map((one) => {
          const shared = [...set].filter((word) => one.words.has(word)).length
          return { index: one.index, similarity: shared / (set.size + one.words.size - shared) }
        })
        .filter(({ similarity }) => similarity >= threshold)
        .sort((one, other) => other.similarity - one.similarity || one.index - other.index)[0]
      expect(finder.add(scriptOf([...set]))).toBe(twin?.index)
      if (twin === undefined) kept.push({ index, words: set })
      else found++
    }
    expect(found).toBeGreaterThan(20)
  })

  it('takes ten thousand scripts', () => {
    const random = createRandom('many')
    const words = Array.from({ length: 300 }, (_, index) => `w${String(index)}`)
    const finder = createDuplicateFinder()
    const found = Array.from({ length: 10_000 }, () => finder.add(scriptOf(random.shuffle(words).slice(0, 50))))
    expect(found.filter((twin) => twin !== undefined)).toEqual([])
  })
})
