import type { Dictionary } from './dictionary.js'
import { type Grammar, directionOf, isOfZilch } from './grammar.js'
import type { Machine } from './machine/machine.js'

/** An object of a story that a player can name. */
export interface Thing {
  readonly object: number
  /** A name that the story's parser reads: the short name where it can, and else a word of its dictionary. */
  readonly name: string
  /** The words that name it, as the dictionary has them. */
  readonly words: readonly string[]
}

/** The nameable objects of a story, by number. */
export type Things = ReadonlyMap<number, Thing>

const minObjects = 3
/** Words that name the player, who is not an item. */
const selfWords = new Set(['me', 'myself', 'self'])

/**
 * Finds the objects that can be named: those with the property whose values are addresses of the dictionary in all
 * objects (`name` of Inform, `SYNONYM` of Infocom). Directions, which are objects in Inform, and the player are left
 * out.
 */
export function findThings(machine: Machine, dictionary: Dictionary, grammar: Grammar): Things {
  const { objects } = machine
  const isInform = !isOfZilch(machine)
  const property = findNames(machine, dictionary)
  const things = new Map<number, Thing>()
  for (let object = 1; property !== undefined && object <= objects.count; object++) {
    const named = addressesIn(objects.property(object, property))?.flatMap((address) => dictionary.at(address) ?? [])
    const entries = (named ?? []).filter(({ text }) => /^\p{L}/u.test(text))
    const words = entries.map(({ text }) => text)
    if (words.length === 0 || words.some((word) => selfWords.has(word) || directionOf(word) !== undefined)) continue
    const short = objects.name(object).trim().replace(/\s+/g, ' ')
    const spoken = dictionary.split(short)
    const keys = spoken.map((word) => dictionary.find(word)?.text)
    // Infocom's parser skips "of", and keeps adjectives elsewhere; Inform's reads the words of an object alone.
    const isWord = (key: string | undefined): boolean => key !== undefined && words.includes(key)
    const isRead = isInform ? keys.every(isWord) : keys.every((key) => key !== undefined) && keys.some(isWord)
    const name = isRead && /^[\p{L}\d' -]+$/u.test(short) ? short : (entries.find(grammar.isNoun)?.text ?? words[0]!)
    things.set(object, { object, name, words })
  }
  return things
}

/** The number of the property with the words of objects. */
function findNames({ objects }: Machine, dictionary: Dictionary): number | undefined {
  const counts = new Map<number, number>()
  const others = new Set<number>()
  for (let object = 1; object <= objects.count; object++) {
    for (const property of objects.properties(object)) {
      const addresses = addressesIn(objects.property(object, property))
      if (addresses?.every((address) => dictionary.at(address) !== undefined)) {
        counts.set(property, (counts.get(property) ?? 0) + 1)
      } else others.add(property)
    }
  }
  const candidates = [...counts].filter(([property, count]) => !others.has(property) && count >= minObjects)
  return candidates.sort(([, one], [, other]) => other - one)[0]?.[0]
}

/** A property as words of two bytes; undefined where it has an odd length or is empty. */
function addressesIn(bytes: Uint8Array | undefined): readonly number[] | undefined {
  if (bytes === undefined || bytes.length === 0 || bytes.length % 2 !== 0) return undefined
  return Array.from({ length: bytes.length / 2 }, (_, index) => (bytes[2 * index]! << 8) | bytes[2 * index + 1]!)
}
