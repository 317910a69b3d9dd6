/** A pattern in the dialect of RE2, or why there is none. */
export type Translated = { readonly pattern: string; readonly steps: number } | { readonly problem: string }

/** Maximum steps of a pattern with its counted repeats written out; the time of a match grows with them. */
export const maxSteps = 2000
const maxCharacters = 2000
const maxGroups = 200

/**
 * Translates a regular expression of Python's `re` (for text, without flags) into the dialect of RE2, whose matching
 * time grows only with the length of the text. A construct without a counterpart in RE2 (lookahead, lookbehind,
 * backreferences, conditions, possessive repeats) is reported by name, as is anything that Python itself refuses;
 * `(?<name>…)` is read as `(?P<name>…)`. Three differences remain: `\b` treats only ASCII letters as letters, `$` does
 * not match before a final line break, and a repeated group that can be empty holds its last text that is not empty.
 */
export function translatePython(source: string): Translated {
  if (source.length > maxCharacters) {
    return { problem: `is ${String(source.length)} characters long, more than ${String(maxCharacters)}` }
  }
  try {
    return new Translator(source).translate()
  } catch (thrown) {
    if (thrown instanceof Untranslatable) return { problem: thrown.message }
    throw thrown
  }
}

class Untranslatable extends Error {}

/** An unfinished group: the steps of its branches so far, and the steps of its last atom. */
interface Level {
  steps: number
  last: number
  readonly verbose: boolean
}

const flagLetters = /^[aiLmsux]*$/
/** Reads a pattern once, from left to right. */
class Translator {
  readonly #characters: readonly string[]
  readonly #levels: Level[] = []
  readonly #written: string[] = []
  #at = 0
  #groups = 0
  #ascii = false
  #level: Level

  constructor(source: string) {
    this.#characters = [...source]
    this.#level = { steps: 1, last: 0, verbose: false }
  }

