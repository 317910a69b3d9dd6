/** A piece of text: as it is, or the names of characters that would act on a page instead of being seen. */
interface VisiblePiece {
  readonly text: string
  /** Whether the text stands for characters, such as `⟨U+202E⟩`. */
  readonly stands: boolean
}

const unseen = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0])+/gu

/**
 * Splits text so that nothing in it is unseen: control characters, marks that turn the direction of writing, letters
 * without width and broken halves of letters are named. Tabs and line ends stay.
 */
export function visiblePieces(given: string): VisiblePiece[] {
  const text = given.replaceAll('\r\n', '\n')
  const pieces: VisiblePiece[] = []
  let from = 0
  for (const match of text.matchAll(unseen)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), stands: false })
    pieces.push({ text: [...match[0]].map(nameOf).join(''), stands: true })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), stands: false })
  return pieces
}

/** The same as one text, for places that take no markup. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => piece.text)
    .join('')
}

/** Text without broken halves of letters, which no address can hold. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}

/** Whether a text is a name of one word that no line should break. */
export function isShortName(text: string): boolean {
  return /^\S{1,32}$/.test(text)
}

function nameOf(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
