import { directionOf } from './grammar.js'
import type { Machine } from './machine/machine.js'
import { type Story, roomOf } from './story.js'

const maxPhrases = 60
const maxWordsOfPhrase = 4
/** Words that parsers read in the place of things or between them. */
const grammarWords = new Set(
  'the a an of it its all and but except everything both each every that those this these to them i me my you your'.split(
    ' ',
  ),
)

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
    const names: string[] = []
    if (object < 1 || object > objects.count) return names
    for (let child = objects.child(object); child !== 0 && !visited.has(child); child = objects.sibling(child)) {
      visited.add(child)
      const thing = child === player ? undefined : things.get(child)
      names.push(...(thing === undefined ? [] : [thing.name]), ...within(child))
    }
    return names
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
      return entry !== undefined && grammar.isNoun(entry) && !grammarWords.has(word) && directionOf(word) === undefined
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
