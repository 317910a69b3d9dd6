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

describe('splitting a text into words', () => {
  it.each<[string, string]>([
    ['', ''],
    ['pick ball1 rooma left', 'pick|ball1|rooma|left'],
    ['move from rooma to roomb. ', 'move|from|rooma|to|roomb|.'],
    [
      'pick up ball1 at rooma with arm left. then move to roomb.',
      'pick|up|ball1|at|rooma|with|arm|left|.|then|move|to|roomb|.',
    ],
    ['**move from rooma to roomb.**', '*|*|move|from|rooma|to|roomb|.|*|*'],
    ['"move from rooma to roomb."', "``|move|from|rooma|to|roomb|.|''"],
    ['"move from rooma to roomb. "', '``|move|from|rooma|to|roomb.|``'],
    ['open boot! close boot? yes', 'open|boot|!|close|boot|?|yes'],
    ['open boot.close boot', 'open|boot.close|boot'],
    ['jack-up the hub the-hub1, please', 'jack-up|the|hub|the-hub1|,|please'],
    ['b1/b2', 'b1/b2'],
    ['b1,b2:b3;b4', 'b1|,|b2|:|b3|;|b4'],
    ['b1,2', 'b1,2'],
    ['b1,,b2', 'b1|,|,b2'],
    ['(pickup b1)', '(|pickup|b1|)'],
    ['[b1]{b2}<b3>', '[|b1|]|{|b2|}|<|b3|>'],
    ['pickup "b1"', "pickup|``|b1|''"],
    ["pickup 'b1'", "pickup|'b1|'"],
    ["pickup 'b'", "pickup|'|b|'"],
    ['pickup b1...', 'pickup|b1|...'],
    ['b1.)', 'b1|.|)'],
    ['b1.,', 'b1.|,'],
    ['a -- b', 'a|--|b'],
    ['b1--b2', 'b1|--|b2'],
    ['$b1 50% & @x #1', '$|b1|50|%|&|@|x|#|1'],
    ['`b1`', '`|b1|`'],
    ["can't don't cannot gonna", "ca|n't|do|n't|can|not|gon|na"],
    ["CAN'T Cannot It's", "CA|N'T|Can|not|It|'s"],
    ["'tis 'tis'twas", "'t|is|'t|is|'t|was"],
    ['gimme g\u0131mme', 'gim|me|g\u0131m|me'],
    ["the robot's ball", "the|robot|'s|ball"],
    ['«b1» “b2”', '«|b1|»|“|b2|”'],
    ['a\u00a0b\tc\nd\u001ce\u0085f\ufeffg', 'a|b|c|d|e|f\ufeffg'],
  ])('%j', (text, words) => {
    expect(wordsOf(text)).toEqual(words === '' ? [] : words.split('|'))
  })
})

describe('splitting a text into sentences', () => {
  it.each<[string, string]>([
    ['', ''],
    [' \n', ''],
    ['move from rooma to roomb. ', 'move from rooma to roomb.'],
    // White space or a mark must follow.
    ['open boot. close boot', 'open boot.|close boot'],
    ['open boot.close boot', 'open boot.close boot'],
    ['open boot.*close boot*', 'open boot.|*close boot*'],
    ['open boot.`close`', 'open boot.`close`'],
    ['open boot.\u200b', 'open boot.\u200b'],
    ['open boot.\u0085close boot.\u001fyes', 'open boot.|close boot.|yes'],
    // The last mark in a word counts, except for one at its very start.
    ['b1?.!( b2', 'b1?.!|( b2'],
    ['b1 ?! b2', 'b1 ?|!|b2'],
    ['b1.\u00a0b2.\u00a0b3', 'b1.\u00a0b2.|b3'],
    // Closing marks belong to the sentence before.
    ['(open boot.) close it', '(open boot.)|close it'],
    ['say "open boot." close it', 'say "open boot."|close it'],
    ['open boot.")]} yes', 'open boot.")]}|yes'],
    ['open boot.)--yes', 'open boot.)|--yes'],
    ['open boot.)yes', 'open boot.|)yes'],
    ['open boot.”', 'open boot.”'],
    // Abbreviations, also behind a hyphen, end no sentence unless a capital follows.
    ['open mr. boot', 'open mr. boot'],
    ['open non-u.s. boot', 'open non-u.s. boot'],
    ['open e.g. boot', 'open e.g.|boot'],
    ['by 5 p.m. They left', 'by 5 p.m.|They left'],
    ['by 5 p.m. they left', 'by 5 p.m. they left'],
    ['the U.S. Thought', 'the U.S.|Thought'],
    ['the U.S. Robot', 'the U.S. Robot'],
    // Initials and numbers.
    ['x. y', 'x. y'],
    ['x. 3', 'x.|3'],
    ['X. Robot. A. B. Ball', 'X. Robot.|A.|B. Ball'],
    ['\u{1d400}. b', '\u{1d400}. b'],
    ['1. open boot', '1. open boot'],
    ['1. Open boot', '1.|Open boot'],
    ['-2,000. open', '-2,000. open'],
    ['1. Business', '1. Business'],
    ['٣. open', '٣. open'],
    ['b1. open', 'b1.|open'],
    ['1. , then', '1. , then'],
    // Ellipses.
    ['open... close', 'open... close'],
    ['open... Close', 'open... Close'],
    ['open... The boot', 'open...|The boot'],
    ['open. . . close', 'open.|.|.|close'],
  ])('%j', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences === '' ? [] : sentences.split('|'))
  })
})

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
    '.',
    ' ',
    "'",
    '"',
    '. ',
    '! ',
    '." ',
    '.)\n',
    "a'",
    'a',
    '(',
    ':',
    '.\u3000',
    '.\u00a0',
    '-',
    '--',
    '1',
    'b. ',
    '1. ',
    '\u{1f642}.',
  ])('are found in time that grows linearly with repetitions of %j', (piece) => {
    const begun = performance.now()
    for (const text of [`a.${piece.repeat(100_000 / piece.length)}b`, piece.repeat(100_000 / piece.length)]) {
      wordsOf(text)
    }
    expect(performance.now() - begun).toBeLessThan(4000)
  })
})

describe('a plan with the marks of a chat model', () => {
  it('wins as it does without them', async () => {
    const environment = await openEnvironment('pddl', { split: 'test' })
    const marks = ['{}', '**{}**', '*{}*', '"{}"', '({})', '1. {}', '**Action:** {}', '> {}\n', '{} (Mr. Robby can.)']
    const lost: string[] = []
    for (const task of environment.tasks.filter((_, index) => index % 4 === 0)) {
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
