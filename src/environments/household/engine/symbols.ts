import { ShaketableError } from '../../../core/errors.js'
import { quote } from '../../pddl/expression.js'

/** A part of a template, a feedback or a rule. */
export type Symbol =
  { readonly kind: 'literal'; readonly text: string } | { readonly kind: 'reference'; readonly name: string } | Each

/** An item, once or for each solution of a query; as a list in words if `list` is true. */
export interface Each {
  readonly kind: 'each'
  readonly item: WordExpression | { readonly kind: 'reference'; readonly name: string }
  readonly query: readonly QueryAtom[] | undefined
  readonly list: boolean
}

const leading = /(?:\s+|(?<![^\n])\/\/[^\n]*)*/y
const tabs = /\t*/y
const reference = /#([\p{L}\p{N}_()/!<>\-\s,.]+)#/uy
const expression = /[^|[\]{}\n<>]+/y
const given = /\s*\|\s*([^;|{}\n[\]#]+)/y
const quoted = /"([^;|"<>[\]#{}]*)"/y
const literal = /[^;|"<>[\]#{}]+/y

/**
 * Parses a symbol string. White space at the start and tabs before any part are dropped; parsing ends, without an
 * error, at the first character with which no part can begin.
 * @throws ShaketableError `bad-input` for an invalid expression or query
 */
export function parseSymbols(text: string, where: string): Symbol[] {
  const symbols: Symbol[] = []
  let at = match(leading, text, 0)?.[0].length ?? 0
  for (;;) {
    at += match(tabs, text, at)?.[0].length ?? 0
    const piece = readEach(text, at, where) ?? readReference(text, at) ?? readLiteral(text, at)
    if (piece === undefined) return symbols
    symbols.push(piece.symbol)
    at = piece.end
  }
}

interface Piece {
  readonly symbol: Symbol
  readonly end: number
}

function readEach(text: string, start: number, where: string): Piece | undefined {
  const list = text[start] === '['
  let at = list ? start + 1 + tabsAt(text, start + 1) : start
  if (text[at] !== '{') return undefined
  at += 1 + tabsAt(text, at + 1)
  const named = readReference(text, at)
  const found = named === undefined ? match(expression, text, at) : undefined
  if (named === undefined && found === undefined) return undefined
  at = named?.end ?? at + found![0].length
  const condition = match(given, text, at)
  if (condition !== undefined) at += condition[0].length
  at += tabsAt(text, at)
  if (text[at] !== '}') return undefined
  at++
  if (list) {
    at += tabsAt(text, at)
    if (text[at] !== ']') return undefined
    at++
  }
  const item = named?.symbol.kind === 'reference' ? named.symbol : parseWordExpression(found![0], where)
  const query = condition === undefined ? undefined : parseQuery(condition[1]!, where)
  return { symbol: { kind: 'each', item, query, list }, end: at }
}

function readReference(text: string, at: number): Piece | undefined {
  const found = match(reference, text, at)
  if (found === undefined) return undefined
  const name = found[1]!.replace(/^\t+/, '')
  return name === '' ? undefined : { symbol: { kind: 'reference', name }, end: at + found[0].length }
}

function readLiteral(text: string, at: number): Piece | undefined {
  const inQuotes = match(quoted, text, at)
  if (inQuotes !== undefined) return { symbol: { kind: 'literal', text: inQuotes[1]! }, end: at + inQuotes[0].length }
  const found = match(literal, text, at)
  return found && { symbol: { kind: 'literal', text: found[0] }, end: at + found[0].length }
}

const tabsAt = (text: string, at: number): number => match(tabs, text, at)?.[0].length ?? 0

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** The content of braces: a property of an entity, a text, a sum of texts, or the first that is not empty. */
export type WordExpression =
  | { readonly kind: 'word'; readonly variable: string; readonly field: Field }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'join' | 'first'; readonly parts: readonly WordExpression[] }

/** A property of an entity. A bare variable means its name. */
export type Field = (typeof fields)[number]
const fields = ['name', 'id', 'type', 'indefinite', 'definite'] as const

const wordToken = /\s*(?:([\p{L}_][\p{L}\p{N}_]*)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([.+()]))/uy
const maxDepth = 50

/**
 * Parses `o.indefinite + ' ' + o.name`, `r.name or r.id` and the like.
 * @throws ShaketableError `bad-input` for anything else
 */
export function parseWordExpression(text: string, where: string): WordExpression {
  const tokens = tokensOf(wordToken, text, () => failWord(text, where))
  let at = 0
  let depth = 0
  const takes = (mark: string): boolean => {
    if (tokens[at] !== mark) return false
    at++
    return true
  }
  const series = (kind: 'join' | 'first', sign: string, part: () => WordExpression): WordExpression => {
    const parts = [part()]
    while (takes(sign)) parts.push(part())
    return parts.length === 1 ? parts[0]! : { kind, parts }
  }
  const first = (): WordExpression => series('first', 'or', () => series('join', '+', single))
  const single = (): WordExpression => {
    const found = tokens[at++]
    if (found === '(') {
      if (++depth > maxDepth) failWord(text, where)
      const inner = first()
      if (!takes(')')) failWord(text, where)
      depth--
      return inner
    }
    if (found === undefined || found === 'or' || '.+)'.includes(found)) return failWord(text, where)
    if (found.startsWith("'") || found.startsWith('"')) return { kind: 'text', text: unquote(found) }
    if (!takes('.')) return { kind: 'word', variable: found, field: 'name' }
    const field = fields.find((name) => name === tokens[at])
    if (field === undefined) return failWord(text, where)
    at++
    return { kind: 'word', variable: found, field }
  }
  const expression = first()
  if (at < tokens.length) failWord(text, where)
  return expression
}

/** Splits a text by a sticky pattern with one group for each kind of token. */
function tokensOf(pattern: RegExp, text: string, refuse: (got: string) => never): string[] {
  const tokens: string[] = []
  const end = text.trimEnd().length
  pattern.lastIndex = 0
  while (pattern.lastIndex < end) {
    const from = pattern.lastIndex
    const found = pattern.exec(text)
    if (found === null) return refuse(text.slice(from).trim().slice(0, 20))
    tokens.push(found.slice(1).find((group) => group !== undefined)!)
  }
  return tokens
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
])

const unquote = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\(.)/g, (whole, character: string) => escapes.get(character) ?? whole)

