/**
 * Finds item names in text: longest first, on word boundaries, so that `drawer 1` never matches in `drawer 10`.
 * Case-sensitive.
 */
export interface NameFinder {
  /** The longest name that begins at this index and ends on a word boundary, or undefined. */
  at(text: string, index: number): string | undefined
  /** Replaces each name in a text by the result of `replace`. Names do not overlap; the leftmost counts. */
  replace(text: string, replace: (name: string) => string): string
  has(name: string): boolean
  /** Characters of the longest name. */
  readonly longest: number
}

/** Creates a finder for a set of names. */
export function createNameFinder(names: Iterable<string>): NameFinder {
  const table = new Set(names)
  table.delete('')
  /** Lengths of the names that share a first word (or a first character that is not a letter), longest first. */
  const lengths = new Map<string, number[]>()
  let longest = 0
  for (const name of table) {
    const first = name.slice(0, partEnd(name, 0))
    const known = lengths.get(first)
    if (known === undefined) lengths.set(first, [name.length])
    else if (!known.includes(name.length)) known.push(name.length)
    longest = Math.max(longest, name.length)
  }
  for (const group of lengths.values()) group.sort((a, b) => b - a)

  const find = (text: string, index: number, end: number): string | undefined => {
    const group = lengths.get(text.slice(index, end))
    if (group === undefined) return undefined
    for (const length of group) {
      const after = index + length
      if (after > text.length || insideWord(text, after)) continue
      const name = text.slice(index, after)
      if (table.has(name)) return name
    }
    return undefined
  }
  return {
    longest,
    has: (name) => table.has(name),
    at: (text, index) => find(text, index, partEnd(text, index)),
    replace(text, replace) {
      let result = ''
      let copied = 0
      let index = 0
      while (index < text.length) {
        const end = partEnd(text, index)
        const name = find(text, index, end)
        if (name === undefined) {
          index = end
          continue
        }
        result += text.slice(copied, index) + replace(name)
        index += name.length
        copied = index
      }
      return copied === 0 ? text : result + text.slice(copied)
    },
  }
}

/** Whether an index is inside a word: a letter, digit or underscore on both sides. */
export function insideWord(text: string, index: number): boolean {
  return (
    index > 0 && index < text.length && isWordCode(text.charCodeAt(index)) && isWordCode(text.charCodeAt(index - 1))
  )
}

/** The end of the word that begins at an index, or of the one character that is no letter. */
function partEnd(text: string, index: number): number {
  let end = index
  while (end < text.length && isWordCode(text.charCodeAt(end))) end++
  return Math.max(index + 1, end)
}

/** By code unit: 0 where it was not looked up yet, 1 for letters, 2 for other characters. */
const kinds = new Uint8Array(0x10000)

/** Letters, digits and the underscore, in every script. A surrogate counts as a letter. */
function isWordCode(code: number): boolean {
  kinds[code] ||= /[\p{L}\p{M}\p{N}\p{Cs}_]/u.test(String.fromCharCode(code)) ? 1 : 2
  return kinds[code] === 1
}
