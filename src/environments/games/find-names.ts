import { wordsOf } from './tokens.js'

/** A name as words. */
interface Name {
  readonly name: string
  readonly words: readonly string[]
}

const tables = new WeakMap<readonly string[], ReadonlyMap<string, readonly Name[]>>()

/** The names that stand in a row of words, in order, the longest at each place; case does not count. The same list of names may come again. */
export function findNames(words: readonly string[], names: readonly string[]): readonly string[] {
  const table = tables.get(names) ?? tabulate(names)
  tables.set(names, table)
  const found: string[] = []
  for (let at = 0; at < words.length;) {
    const name = table.get(words[at]!)?.find((one) => one.words.every((word, index) => words[at + index] === word))
    if (name !== undefined) found.push(name.name)
    at += name?.words.length ?? 1
  }
  return found
}

function tabulate(names: readonly string[]): ReadonlyMap<string, readonly Name[]> {
  const table = new Map<string, Name[]>()
  for (const name of names) {
    const words = wordsOf(name.toLowerCase())
    const first = words[0]
    if (first === undefined) continue
    const known = table.get(first) ?? []
    known.push({ name, words })
    table.set(
      first,
      known.sort((a, b) => b.words.length - a.words.length),
    )
  }
  return table
}
