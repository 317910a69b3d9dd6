import type { ComponentChildren, VNode } from 'preact'

/** A piece of text: unchanged, or the names of invisible characters. */
interface VisiblePiece {
  readonly text: string
  /** Whether the text is names of characters, such as `⟨U+202E⟩`. */
  readonly isName: boolean
}

const invisible = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0])+/gu

/**
 * Splits text and names its invisible characters: control characters, marks that change the direction of writing,
 * characters without width and lone surrogates. Tabs and line ends stay.
 */
function visiblePieces(given: string): VisiblePiece[] {
  const text = given.replaceAll('\r\n', '\n')
  const pieces: VisiblePiece[] = []
  let from = 0
  for (const match of text.matchAll(invisible)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), isName: false })
    pieces.push({ text: [...match[0]].map(nameOf).join(''), isName: true })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isName: false })
  return pieces
}

/** The same as one text, for attributes and other plain text. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => piece.text)
    .join('')
}

/** With more pieces than this, names of characters get no element each: a page of a million elements would freeze. */
const maxPieces = 10_000

/** The same as content of an element. */
export function visible(text: string): ComponentChildren {
  const pieces = visiblePieces(text)
  if (pieces.length > maxPieces) return pieces.map((piece) => piece.text).join('')
  return pieces.map((piece) => (piece.isName ? <span class="unseen">{piece.text}</span> : piece.text))
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
