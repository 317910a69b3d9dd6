import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { sentencesOf } from '../../../src/environments/games/sentences.js'
import { wordsOf } from '../../../src/environments/games/tokens.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { sharedData } from '../../shared-data.js'

interface Recorded {
  readonly text: string
  readonly sentences: readonly string[]
  readonly words: readonly string[]
  /** What decides in the model: nothing, its abbreviations, or its table of spellings. */
  readonly needs?: string
}

const readLines = (path: string): readonly Recorded[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)

const read = ({ text }: Recorded): Recorded => ({ text, sentences: sentencesOf(text), words: wordsOf(text) })

describe('words and sentences', () => {
  it('equal those of NLTK for 180 texts typical of models', () => {
    // Our own texts. Their sentences and words come from NLTK with the rules of 3.8 and the model's lists.
    const recorded = readLines(fileURLToPath(new URL('../../fixtures/nltk-words.jsonl', import.meta.url)))
    expect(recorded.map(read)).toEqual(recorded)
    expect(recorded).toHaveLength(180)
  })

  it.skipIf(sharedData === undefined)('equal those recorded from NLTK 3.8 with its English model', () => {
    const recorded = readLines(join(sharedData!, 'pddl', 'nltk-tokens.jsonl'))
    const decided = recorded.filter(({ needs }) => needs !== 'orthography')
    expect(decided.map((one) => ({ ...read(one), needs: one.needs }))).toEqual(decided)
    expect(decided.length).toBeGreaterThan(2000)
  })

  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...`ab1 .?!'"\`)(*,:;-\n\u00a0\u{1f642}`), maxLength: 30 }),
  )
  // White space as in Python, and quotes, which become other quotes.
  const rest = (text: string): string => text.replace(/[\s\x1c-\x1f\x85"'`]/g, (one) => (one === '\ufeff' ? one : ''))

  it('omit only white space, and change only quotes', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(rest(wordsOf(text).join(''))).toBe(rest(text))
        expect(rest(sentencesOf(text).join(''))).toBe(rest(text))
        for (const sentence of sentencesOf(text)) expect(text).toContain(sentence)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ...['.', ' ', "'", '"', '. ', '! ', '." ', '.)\n', "a'", 'a', '(', ':'],
    ...['.\u3000', '.\u00a0', '-', '--', '1', 'b. ', '1. ', '\u{1f642}.'],
  ])('are found in time that grows linearly with repetitions of %j', (piece) => {
    const begun = performance.now()
    for (const text of [`a.${piece.repeat(100_000 / piece.length)}b`, piece.repeat(100_000 / piece.length)]) {
      wordsOf(text)
    }
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})

describe('a plan with the marks of a chat model', () => {
  it('wins as it does without them', async () => {
    const environment = await openEnvironment('pddl', { split: 'test' })
    const marks = ['{}', '**{}**', '*{}*', '"{}"', '({})', '1. {}', '**Action:** {}', '> {}\n', '{} (Mr. Robby can.)']
    const lost: string[] = []
    for (const task of environment.tasks.filter((_, index) => index % 12 === 0)) {
      for (const mark of marks) {
        const world = await environment.begin(task, createRandom('0'))
        let won = false
        for (const action of (await world.solve!())!) {
          won = (await world.step(mark.replace('{}', action.trim()))).ended === 'success'
        }
        if (!won) lost.push(`${task.id} ${mark}`)
      }
    }
    expect(lost).toEqual([])
  }, 30_000)
})
