import * as z from 'zod'
import { packagedData } from '../../src/files/packaged.js'
import { type Verb, verbOf } from './words.js'

/** A household goal, in class names such as `soapbar`. */
export interface Goal {
  readonly thing: string
  /** The destination, or the lamp of a task to look at the thing under a lamp. */
  readonly place: string
  readonly treatment?: Verb
  readonly count: number
  readonly underLamp: boolean
}

const grammar = new Set(
  'a an the some two it them and to in on at into onto under with by put place find get take look examine clean hot heat warm cool cold'.split(
    ' ',
  ),
)

/** Reads a goal by its content words: the first is the thing, the last is the place. */
export function readGoal(sentence: string): Goal {
  const words: readonly string[] = sentence.toLowerCase().match(/[a-z]+/g) ?? []
  const content = words.filter((word) => !grammar.has(word))
  const treatment = ['clean', 'heat', 'cool'].find((verb) => words.some((word) => verbOf(word, 'tp') === verb))
  return {
    thing: content[0] ?? '',
    place: content.at(-1) ?? '',
    ...(treatment !== undefined && { treatment: treatment as Verb }),
    count: words.includes('two') ? 2 : 1,
    underLamp: words.some((word) => ['look', 'examine'].includes(word)),
  }
}

/** The class of an item name, its longest word: `sofa` for `sofa 1`, `sofa1`, `SOFA no. 1`. */
export function classOf(name: string): string {
  const words: readonly string[] = name.toLowerCase().match(/[a-z]+/g) ?? []
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

const words = z.string().transform((list) => list.split(' '))

/** The places where things are usually kept, those where a person would look first before the others. */
const placesOf = packagedData(
  'baselines/household/habits.yaml',
  z
    .array(z.strictObject({ things: words, places: words }))
    .transform((rows) => new Map(rows.flatMap(({ things, places }) => things.map((thing) => [thing, places])))),
)

/** Usually closed, so that looking inside takes one more action. */
const doors = new Set(['cabinet', 'drawer', 'fridge', 'microwave', 'safe', 'box'])

/**
 * The value of searching one of `among` places of a class for a thing, per action: from near 0 to 1. A plausible guess,
 * not a probability.
 */
export function searchValue(thing: string, place: string, among: number): number {
  const rank = placesOf().get(thing)?.indexOf(place) ?? -1
  const share = rank === -1 ? 0.04 : 1 / (1 + 0.7 * rank)
  return share / Math.sqrt(among) / (doors.has(place) ? 2 : 1)
}

/** The class of place for each treatment. */
export const stations: Readonly<Record<string, string>> = { clean: 'sinkbasin', heat: 'microwave', cool: 'fridge' }