  translate(): Translated {
    const flags = /^\(\?([A-Za-z]+)\)/.exec(this.#characters.join(''))
    if (flags !== null) this.#globalFlags(flags[1]!)
    while (this.#at < this.#characters.length) this.#item()
    if (this.#levels.length > 0) throw new Untranslatable('has a group that is not closed')
    return { pattern: this.#written.join(''), steps: this.#level.steps }
  }

  #globalFlags(letters: string): void {
    this.#checkFlags(letters)
    this.#at = letters.length + 3
    this.#ascii = letters.includes('a')
    this.#level = { ...this.#level, verbose: letters.includes('x') }
    const kept = [...letters].filter((letter) => 'ims'.includes(letter)).join('')
    if (kept !== '') this.#written.push(`(?${kept})`)
  }

  #checkFlags(letters: string): void {
    if (letters.includes('L')) throw new Untranslatable('asks for the locale (flag L)')
    if (!flagLetters.test(letters)) throw new Untranslatable(`has a flag that Python does not know (${letters})`)
  }

  #item(): void {
    const character = this.#take()
    if (this.#level.verbose) {
      if (/\s/.test(character)) return
      if (character === '#') {
        while (this.#at < this.#characters.length && this.#take() !== '\n');
        return
      }
    }
    switch (character) {
      case '\\':
        return this.#escape()
      case '[':
        return this.#brackets()
      case '(':
        return this.#open()
      case ')':
        return this.#close()
      case '|':
        this.#level.last = 0
        return this.#write('|', 1)
      case '^':
      case '$':
        this.#level.last = 0
        return this.#write(character, 1)
      case '.':
        return this.#atom('.')
      case '*':
      case '+':
      case '?':
        return this.#repeat(character, 1)
      case '{':
        return this.#braces()
      default:
        return this.#atom(literal(character))
    }
  }

  #braces(): void {
    const found = /^(\d*)(,?)(\d*)\}/.exec(this.#characters.slice(this.#at, this.#at + 24).join(''))
    if (found === null || (found[1] === '' && found[2] === '')) return this.#atom('\\{')
    const [whole, lower, comma, upper] = found as unknown as [string, string, string, string]
    const [from, to] = [Number(lower), upper === '' ? Number(lower) : Number(upper)]
    if (Math.max(from, to) > 1000) throw new Untranslatable('repeats something more than 1,000 times')
    if (to < from) throw new Untranslatable('has a repeat whose maximum is below its minimum')
    this.#at += whole.length
    const bounds = comma === '' ? String(from) : `${String(from)},${upper === '' ? '' : String(to)}`
    this.#repeat(`{${bounds}}`, Math.max(1, from, to))
  }

  #repeat(operator: string, times: number): void {
    const { last } = this.#level
    if (last === 0) throw new Untranslatable(`has nothing to repeat before '${operator}'`)
    let written = operator
    if (this.#peek() === '?') written += this.#take()
    else if (this.#peek() === '+') throw new Untranslatable(`has a possessive repeat ('${operator}+')`)
    this.#level.steps += last * (times - 1) + 1
    this.#level.last = 0
    this.#checkSteps()
    this.#written.push(written)
  }

  #open(): void {
    let opening = '('
    let { verbose } = this.#level
    if (this.#peek() === '?') {
      this.#at++
      const kind = this.#groupKind()
      if (kind === undefined) return
      opening = kind.opening
      verbose = kind.verbose ?? verbose
    } else this.#countGroup()
    if (this.#levels.length >= 100) throw new Untranslatable('has groups more than 100 deep')
    this.#levels.push(this.#level)
    this.#level = { steps: 2, last: 0, verbose }
    this.#written.push(opening)
  }

  /** Reads what follows `(?`; undefined for a comment, which is not a group. */
  #groupKind(): { readonly opening: string; readonly verbose?: boolean } | undefined {
    const rest = this.#characters.slice(this.#at, this.#at + 120).join('')
    const unable = Object.entries(unableGroups).find(([sign]) => rest.startsWith(sign))
    if (unable !== undefined) throw new Untranslatable(unable[1])
    if (rest.startsWith('#')) {
      while (this.#peek() !== ')') {
        if (this.#at >= this.#characters.length) throw new Untranslatable('has a comment that is not closed')
        this.#at++
      }
      this.#at++
      return undefined
    }
    const named = /^P?<([A-Za-z_]\w{0,99})>/.exec(rest)
    if (named !== null) {
      this.#at += named[0].length
      this.#countGroup()
      return { opening: `(?P<${named[1]!}>` }
    }
    const flags = /^([A-Za-z]*)(-[A-Za-z]+)?:/.exec(rest)
    if (flags === null)
      throw new Untranslatable(`has a group of a kind that Python does not know ('(?${rest.slice(0, 3)}')`)
    this.#at += flags[0].length
    const [, on = '', off = ''] = flags
    this.#checkFlags(on)
    this.#checkFlags(off.slice(1))
    if (/[au]/.test(on + off)) throw new Untranslatable('changes what a letter is within a group (flag a or u)')
    const [kept, dropped] = [on, off.slice(1)].map((letters) => letters.replaceAll('x', ''))
    const verbose = on.includes('x') ? true : off.includes('x') ? false : undefined
    const opening = `(?${kept!}${dropped === '' ? '' : `-${dropped!}`}:`
    return { opening, ...(verbose !== undefined && { verbose }) }
  }

  #countGroup(): void {
    if (++this.#groups > maxGroups) throw new Untranslatable(`has more than ${String(maxGroups)} groups`)
  }

  #close(): void {
    const outer = this.#levels.pop()
    if (outer === undefined) throw new Untranslatable("has a ')' that closes nothing")
    const { steps } = this.#level
    this.#level = outer
    this.#write(')', steps)
    this.#level.last = steps
  }

  #escape(): void {
    const character = this.#peek()
    if (character !== undefined && /[1-9]/.test(character) && !this.#isOctal()) {
      throw new Untranslatable(`refers back to a group ('\\${character}')`)
    }
    const known = character === undefined ? undefined : classes[character]
    if (known !== undefined) {
      this.#at++
      return this.#atom(`[${this.#ascii ? known.ascii : known.text}]`)
    }
    if (character === 'A' || character === 'Z' || character === 'z' || character === 'b' || character === 'B') {
      this.#at++
      this.#level.last = 0
      return this.#write(character === 'Z' ? '\\z' : `\\${character}`, 1)
    }
    this.#atom(literal(this.#escaped()))
  }

  /** Reads what follows a backslash and returns the character that the escape denotes. */
  #escaped(): string {
    const character = this.#characters[this.#at]
    if (character === undefined) throw new Untranslatable('ends in a backslash')
    const digits = { x: 2, u: 4, U: 8 }[character]
    if (digits !== undefined) {
      const hex = this.#characters.slice(this.#at + 1, this.#at + 1 + digits).join('')
      const code = /^[\da-fA-F]+$/.test(hex) && hex.length === digits ? parseInt(hex, 16) : Infinity
      if (code > 0x10ffff) throw new Untranslatable(`has an escape that is not finished ('\\${character}')`)
      this.#at += 1 + digits
      return String.fromCodePoint(code)
    }
    const octal = /^(?:0[0-7]{0,2}|[0-3][0-7]{2})/.exec(this.#characters.slice(this.#at, this.#at + 3).join(''))
    if (octal !== null) {
      this.#at += octal[0].length
      return String.fromCodePoint(parseInt(octal[0], 8))
    }
    this.#at++
    const control = controls[character]
    if (control !== undefined) return control
    if (/[A-Za-z\d]/.test(character))
      throw new Untranslatable(`has an escape that cannot be translated ('\\${character}')`)
    return character
  }

