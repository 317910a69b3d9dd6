/** Room for the mark of a text that was cut. */
const markLength = 64

/**
 * A text of at most so many UTF-16 code units, which are more than 64: what is longer is cut, with a mark at its end that
 * says how much is kept of how much. A text that was cut is not cut again by the same bound.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return copyText(text)
  const end = max - markLength
  const kept = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
  return `${copyText(text.slice(0, kept))}… [cut: ${grouped(kept)} of ${grouped(text.length)} characters]`
}

/** The same text in memory of its own; a piece of a text otherwise keeps the whole of it. */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}
