import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isShortName, visiblePieces, visibleText } from '../../../reports/html/visible.js'

describe('text that is seen', () => {
  it.each([
    ['right-to-left override', 'a\u202eb', 'a⟨U+202E⟩b'],
    ['isolates and marks', '\u2066\u2069\u200f\u061c', '⟨U+2066⟩⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩'],
    ['letters without width', 'pass\u200bword\ufeff', 'pass⟨U+200B⟩word⟨U+FEFF⟩'],
    ['control characters', '\u0000\u001b[31m\u007f\u0085', '⟨U+0000⟩⟨U+001B⟩[31m⟨U+007F⟩⟨U+0085⟩'],
    ['separators of lines', 'a\u2028b\u2029', 'a⟨U+2028⟩b⟨U+2029⟩'],
    ['tags', '\u{e0041}\u{e007f}', '⟨U+E0041⟩⟨U+E007F⟩'],
    ['half a letter', 'x\ud83dy\ude00', 'x⟨U+D83D⟩y⟨U+DE00⟩'],
    ['fillers', '\u3164\u115f', '⟨U+3164⟩⟨U+115F⟩'],
    ['a return alone', 'a\rb', 'a⟨U+000D⟩b'],
  ])('names %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })

  it.each([
    ['lines and tabs', 'a\n\tb', 'a\n\tb'],
    ['line ends of two characters', 'a\r\nb', 'a\nb'],
    ['letters of any script', 'Grüße, 你好, שלום, مرحبا, 😀', 'Grüße, 你好, שלום, مرحبا, 😀'],
    ['nothing', '', ''],
  ])('leaves %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })

  it('says which pieces stand for characters, neighbours in one', () => {
    expect(visiblePieces('a\u202e\u202db')).toEqual([
      { text: 'a', stands: false },
      { text: '⟨U+202E⟩⟨U+202D⟩', stands: true },
      { text: 'b', stands: false },
    ])
  })

  it('leaves nothing unseen in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(text)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      }),
    )
  })

  it.each([
    ['agentrefine-1', true],
    ['two words', false],
    ['', false],
    ['x'.repeat(33), false],
  ])('knows a name that no line should break: %s', (text, isShort) => {
    expect(isShortName(text)).toBe(isShort)
  })
})
