import * as z from 'zod'
import { packagedData } from '../../src/files/packaged.js'

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
