import { ShaketableError } from '../../../core/errors.js'
import { quote } from '../../pddl/expression.js'

/** A predicate over placeholders: `inreceptacle(o:object, r:receptacle)`. */
export interface QueryAtom {
  readonly predicate: string
  readonly placeholders: readonly Placeholder[]
}

/** A typed hole in a query. Two of one name and different types are different holes. */
export interface Placeholder {
  readonly name: string
  readonly type: string
}

const token = /\s*(?:([\p{L}\p{N}_/']+)|([(),:&]))/uy

/**
 * Reads predicates joined by `&`; a placeholder without a type is of the type of its own name.
 * @throws ShaketableError `bad-input` where it is anything else.
 */
export function parseQuery(text: string, where: string): QueryAtom[] {
  const tokens = tokensOf(text, where)
  let at = 0
  const word = (): string => {
    const found = tokens[at++]
    if (found === undefined || !/[^(),:&]/.test(found)) fail(text, where, found)
    return found
  }
  const takes = (mark: string): boolean => {
    if (tokens[at] !== mark) return false
    at++
    return true
  }
  const expect = (mark: string): void => {
    if (!takes(mark)) fail(text, where, tokens[at])
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
  if (at < tokens.length) fail(text, where, tokens[at])
  return atoms
}

function tokensOf(text: string, where: string): string[] {
  const tokens: string[] = []
  const end = text.trimEnd().length
  token.lastIndex = 0
  while (token.lastIndex < end) {
    const from = token.lastIndex
    const found = token.exec(text)
    if (found === null) return fail(text, where, text.slice(from).trim().slice(0, 20))
    tokens.push(found[1] ?? found[2]!)
  }
  return tokens
}

function fail(text: string, where: string, got: string | undefined): never {
  throw new ShaketableError(
    'bad-input',
    `${where}: expected a query such as 'holds(a:agent, o:object)', got ${got === undefined ? 'its end' : quote(got, 20)} in ${quote(text, 80)}. Use the grammar that came with the game.`,
  )
}
