import * as z from 'zod'
import type { World } from '../core/environment.js'
import { createNameFinder } from '../core/names.js'
import type { Lens } from '../core/perturbation.js'
import { capitalised } from '../core/spelling.js'
import { packagedData } from '../files/packaged.js'

export type TextTable = ReturnType<typeof createTextTable>

/**
 * What texts of an episode say: their facts, and the names of the episode and its examples before a lens and after.
 * Those of examples that it replaces are left out.
 */
export function createTextTable(before: World, after: World, lenses: readonly Lens[]) {
  const spelling = new Map<string, string>()
  const pair = (from: readonly string[], to: readonly string[]): void => {
    from.forEach((name, index) => spelling.set(name, to[index]!))
  }
  if (lenses.every(({ brief }) => brief === undefined)) {
    before.briefing.examples.forEach((example, index) => pair(example.names, after.briefing.examples[index]!.names))
  }
  pair(before.names, after.names)
  for (const [name, agent] of [...spelling]) {
    const large = capitalised(name)
    if (agent !== name && !spelling.has(large)) spelling.set(large, capitalised(agent))
  }
  const [old, fresh] = [createNameFinder(spelling.keys()), createNameFinder(spelling.values())]
  const either = createNameFinder([...spelling.keys(), ...spelling.values()])
  const kinds = new Map([...spelling].map(([name, agent]) => [kindOf(name), kindOf(agent)]))
  const without = (text: string): string => fresh.replace(text, () => '|')
  const wordsOf = (text: string): string =>
    ` ${without(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}-]+/gu, ' ')} `
  return {
    /**
     * The facts of one text in the new spelling that another does not have, and the kinds of item (`sofa` of `sofa 1`)
     * that it mentions without a number and the other in no way. Not told: who holds what, what is in, on or at what,
     * and anything that words outside of the table of facts say.
     */
    wordsLost(from: string, to: string): readonly string[] {
      const kept = factsIn(without(to))
      const [before, after] = [wordsOf(from), wordsOf(to)]
      const has = (text: string, kind: string): boolean => text.includes(` ${kind} `)
      const lost = [...kinds]
        .filter(([kind, agent]) => has(before, kind) || has(before, agent))
        .flatMap(([kind, agent]) => (has(after, kind) || has(after, agent) ? [] : [agent]))
      return [...[...factsIn(without(from))].filter((fact) => !kept.has(fact)), ...lost]
    },
    /** Prose with each name in its new spelling. */
    respell: (text: string): string => old.replace(text, (name) => spelling.get(name)!),
    /** The names that a text in the new spelling mentions, sorted. */
    mentioned(text: string): readonly string[] {
      const phrases: string[] = []
      fresh.replace(text, (name) => (phrases.push(name), name))
      return phrases.sort()
    },
    /** The numbers in a text that belong to no name in the new spelling, sorted. */
    numbers: (text: string): readonly string[] => (without(text).match(/\d+/g) ?? []).sort(),
    /** The name, in either spelling, that begins at an index. */
    at: either.at,
  }
}

function kindOf(name: string): string {
  return name.toLowerCase().replace(/ ?\d+$/, '')
}

/** facts.yaml says what they are. */
const facts = packagedData(
  'src/laws/facts.yaml',
  z
    .array(z.record(z.string(), z.string()))
    .transform((rows) =>
      rows.flatMap((row) =>
        Object.entries(row).map(
          ([name, words]) => [name, new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, 'g')] as const,
        ),
      ),
    ),
)

/** The facts of a text without its names, in words. */
function factsIn(text: string): ReadonlySet<string> {
  const phrases = new Set<string>()
  let rest = text.toLowerCase().replaceAll('’', "'").replaceAll("n't", ' not')
  for (const [name, pattern] of facts()) {
    const left = rest.replace(pattern, '|')
    if (left !== rest) phrases.add(name)
    rest = left
  }
  return phrases
}
