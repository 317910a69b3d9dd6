import fc from 'fast-check'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { pageDocument } from '../../../reports/html/html.js'
import { untrusted, visibleText } from '../../../reports/html/visible.js'

describe('a page', () => {
  const pageOf = (text: string): string =>
    pageDocument({ title: text, body: h('p', { title: text }, text), style: '', script: '', blocks: {} })

  it('escapes text and attributes, and names invisible characters in both', () => {
    const text = '<script>"&\u202e'
    expect(pageOf(text)).toContain('<p title="&lt;script>&quot;&amp;⟨U+202E⟩">&lt;script>&quot;&amp;⟨U+202E⟩</p>')
    expect(pageOf(text)).toContain('<title>&lt;script>&quot;&amp;⟨U+202E⟩</title>')
    expect(renderToString(untrusted('b\u202e'))).toBe('<bdi class="short">b<span class="unseen">⟨U+202E⟩</span></bdi>')
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

  it('has no invisible character, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(text)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})
