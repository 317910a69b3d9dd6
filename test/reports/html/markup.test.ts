import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Child } from '../../../reports/html/markup.js'
import { element, markupOf, trusted, untrusted } from '../../../reports/html/markup.js'
import { isShortName, visiblePieces, visibleText } from '../../../reports/html/visible.js'

describe('markup', () => {
  it('escapes text and attributes', () => {
    const { markup } = element('a', { title: `"'<>&` }, `<script>alert("1")</script> & 'more'`)
    expect(markup).toBe(
      '<a title="&quot;&#39;&lt;&gt;&amp;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;</a>',
    )
  })

  it('names invisible characters, in text and in attributes', () => {
    expect(element('p', { title: 'a\u202e' }, 'b\u202e').markup).toBe(
      '<p title="a⟨U+202E⟩">b<span class="unseen">⟨U+202E⟩</span></p>',
    )
  })

  it.each<[string, readonly Child[], string]>([
    ['nothing', [undefined, false], '<i></i>'],
    ['numbers including zero', [0, 1.5], '<i>01.5</i>'],
    ['lists', [['a', [untrusted('b')]]], '<i>a<bdi class="short">b</bdi></i>'],
    ['markup unchanged', [trusted('<b>x</b>')], '<i><b>x</b></i>'],
  ])('accepts %s', (_, children, expected) => {
    expect(element('i', {}, ...children).markup).toBe(expected)
  })

  it('omits undefined and false attributes, and writes true ones without a value', () => {
    expect(element('input', { hidden: true, disabled: false, title: undefined, size: 0 }).markup).toBe(
      '<input hidden size="0">',
    )
  })

  it('has no special character of HTML from any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(markupOf(text).replace(/<span class="unseen">(?:⟨U\+[0-9A-F]{4,6}⟩)+<\/span>/g, '')).not.toMatch(
          /[<>"']/,
        )
        expect(element('a', { title: text }).markup).toMatch(/^<a title="[^<>"]*"><\/a>$/)
      }),
    )
  })
})

describe('visible text', () => {
  it.each([
    ['right-to-left override', 'a\u202eb', 'a⟨U+202E⟩b'],
    ['isolates and marks', '\u2066\u2069\u200f\u061c', '⟨U+2066⟩⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩'],
    ['characters without width', 'pass\u200bword\ufeff', 'pass⟨U+200B⟩word⟨U+FEFF⟩'],
    ['control characters', '\u0000\u001b[31m\u007f\u0085', '⟨U+0000⟩⟨U+001B⟩[31m⟨U+007F⟩⟨U+0085⟩'],
    ['line separators', 'a\u2028b\u2029', 'a⟨U+2028⟩b⟨U+2029⟩'],
    ['tags', '\u{e0041}\u{e007f}', '⟨U+E0041⟩⟨U+E007F⟩'],
    ['lone surrogates', 'x\ud83dy\ude00', 'x⟨U+D83D⟩y⟨U+DE00⟩'],
    ['fillers', '\u3164\u115f', '⟨U+3164⟩⟨U+115F⟩'],
    ['a carriage return alone', 'a\rb', 'a⟨U+000D⟩b'],
  ])('names %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })

  it.each([
    ['lines and tabs', 'a\n\tb', 'a\n\tb'],
    ['CRLF line ends', 'a\r\nb', 'a\nb'],
    ['letters of all scripts', 'Grüße, 你好, שלום, مرحبا, 😀', 'Grüße, 你好, שלום, مرحبا, 😀'],
    ['nothing', '', ''],
  ])('leaves %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })

  it('marks the pieces that are names of characters, with neighbours in one piece', () => {
    expect(visiblePieces('a\u202e\u202db')).toEqual([
      { text: 'a', isName: false },
      { text: '⟨U+202E⟩⟨U+202D⟩', isName: true },
      { text: 'b', isName: false },
    ])
  })

  it('has no invisible character, whatever the text is', () => {
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
  ])('is a short name or not: %s', (text, isShort) => {
    expect(isShortName(text)).toBe(isShort)
  })
})
