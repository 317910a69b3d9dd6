import fc from 'fast-check'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { untrusted, visibleText } from '../../../reports/html/visible.js'

describe('visible text', () => {
  it.each([
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['pass\u200bword\ufeff', 'pass⟨U+200B⟩word⟨U+FEFF⟩'],
    ['\u0000\u001b[31m\u007f\u0085', '⟨U+0000⟩⟨U+001B⟩[31m⟨U+007F⟩⟨U+0085⟩'],
    ['x\ud83dy\ude00', 'x⟨U+D83D⟩y⟨U+DE00⟩'],
    ['\u3164\u115f', '⟨U+3164⟩⟨U+115F⟩'],
    ['a\rb\r\n\tc', 'a⟨U+000D⟩b\n\tc'],
    ['Grüße, 你好, שלום, 😀', 'Grüße, 你好, שלום, 😀'],
  ])('names what is not seen in %j, and leaves letters and lines', (text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })

  it('is marked as a name in content', () => {
    expect(renderToString(untrusted('b\u202e'))).toBe('<bdi class="short">b<span class="unseen">⟨U+202E⟩</span></bdi>')
  })

  it('has no invisible character, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(text)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})
