const spaces = '\\t-\\r\\x{1c}- \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}'
/** Python's classes, as written in brackets. */
const classes: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: '\\p{L}_\\p{N}',
  s: spaces,
}
/** The classes that have a short form only outside of brackets. */
const complements: Readonly<Record<string, string>> = { W: '[^\\p{L}_\\p{N}]', S: `[^${spaces}]`, Z: '\\z' }

const escape = String.raw`\\(?:u([\da-fA-F]{4})|([^]))`
const brackets = String.raw`\[\^?\]?(?:\\[^]|[^\]\\])*\]`
const piece = new RegExp(String.raw`${escape}|(${brackets})|\{,(?=\d*\})`, 'g')
const member = new RegExp(`${escape}|(?<!^)\\[`, 'g')

/**
 * Translates a regular expression of Python's `re` into the dialect of RE2, whose matching time grows only with the
 * length of the text. RE2 itself refuses most of what it lacks; what it would read in another way than Python is
 * translated here: the classes are those of Unicode, `{,n}` is a repeat, and `[:alpha:]` in brackets is no class.
 * Differences that remain: `\b`, and `\W` and `\S` in brackets, treat only ASCII letters and blanks as such; `$` does
 * not match before a final line break; and a repeated group that can be empty holds its last text that is not empty.
 */
export function translatePython(source: string): string {
  return source.replace(piece, (found, code?: string, letter?: string, list?: string) => {
    if (list !== undefined) return list.replace(member, translateMember)
    if (code !== undefined) return `\\x{${code}}`
    if (letter === undefined) return '{0,'
    return Object.hasOwn(classes, letter) ? `[${classes[letter]!}]` : (complements[letter] ?? found)
  })
}

function translateMember(found: string, code?: string, letter?: string): string {
  if (code !== undefined) return `\\x{${code}}`
  if (letter === undefined) return '\\['
  return letter === 'b' ? '\\x{8}' : (classes[letter] ?? found)
}
