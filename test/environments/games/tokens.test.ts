import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../../src/environments/games/sentences.js'
import { wordsOf } from '../../../src/environments/games/tokens.js'
import { readJsonLines, sharedData, sharedRows } from '../../shared-data.js'

interface Recorded {
  readonly text: string
  readonly sentences: readonly string[]
  readonly words: readonly string[]
  /** What decides in the model: nothing, its abbreviations, or its table of spellings. */
  readonly needs?: string
}

const read = ({ text }: Recorded): Recorded => ({ text, sentences: sentencesOf(text), words: wordsOf(text) })

describe('words and sentences', () => {
  it('equal those of NLTK for 180 texts typical of models', () => {
    // Our own texts. Their sentences and words come from NLTK with the rules of 3.8 and the model's lists.
    const recorded = readJsonLines<Recorded>(fileURLToPath(new URL('../../fixtures/nltk-words.jsonl', import.meta.url)))
    expect(recorded.map(read)).toEqual(recorded)
    expect(recorded).toHaveLength(180)
  })

  it.skipIf(sharedData === undefined)('equal those recorded from NLTK 3.8 with its English model', () => {
    const recorded = sharedRows<Recorded>('pddl/nltk-tokens.jsonl')
    const decided = recorded.filter(({ needs }) => needs !== 'orthography')
    expect(decided.map((one) => ({ ...read(one), needs: one.needs }))).toEqual(decided)
    expect(decided.length).toBeGreaterThan(2000)
  })

  it.each(['.', "'", '.)\n', 'b. ', '-'])('are found in time that grows linearly with repetitions of %j', (piece) => {
    const begun = process.cpuUsage()
    for (const text of [`a.${piece.repeat(100_000 / piece.length)}b`, piece.repeat(100_000 / piece.length)]) {
      wordsOf(text)
    }
    expect(process.cpuUsage(begun).user).toBeLessThan(10_000_000)
  })
})
