import { copyText } from '../core/text.js'

/** Length reserved for the mark of a cut text. */
const markLength = 64

/**
 * A text of at most `max` UTF-16 code units (more than 64); a longer one is cut, with a mark such as
 * `… [cut: 131,008 of 3,000,000 characters]`. Cutting again with the same bound changes nothing.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return copyText(text)
  const end = max - markLength
  const kept = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
  return `${copyText(text.slice(0, kept))}… [cut: ${grouped(kept)} of ${grouped(text.length)} characters]`
}

/** Maximum text of an episode in UTF-16 code units; a line of the store holds it in any encoding. */
export const episodeRoom = 1 << 22
const shortText = 256

/** A JSON value as it is kept in an episode: once the episode's room is used up, every text is cut to 256. */
export function keepWithin<Value>(value: Value, room: { left: number }): Value {
  const size = lengthOf(value)
  if (size <= room.left) {
    room.left -= size
    return value
  }
  return cutAll(value) as Value
}

/** Characters of a value as JSON; Infinity for more than a string can have. */
function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value).length
  } catch (thrown) {
    if (thrown instanceof RangeError) return Infinity
    throw thrown
  }
}

function cutAll(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, shortText)
  if (Array.isArray(value)) return value.map(cutAll)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutAll(inner)]))
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}
