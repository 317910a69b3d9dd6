import type { ComponentChildren, VNode } from 'preact'

const invisible = /((?:(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0])+)/u

/**
 * Splits text and names its invisible characters, `⟨U+202E⟩`: control characters, marks that change the direction of
 * writing, characters without width and lone surrogates. Tabs and line ends stay. Each second piece is names.
 */
function visiblePieces(text: string): string[] {
  const pieces = text.replaceAll('\r\n', '\n').split(invisible)
  return pieces.map((piece, place) => (place % 2 === 0 ? piece : [...piece].map(nameOf).join('')))
}

/** The same as one text, for attributes and other plain text. */
export function visibleText(text: string): string {
  return visiblePieces(text).join('')
}

/** With more pieces than this, names of characters get no element each: a page of a million elements would freeze. */
const maxPieces = 10_000

/** The same as content of an element. */
export function visible(text: string): ComponentChildren {
  const pieces = visiblePieces(text)
  if (pieces.length > maxPieces) return pieces.join('')
  return pieces.map((piece, place) => (place % 2 === 0 ? piece : <span class="unseen">{piece}</span>))
}

/**
 * Text from a model, a file or a plan, isolated so that its direction of writing does not affect other text; one short
 * word is not broken across lines.
 */
export function untrusted(text: string): VNode {
  return <bdi class={/^\S{1,32}$/.test(text) ? 'short' : undefined}>{visible(text)}</bdi>
}

/** Text without lone surrogates, which `encodeURIComponent` rejects. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}

function nameOf(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
