import { ShaketableError } from '../../core/errors.js'

/** A PDDL text with its name in messages, such as a path. */
export interface Source {
  readonly text: string
  readonly where: string
}

/** A parenthesised list or a word of PDDL, with its place in the text. */
export type Expression = Word | List

/** A word, in lower case as PDDL ignores case. `at` is its offset in the text. */
interface Word {
  readonly kind: 'word'
  readonly text: string
  readonly at: number
}

/** A parenthesised list. `at` is the offset of its opening parenthesis. */
export interface List {
  readonly kind: 'list'
  readonly items: readonly Expression[]
  readonly at: number
}

/** The maximum nesting of parentheses, and so of recursion over a formula. */
const maxNesting = 200

/**
 * Reads a PDDL text into lists and words. Comments run from `;` to the end of the line; words end at white space,
 * parentheses and `?`.
 * @throws ShaketableError `bad-input` naming line and column.
 */
export function readExpressions(source: Source): Expression[] {
  const { text } = source
  const top: Expression[] = []
  const open: { items: Expression[]; at: number }[] = []
  let items = top
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) at++
    else if (code === semicolon) at = endOfLine(text, at)
    else if (code === openParenthesis) {
      if (open.length === maxNesting) {
        fail(source, at, `expected at most ${maxNesting} nested parentheses, got more. Simplify the formula.`)
      }
      const list: Expression[] = []
      items.push({ kind: 'list', items: list, at })
      open.push({ items, at })
      items = list
      at++
    } else if (code === closeParenthesis) {
      const outer = open.pop()
      if (outer === undefined) fail(source, at, "expected an expression, got ')' without a '('. Remove it.")
      items = outer.items
      at++
    } else {
      const start = at++
      while (at < text.length && !endsWord(text.charCodeAt(at))) at++
      const control = text.slice(start, at).search(controls)
      if (control !== -1) fail(source, start + control, 'expected text, got a control character. Remove it.')
      items.push({ kind: 'word', text: text.slice(start, at).toLowerCase(), at: start })
    }
  }
  const unclosed = open.at(-1)
  if (unclosed !== undefined) {
    fail(source, unclosed.at, "expected ')' for this '(', got the end of the text. Close it.")
  }
  return top
}

const openParenthesis = 40
const closeParenthesis = 41
const semicolon = 59
const questionMark = 63

const controls = /[\p{Cc}\u2028\u2029]/u

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff

const endsWord = (code: number): boolean =>
  code === openParenthesis || code === closeParenthesis || code === semicolon || code === questionMark || isSpace(code)

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Stops with a message that names the place: `where, line 3, column 7: …`. */
export function fail(source: Source, at: number, message: string): never {
  const before = source.text.slice(0, at)
  const line = before.split('\n').length
  const column = at - before.lastIndexOf('\n')
  throw new ShaketableError('bad-input', `${source.where}, line ${line}, column ${column}: ${message}`)
}

/** What an expression looks like in a message. */
export function show(expression: Expression | undefined): string {
  if (expression === undefined) return 'nothing'
  if (expression.kind === 'word') return quote(expression.text)
  const first = expression.items[0]
  if (first === undefined) return "'()'"
  return first.kind === 'word' ? quote(`(${first.text} …)`) : "'((…) …)'"
}

/** The words of a list from an index on. @throws ShaketableError `bad-input` where something else stands there. */
export function wordsFrom(source: Source, list: List, from: number, what: string): Word[] {
  return list.items.slice(from).map((item) => {
    if (item.kind === 'word') return item
    return fail(source, item.at, `expected ${what}, got ${show(item)}.`)
  })
}

/** A number of things, for messages. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

/** The first word of a list, or undefined where it does not begin with one. */
export function headOf(list: List): string | undefined {
  const first = list.items[0]
  return first?.kind === 'word' ? first.text : undefined
}

/**
 * A name or variable with the types that it may have: one, or several of an `(either …)`. `at` is its offset in the
 * text.
 */
export interface Typed {
  readonly name: string
  readonly types: readonly string[]
  readonly at: number
}

/** The type of everything; what is declared without a type has it. */
export const rootType = 'object'

/**
 * Reads `a b - t c - (either u v) d`. A type name is whatever word follows the dash, so that `?l - location, ?r -
 * receptacle` speaks of a type called `location,`.
 */
export function readTypedList(source: Source, items: readonly Expression[], what: string): Typed[] {
  const result: Typed[] = []
  let untyped = 0
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!
    if (item.kind === 'list') fail(source, item.at, `expected ${what}, got ${show(item)}.`)
    if (item.text !== '-') {
      result.push({ name: item.text, types: [rootType], at: item.at })
      continue
    }
    const types = readType(source, items[++index], item.at)
    for (; untyped < result.length; untyped++) result[untyped] = { ...result[untyped]!, types }
  }
  return result
}

/** Reads variables with types, each starting with `?`. */
export function readVariables(source: Source, items: readonly Expression[]): Typed[] {
  const variables = readTypedList(source, items, "a variable such as '?x'")
  const seen = new Set<string>()
  for (const variable of variables) {
    if (!variable.name.startsWith('?')) {
      fail(
        source,
        variable.at,
        `expected a variable such as '?x', got ${quote(variable.name)}. Variables begin with '?'.`,
      )
    }
    if (seen.has(variable.name)) {
      fail(source, variable.at, `expected each variable once, got ${quote(variable.name)} again. Rename one.`)
    }
    seen.add(variable.name)
  }
  return variables
}

function readType(source: Source, item: Expression | undefined, dash: number): readonly string[] {
  if (item === undefined) fail(source, dash, "expected a type after '-', got nothing.")
  if (item.kind === 'word') return [item.text]
  const [head, ...options] = item.items
  if (head?.kind !== 'word' || head.text !== 'either' || options.length === 0) {
    fail(source, item.at, `expected a type or '(either …)', got ${show(item)}.`)
  }
  return options.map((option) =>
    option.kind === 'word' ? option.text : fail(source, option.at, `expected a type, got ${show(option)}.`),
  )
}

/** Untrusted text for a message: in quotes, on one line, without control characters, at most `max` characters. */
export function quote(text: string, max = 60): string {
  const shown = text.slice(0, max + 1).replace(/[\s\p{C}]+/gu, ' ')
  return shown.length > max ? `'${shown.slice(0, max)}…'` : `'${shown}'`
}
