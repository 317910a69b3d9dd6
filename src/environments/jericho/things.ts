import type { Dictionary } from './dictionary.js'
import type { Grammar } from './grammar.js'
import { directionOf } from './grammar.js'
import type { Machine } from './machine/machine.js'
import type { Story } from './story.js'
import { roomOf } from './story.js'

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
    const isRead = keys.every((key) => key !== undefined) && keys.some((key) => words.includes(key!))
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
  const found = [...counts].filter(([property, count]) => !others.has(property) && count >= minObjects)
  return found.sort(([, one], [, other]) => other - one)[0]?.[0]
}

/** A property as words of two bytes; undefined where it has an odd length or is empty. */
function addressesIn(bytes: Uint8Array | undefined): readonly number[] | undefined {
  if (bytes === undefined || bytes.length === 0 || bytes.length % 2 !== 0) return undefined
  return Array.from({ length: bytes.length / 2 }, (_, index) => (bytes[2 * index]! << 8) | bytes[2 * index + 1]!)
}

const maxPhrases = 60
const maxWordsOfPhrase = 4
const articles = new Set(['the', 'a', 'an', 'of', 'it', 'all'])

/**
 * Offers what may be named now to `find`, which says whether the parser finds it: the things in the player's room and
 * in their hands, whatever contains them, and the nouns of the description and of the inventory, since many stories
 * keep scenery elsewhere, and some keep their names in code. Several nouns in a row are offered before each of them.
 */
export function namesHere(
  { things, findPlayer, dictionary, grammar }: Story,
  machine: Machine,
  texts: { readonly looked: string; readonly carried: string },
  find: (name: string, isCarried: boolean, isThing: boolean) => boolean,
): void {
  const { objects } = machine
  const player = findPlayer(machine)
  const room = player === undefined ? machine.global(0) : roomOf(machine, player)
  const visited = new Set<number>()
  const within = (object: number): readonly string[] => {
    const found: string[] = []
    if (object < 1 || object > objects.count) return found
    for (let child = objects.child(object); child !== 0 && !visited.has(child); child = objects.sibling(child)) {
      visited.add(child)
      const thing = child === player ? undefined : things.get(child)
      found.push(...(thing === undefined ? [] : [thing.name]), ...within(child))
    }
    return found
  }
  const named = [player ?? 0, room].map((object) => within(object))
  const covered = new Set<string>()
  let left = maxPhrases
  const offer = (name: string, isCarried: boolean, isThing = false): boolean => {
    const words = dictionary.split(name).map((word) => dictionary.find(word)?.text ?? word)
    if (words.every((word) => covered.has(word)) || left-- <= 0) return false
    const isFound = find(name, isCarried, isThing)
    if (isFound) for (const word of words) covered.add(word)
    return isFound
  }
  named.forEach((names, index) => {
    for (const name of names) offer(name, index === 0, true)
  })
  for (const [text, isCarried] of [
    [texts.carried, true],
    [texts.looked, false],
  ] as const) {
    for (const run of nounsIn(text, (word) => {
      const entry = dictionary.find(word)
      return entry !== undefined && grammar.isNoun(entry) && !articles.has(word) && directionOf(word) === undefined
    })) {
      if (run.length > 1 && offer(run.slice(0, maxWordsOfPhrase).join(' '), isCarried)) continue
      for (const word of run) {
        const key = dictionary.find(word)?.text
        const named = [...things.values()].filter(({ words }) => words.includes(key!))
        offer(named.length === 1 ? named[0]!.name : word, isCarried)
      }
    }
  }
}

/** The words in a row of which each is a noun. */
function nounsIn(text: string, isNoun: (word: string) => boolean): readonly (readonly string[])[] {
  const runs: string[][] = [[]]
  for (const word of text.toLowerCase().match(/[\p{L}\d'-]+|\S/gu) ?? []) {
    if (/^\p{L}/u.test(word) && isNoun(word)) runs.at(-1)!.push(word)
    else runs.push([])
  }
  return runs.filter(({ length }) => length > 0)
}
