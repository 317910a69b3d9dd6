/** Room for the mark of a text that was cut. */
const markLength = 64

/**
 * A text of at most so many UTF-16 code units, which are more than 64: what is longer is cut, with a mark at its end
 * that says how much is kept of how much. A text that was cut is not cut again by the same bound.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return copyText(text)
  const end = max - markLength
  const kept = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
  return `${copyText(text.slice(0, kept))}… [cut: ${grouped(kept)} of ${grouped(text.length)} characters]`
}

/** Room of an episode for what was said in it, in UTF-16 code units; a line of the store holds it in any encoding. */
export const episodeRoom = 1 << 22
const shortText = 256

/** A value of plain JSON as it is kept in an episode: once its room is used up, every text of it is cut to 256. */
export function keepWithin<Value>(value: Value, room: { left: number }): Value {
  const size = JSON.stringify(value).length
  if (size <= room.left) {
    room.left -= size
    return value
  }
  return cutAll(value) as Value
}

function cutAll(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, shortText)
  if (Array.isArray(value)) return value.map(cutAll)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutAll(inner)]))
}

/**
 * The same text in memory of its own, a byte a character where that holds it; a piece otherwise keeps the whole text.
 */
export function copyText(text: string): string {
  const encoding = /[\u0100-\uffff]/.test(text) ? 'utf16le' : 'latin1'
  return Buffer.from(text, encoding).toString(encoding)
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}
