/** The most steps of a pattern with its counted repeats written out; the time of a match grows with them. */
const maxSteps = 2000
const maxCharacters = 2000
const maxGroups = 200

/** A construct that cannot be translated; the message follows a subject, `has …`. */
class Untranslatable extends Error {}

/**
 * One piece of a pattern: an escape, a class in brackets, a comment, the opening of a group, a repeat, or a character.
 */
const piece = new RegExp(
  [
    String.raw`\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|0[0-7]{0,2}|[0-3][0-7]{2}|[^])?`,
    String.raw`\[\^?\]?(?:\\[^]|[^\]\\])*\]`,
    String.raw`\(\?#[^)]*\)`,
    String.raw`\((?:\?(?:P?<[A-Za-z_]\w*>|[ims-]*:|P?[^)]?[=!]?))?`,
    String.raw`(?:\{(?:\d+,?\d*|,\d*)\}|[*+?])\??`,
    '[^]',
  ].join('|'),
  'gu',
)

/**
 * Translates a regular expression of Python's `re` (for text, without flags) into the dialect of RE2, whose matching
 * time grows only with the length of the text. RE2 itself refuses most of what it lacks; what it would read in another
 * way than Python is translated or refused here. Three differences remain: `\b` treats only ASCII letters as letters,
 * `$` does not match before a final line break, and a repeated group that can be empty holds its last text that is not
 * empty.
 * @returns the pattern, or what is wrong with it, worded to follow a subject
 */
export function translatePython(source: string): { readonly pattern: string } | { readonly problem: string } {
  if (source.length > maxCharacters) {
    return { problem: `is ${String(source.length)} characters long, more than ${String(maxCharacters)}` }
  }
  const [all = '', flags = ''] = /^\(\?([A-Za-z]+)\)/.exec(source) ?? []
  const unknown = flags.replace(/[aimsux]/g, '')
  if (unknown !== '') return { problem: `has a flag that is not supported here (${unknown})` }
  const kept = flags.replace(/[aux]/g, '')
  const text = flags.includes('x') ? withoutSpace(source.slice(all.length)) : source.slice(all.length)
  try {
    const size = createSize()
    const written = Array.from(text.matchAll(piece), ([found]) => {
      const translated = translatePiece(found, flags.includes('a'))
      size.add(translated)
      return translated
    })
    return { pattern: `${kept === '' ? '' : `(?${kept})`}${written.join('')}` }
  } catch (thrown) {
    if (thrown instanceof Untranslatable) return { problem: thrown.message }
    throw thrown
  }
}

/**
 * A verbose pattern without its white space and remarks, which mean something only in brackets and behind a backslash.
 */
function withoutSpace(text: string): string {
  return text.replace(/(\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\(\?#[^)]*\))|\s+|#[^\n]*/g, '$1')
}

function translatePiece(found: string, ascii: boolean): string {
  if (found.startsWith('\\')) return translateEscape(found, ascii)
  if (found.startsWith('[') && found.length > 1) return translateBrackets(found, ascii)
  if (found.startsWith('(?#') && found.length > 3) return ''
  if (found.startsWith('(?') && !/[:>]$/.test(found)) {
    throw new Untranslatable(`has a group of a kind that is not supported here ('${found}')`)
  }
  return found.replace(/^\{,/, '{0,')
}

function translateEscape(found: string, ascii: boolean): string {
  const letter = found[1] ?? ''
  const known = classes[letter]
  if (known !== undefined) return `[${ascii ? known.ascii : known.text}]`
  if (/^[1-9]$/.test(letter) && found.length === 2) throw new Untranslatable(`refers back to a group ('\\${letter}')`)
  if (letter === 'Z') return '\\z'
  return /^[AbBz]$/.test(letter) ? found : translateCharacter(found)
}

/** An escape that stands for one character. */
function translateCharacter(found: string): string {
  const [, letter = '', ...digits] = found
  if (digits.length > 0 || letter === '0') {
    const code = /^[xuU]$/.test(letter) ? parseInt(digits.join(''), 16) : parseInt(letter + digits.join(''), 8)
    if (code > 0x10ffff) throw new Untranslatable(`has an escape beyond the last character ('${found}')`)
    return `\\x{${code.toString(16)}}`
  }
  if (letter === 'b') return '\\x{8}'
  if (/^[afnrtv]$/.test(letter)) return found
  if (letter === '') throw new Untranslatable('ends in a backslash')
  if (/^[A-Za-z\d]$/.test(letter)) throw new Untranslatable(`has an escape that cannot be translated ('\\${letter}')`)
  return `\\x{${letter.codePointAt(0)!.toString(16)}}`
}

/** Translates a class in brackets. `[:alpha:]` within it is a class for RE2, but single characters for Python. */
function translateBrackets(found: string, ascii: boolean): string {
  const opening = /^\[\^?\]?/.exec(found)![0]
  const members = found.slice(opening.length, -1).match(/\\(?:x..|u.{4}|U.{8}|[0-7]{1,3}|[^])|[^]/gu) ?? []
  const isClass = (place: number): boolean => /^\\[dDsSwW]$/.test(members[place] ?? '')
  const written = members.map((member, place) => {
    if (member === '-' && place > 0 && (isClass(place - 1) || isClass(place + 1)) && place < members.length - 1) {
      throw new Untranslatable("has a range to or from a class within '[…]'")
    }
    const known = isClass(place) ? classes[member[1]!]! : undefined
    if (known !== undefined) return ascii ? known.ascii : known.text
    return member === '[' ? '\\[' : member.startsWith('\\') ? translateCharacter(member) : member
  })
  return `${opening.replace(']', '\\]')}${written.join('')}]`
}

/** Bounds the size of a pattern before it is compiled: the steps of its open groups, and those of the last atom. */
function createSize() {
  const open = [1]
  let last = 0
  let groups = 0
  const count = (steps: number): void => {
    open.push(open.pop()! + steps)
    if (open.at(-1)! <= maxSteps) return
    throw new Untranslatable(`comes to more than ${String(maxSteps)} steps when its repeats are written out`)
  }
  return {
    add(translated: string): void {
      if (translated.startsWith('(')) {
        if (++groups > maxGroups) throw new Untranslatable(`has more than ${String(maxGroups)} groups`)
        open.push(2)
      } else if (translated === ')' && open.length > 1) {
        last = open.pop()!
        count(last)
      } else if (/^(?:[*+?]|\{.)/.test(translated)) {
        const times = Math.max(1, ...(translated.match(/\d+/g) ?? []).map(Number))
        count(last * (times - 1) + 1)
        last *= times
      } else {
        last = 1
        count(1)
      }
    },
  }
}

const spaces = '\\t-\\r\\x{1c}- \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}'
const noSpaces =
  '\\x{0}-\\x{8}\\x{e}-\\x{1b}!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}'
const noWord =
  '\\p{M}\\p{S}\\p{Z}\\p{C}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\x{203f}\\x{2040}\\x{2054}\\x{fe33}\\x{fe34}\\x{fe4d}-\\x{fe4f}\\x{ff3f}'

/** Python's classes as written in brackets, for text and under the ASCII flag. */
const classes: Readonly<Record<string, { readonly text: string; readonly ascii: string }>> = {
  d: { text: '\\p{Nd}', ascii: '0-9' },
  D: { text: '\\P{Nd}', ascii: '\\D' },
  w: { text: '\\p{L}\\p{N}_', ascii: '0-9A-Za-z_' },
  W: { text: noWord, ascii: '\\W' },
  s: { text: spaces, ascii: '\\t-\\r ' },
  S: { text: noSpaces, ascii: '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{10ffff}' },
}
