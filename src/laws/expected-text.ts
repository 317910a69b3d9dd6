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
  lens: Lens,
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
  if (lens.brief === undefined) {
    before.briefing.examples.forEach((example, index) => pair(example.names, after.briefing.examples[index]!.names))
  }
  pair(before.names, after.names)
  capitals()
  for (const [name, agent] of spelling) if (agent !== name) spelling.set(name, show(name, agent))
  const old = anyOf([...spelling.keys()])
  const fresh = anyOf([...spelling.values()])
  const either = createNameFinder([...spelling.keys(), ...spelling.values()])
  return {
    respell: (text) => text.replace(old, (name) => spelling.get(name)!),
    mentioned: (text) => (text.match(fresh) ?? []).sort(),
    numbers: (text) => (text.replace(fresh, '').match(/\d+/g) ?? []).sort(),
    at: either.at,
  }
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

const word = '[\\p{L}\\p{M}\\p{N}_]'
const isWord = new RegExp(word, 'u')

function anyOf(names: readonly string[]): RegExp {
  const longestFirst = names.filter((name) => name !== '').sort((a, b) => b.length - a.length)
  const patterns = longestFirst.map((name) => {
    const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    return `${isWord.test(name[0]!) ? `(?<!${word})` : ''}${literal}${isWord.test(name.at(-1)!) ? `(?!${word})` : ''}`
  })
  return new RegExp(patterns.length === 0 ? '(?!)' : patterns.join('|'), 'gu')
}