function failWord(text: string, where: string): never {
  throw new ShaketableError(
    'bad-input',
    `${where}: expected an expression of ${fields.map((field) => `x.${field}`).join(', ')}, texts, '+' and 'or', got ${quote(text, 80)}. Use the grammar that came with the game.`,
  )
}

/** A predicate over placeholders: `inreceptacle(o:object, r:receptacle)`. */
export interface QueryAtom {
  readonly predicate: string
  readonly placeholders: readonly Placeholder[]
}

/** A typed placeholder of a query. Two with one name but different types are different. */
export interface Placeholder {
  readonly name: string
  readonly type: string
}

const queryToken = /\s*(?:([\p{L}\p{N}_/']+)|([(),:&]))/uy

/**
 * Parses predicates joined by `&`; the type of a placeholder defaults to its name.
 * @throws ShaketableError `bad-input` for anything else
 */
export function parseQuery(text: string, where: string): QueryAtom[] {
  const tokens = tokensOf(queryToken, text, (got) => failQuery(text, where, got))
  let at = 0
  const word = (): string => {
    const found = tokens[at++]
    if (found === undefined || !/[^(),:&]/.test(found)) failQuery(text, where, found)
    return found
  }
  const takes = (mark: string): boolean => {
    if (tokens[at] !== mark) return false
    at++
    return true
  }
  const expect = (mark: string): void => {
    if (!takes(mark)) failQuery(text, where, tokens[at])
  }
  const atoms: QueryAtom[] = []
  do {
    const predicate = word()
    const placeholders: Placeholder[] = []
    expect('(')
    while (!takes(')')) {
      if (placeholders.length > 0) expect(',')
      const name = word()
      placeholders.push({ name, type: takes(':') ? word() : name })
    }
    atoms.push({ predicate, placeholders })
  } while (takes('&'))
  if (at < tokens.length) failQuery(text, where, tokens[at])
  return atoms
}

function failQuery(text: string, where: string, got: string | undefined): never {
  throw new ShaketableError(
    'bad-input',
    `${where}: expected a query such as 'holds(a:agent, o:object)', got ${got === undefined ? 'its end' : quote(got, 20)} in ${quote(text, 80)}. Use the grammar that came with the game.`,
  )
}