  #isOctal(): boolean {
    return /^[0-3][0-7]{2}/.test(this.#characters.slice(this.#at, this.#at + 3).join(''))
  }

  /** Reads a class in brackets. `[:alpha:]` within it is a class for RE2, but single characters for Python. */
  #brackets(): void {
    let written = '['
    if (this.#peek() === '^') written += this.#take()
    const items: string[] = []
    const found = new Set<string>()
    for (let first = true; first || this.#peek() !== ']'; first = false) {
      if (this.#at >= this.#characters.length) throw new Untranslatable("has a '[' that is not closed")
      const from = this.#member(found)
      if (this.#peek() !== '-' || this.#characters[this.#at + 1] === ']' || this.#at + 1 >= this.#characters.length) {
        items.push(from.text)
        continue
      }
      this.#at++
      const to = this.#member(found)
      if (from.code === undefined || to.code === undefined || to.code < from.code) {
        throw new Untranslatable(`has a range with its ends reversed or not single characters within '[…]'`)
      }
      items.push(`${from.text}-${to.text}`)
    }
    this.#at++
    const everything = ['dD', 'sS', 'wW'].some((pair) => [...pair].every((letter) => found.has(letter)))
    if (everything) return this.#atom(written === '[' ? '(?s:.)' : '[^\\x{0}-\\x{10ffff}]')
    this.#atom(`${written}${items.join('')}]`)
  }

  #member(found: Set<string>): { readonly text: string; readonly code?: number } {
    const character = this.#take()
    if (character !== '\\') return { text: literal(character), code: character.codePointAt(0)! }
    const name = this.#peek() ?? ''
    const known = classes[name]
    if (known === undefined) {
      const escaped = this.#escaped()
      return { text: literal(escaped), code: escaped.codePointAt(0)! }
    }
    found.add(name)
    this.#at++
    return { text: this.#ascii ? known.ascii : known.text }
  }

  #atom(text: string): void {
    this.#write(text, 1)
    this.#level.last = 1
  }

  #write(text: string, steps: number): void {
    this.#written.push(text)
    this.#level.steps += steps
    this.#checkSteps()
  }

  #checkSteps(): void {
    if (this.#level.steps <= maxSteps) return
    throw new Untranslatable(`comes to more than ${String(maxSteps)} steps when its repeats are written out`)
  }

  #peek(): string | undefined {
    return this.#characters[this.#at]
  }

  #take(): string {
    return this.#characters[this.#at++]!
  }
}

/** A character as itself, in brackets and outside. */
function literal(character: string): string {
  if (/^[\w ]$/.test(character)) return character
  return `\\x{${character.codePointAt(0)!.toString(16)}}`
}

const spaces = '\\t-\\r\\x{1c}- \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}'
const noSpaces =
  '\\x{0}-\\x{8}\\x{e}-\\x{1b}!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}'
const noWord =
  '\\p{M}\\p{S}\\p{Z}\\p{C}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\x{203f}\\x{2040}\\x{2054}\\x{fe33}\\x{fe34}\\x{fe4d}-\\x{fe4f}\\x{ff3f}'

/** Python's classes as written in brackets, for text and under the ASCII flag. */
export const classes: Readonly<Record<string, { readonly text: string; readonly ascii: string }>> = {
  d: { text: '\\p{Nd}', ascii: '0-9' },
  D: { text: '\\P{Nd}', ascii: '\\D' },
  w: { text: '\\p{L}\\p{N}_', ascii: '0-9A-Za-z_' },
  W: { text: noWord, ascii: '\\W' },
  s: { text: spaces, ascii: '\\t-\\r ' },
  S: { text: noSpaces, ascii: '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{10ffff}' },
}
/** Control characters, by the letter of their escape. */
export const controls: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Constructs without a counterpart in RE2, by what follows `(?`. */
const unableGroups: Readonly<Record<string, string>> = {
  '=': "looks ahead ('(?=…)')",
  '!': "looks ahead ('(?!…)')",
  '<=': "looks behind ('(?<=…)')",
  '<!': "looks behind ('(?<!…)')",
  '>': "has an atomic group ('(?>…)')",
  'P=': "refers back to a group ('(?P=…)')",
  '(': "has a condition on a group ('(?(…)…)')",
}
