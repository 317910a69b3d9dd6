import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Child } from '../../../reports/html/markup.js'
import { element, markupOf, trusted, untrusted } from '../../../reports/html/markup.js'

describe('markup', () => {
  it('escapes text and attributes', () => {
    const { markup } = element('a', { title: `"'<>&` }, `<script>alert("1")</script> & 'more'`)
    expect(markup).toBe(
      '<a title="&quot;&#39;&lt;&gt;&amp;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;</a>',
    )
  })

  it('names what would not be seen, in text and in attributes', () => {
    expect(element('p', { title: 'a\u202e' }, 'b\u202e').markup).toBe(
      '<p title="a⟨U+202E⟩">b<span class="unseen">⟨U+202E⟩</span></p>',
    )
  })

  it.each<[string, readonly Child[], string]>([
    ['nothing', [undefined, false], '<i></i>'],
    ['numbers, also zero', [0, 1.5], '<i>01.5</i>'],
    ['lists', [['a', [untrusted('b')]]], '<i>a<bdi class="short">b</bdi></i>'],
    ['markup as it is', [trusted('<b>x</b>')], '<i><b>x</b></i>'],
  ])('takes %s', (_, children, expected) => {
    expect(element('i', {}, ...children).markup).toBe(expected)
  })

  it('leaves attributes out, and writes those without a value', () => {
    expect(element('input', { hidden: true, disabled: false, title: undefined, size: 0 }).markup).toBe(
      '<input hidden size="0">',
    )
  })

  it('lets no text out of its place', () => {
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
