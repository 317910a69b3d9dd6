import { ShaketableError } from '../../../core/errors.js'
import { quote } from '../../pddl/expression.js'

/** What stands in braces: a name of an entity, a text, a sum of texts, or the first that is not empty. */
export type WordExpression =
  | { readonly kind: 'word'; readonly variable: string; readonly field: Field }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'join' | 'first'; readonly parts: readonly WordExpression[] }

/** What an entity can be called. A bare variable prints its name. */
export type Field = (typeof fields)[number]
const fields = ['name', 'id', 'type', 'indefinite', 'definite'] as const

const token = /\s*(?:([\p{L}_][\p{L}\p{N}_]*)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([.+()]))/uy
const deepest = 50

/**
 * Reads `o.indefinite + ' ' + o.name`, `r.name or r.id` and the like.
 * @throws ShaketableError `bad-input` where it is anything else.
 */
export function parseWordExpression(text: string, where: string): WordExpression {
  const tokens = tokensOf(text, where)
  let at = 0
  let depth = 0
  const takes = (wanted: string): boolean => {
    if (tokens[at] !== wanted) return false
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
      if (++depth > deepest) fail(text, where)
      const inner = first()
      if (!takes(')')) fail(text, where)
      depth--
      return inner
    }
    if (found === undefined || found === 'or' || '.+)'.includes(found)) return fail(text, where)
    if (found.startsWith("'") || found.startsWith('"')) return { kind: 'text', text: unquote(found) }
    if (!takes('.')) return { kind: 'word', variable: found, field: 'name' }
    const field = fields.find((name) => name === tokens[at])
    if (field === undefined) return fail(text, where)
    at++
    return { kind: 'word', variable: found, field }
  }
  const expression = first()
  if (at < tokens.length) fail(text, where)
  return expression
}

function tokensOf(text: string, where: string): string[] {
  const tokens: string[] = []
  const end = text.trimEnd().length
  token.lastIndex = 0
  while (token.lastIndex < end) {
    const found = token.exec(text)
    if (found === null) return fail(text, where)
    tokens.push(found[1] ?? found[2] ?? found[3]!)
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

function fail(text: string, where: string): never {
  throw new ShaketableError(
    'bad-input',
    `${where}: expected an expression of ${fields.map((field) => `x.${field}`).join(', ')}, texts, '+' and 'or', got ${quote(text, 80)}. Use the grammar that came with the game.`,
  )
}
