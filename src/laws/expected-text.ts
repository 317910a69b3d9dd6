import type { World } from '../core/environment.js'
import { createNameFinder } from '../core/names.js'
import type { Lens } from '../core/perturbation.js'

/**
 * The expected item names in prose, computed in another way than in perturbations: by one regular expression over all
 * names. Slower, and easy to verify.
 */
export interface NameTable {
  /** Prose with each name in its new spelling. */
  respell(text: string): string
  /** The names that a text in the new spelling mentions, sorted. */
  mentioned(text: string): readonly string[]
  /** The numbers in a text that belong to no name in the new spelling, sorted. */
  numbers(text: string): readonly string[]
  /** A text in the new spelling without its names. */
  without(text: string): string
  /** The kinds of item (`sofa` of `sofa 1`) that a text mentions without a number, and another mentions in no way. */
  kindsLost(from: string, to: string): readonly string[]
  /** The name, in either spelling, that begins at an index. */
  at(text: string, index: number): string | undefined
}

/** What has names of items, and worked examples with names of their own. */
interface Named extends Pick<World, 'names'> {
  readonly briefing: { readonly examples: readonly { readonly names: readonly string[] }[] }
}

/**
 * The names of an episode and its examples before a lens and after; those of examples that it replaces are left out.
 * @param show what is shown for a name that changes; default: its new spelling
 */
export function createNameTable(
  before: Named,
  after: Named,
  lenses: readonly Lens[],
  show = (_: string, agent: string) => agent,
): NameTable {
  const spelling = new Map<string, string>()
  const pair = (from: readonly string[], to: readonly string[]): void => {
    from.forEach((name, index) => spelling.set(name, to[index]!))
  }
  const capitals = (): void => {
    for (const [name, agent] of [...spelling]) {
      const large = capitalised(name)
      if (agent !== name && !spelling.has(large)) spelling.set(large, capitalised(agent))
    }
  }
  if (lenses.every(({ brief }) => brief === undefined)) {
    before.briefing.examples.forEach((example, index) => pair(example.names, after.briefing.examples[index]!.names))
  }
  pair(before.names, after.names)
  capitals()
  for (const [name, agent] of spelling) if (agent !== name) spelling.set(name, show(name, agent))
  const key = JSON.stringify([...spelling])
  const known = tables.get(key)
  if (known !== undefined) return known
  const old = anyOf([...spelling.keys()])
  const fresh = anyOf([...spelling.values()])
  const either = createNameFinder([...spelling.keys(), ...spelling.values()])
  const kinds = new Map([...spelling].map(([name, agent]) => [kindOf(name), kindOf(agent)]))
  const without = remember((text) => text.replace(fresh, '|'))
  const wordsOf = (text: string): string =>
    ` ${without(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}-]+/gu, ' ')} `
  const table: NameTable = {
    without,
    kindsLost(from, to) {
      const [before, after] = [wordsOf(from), wordsOf(to)]
      const has = (text: string, kind: string): boolean => text.includes(` ${kind} `)
      return [...kinds]
        .filter(([kind, agent]) => has(before, kind) || has(before, agent))
        .flatMap(([kind, agent]) => (has(after, kind) || has(after, agent) ? [] : [agent]))
    },
    respell: remember((text) => text.replace(old, (name) => spelling.get(name)!)),
    mentioned: remember((text) => (text.match(fresh) ?? []).sort()),
    numbers: (text) => (without(text).match(/\d+/g) ?? []).sort(),
    at: either.at,
  }
  if (tables.size > 100) tables.clear()
  tables.set(key, table)
  return table
}

/** Tables by spelling: the laws ask for the same one again and again. */
const tables = new Map<string, NameTable>()

/** The function with its last results, as the laws look at the same texts. */
function remember<T>(work: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = work(text)
    if (results.size > 200) results.clear()
    results.set(text, result)
    return result
  }
}

function kindOf(name: string): string {
  return name.toLowerCase().replace(/ ?\d+$/, '')
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

const word = '[\\p{L}\\p{M}\\p{N}_]'
const isWord = new RegExp(word, 'u')

function anyOf(names: readonly string[]): RegExp {
  const longestFirst = names.filter((name) => name !== '').sort((a, b) => b.length - a.length)
  const patternOf = (name: string): string =>
    name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + (isWord.test(name.at(-1)!) ? `(?!${word})` : '')
  const begins = (isInWord: boolean): string[] => longestFirst.filter((name) => isWord.test(name[0]!) === isInWord)
  const [words, others] = [begins(true), begins(false)].map((group) => group.map(patternOf).join('|'))
  const groups = [words === '' ? [] : `(?<!${word})(?:${words!})`, others === '' ? [] : others!].flat()
  return new RegExp(groups.length === 0 ? '(?!)' : groups.join('|'), 'gu')
}
