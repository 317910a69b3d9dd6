import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../../src/environments/games/tokens.js'

describe('a text as words', () => {
  // What NLTK 3.8 gives, after the text is cut into sentences.
  it.each<[string, string]>([
    ['', ''],
    ['pick ball1 rooma left', 'pick|ball1|rooma|left'],
    ['move from rooma to roomb. ', 'move|from|rooma|to|roomb|.'],
    [
      'pick up ball1 at rooma with arm left. then move to roomb.',
      'pick|up|ball1|at|rooma|with|arm|left|.|then|move|to|roomb|.',
    ],
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
    ['**pickup b1**', '*|*|pickup|b1|*|*'],
    ["can't don't cannot gonna 'tis", "ca|n't|do|n't|can|not|gon|na|'t|is"],
    ["the robot's ball", "the|robot|'s|ball"],
    ['«b1» “b2”', '«|b1|»|“|b2|”'],
    ['a\u00a0b\tc\nd', 'a|b|c|d'],
  ])('%j', (text, words) => {
    expect(wordsOf(text)).toEqual(words === '' ? [] : words.split('|'))
  })

  it('leaves letters, digits and hyphens in the order in which they stand', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const kept = (string: string): string => string.replace(/[^a-z0-9]/g, '')
        expect(kept(wordsOf(text.toLowerCase()).join(''))).toBe(kept(text.toLowerCase()))
      }),
    )
  })

  it.each(['.', ' ', "'", '"', '. ', "a'", '(', ':', '.\u3000', '-'])(
    'takes no longer for %j again and again',
    (piece) => {
      const begun = performance.now()
      wordsOf(`a.${piece.repeat(100_000)}b`)
      expect(performance.now() - begun).toBeLessThan(3000)
    },
  )
})
