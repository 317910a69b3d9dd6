import { z } from 'zod'
import { packagedData } from '../../../files/packaged.js'

/** The place of an item in no receptacle; as in ALFWorld, the agent can neither see nor take it. */
export const floor = 'Floor'

const stock = z.strictObject({
  /** Share of rooms that have any. */
  share: z.number().positive().max(1),
  /** A room that has any has 1 to `most`, all equally likely. */
  most: z.int().min(1),
  /** Receptacle classes (or {@link floor}) that hold it, with weights. */
  places: z.string().transform((text) => text.split(', ').map(readWeight)),
})
/** The occurrence of an object class in a kind of room. */
export type Stock = z.infer<typeof stock>

const room = z.strictObject({
  name: z.string(),
  /** Equally likely numbers of each receptacle class. */
  furniture: z.record(z.string(), z.array(z.int().min(0))),
  stock: z.record(z.string(), stock),
})
/** A kind of room: its furniture and its objects. */
export type Room = z.infer<typeof room>

/** The kinds of room. */
export const rooms = packagedData(
  'src/environments/household/scenes/rooms.yaml',
  z.strictObject({ kitchen: room, livingRoom: room, bedroom: room, bathroom: room }),
)

function readWeight(text: string): readonly [place: string, weight: number] {
  const [place, weight] = text.split(' ') as [string, string]
  return [place, Number(weight)]
}

const classes = z.string().transform((text): ReadonlySet<string> => new Set(text.split(' ')))

/** ALFRED's classes and what can be done with them. */
export const vocabulary = packagedData(
  'src/environments/household/scenes/vocabulary.yaml',
  z.strictObject({
    fixed: classes,
    openable: classes,
    /** The classes for which a predicate of the domain holds. */
    affordances: z.record(z.string(), classes),
    /** The object classes that a receptacle class can hold. */
    canContain: z.record(z.string(), classes),
  }),
)

/** Whether an object class is part of the room and cannot be picked up. */
export function isFixed(objectClass: string): boolean {
  return vocabulary().fixed.has(objectClass)
}

/** Whether a receptacle class can be opened. */
export function isOpenable(receptacleClass: string): boolean {
  return vocabulary().openable.has(receptacleClass)
}

/** Whether a predicate of the domain holds for an object class. */
export function affords(predicate: string, objectClass: string): boolean {
  return vocabulary().affordances[predicate]!.has(objectClass)
}

/** Whether a receptacle class can hold an object class. */
export function holds(receptacleClass: string, objectClass: string): boolean {
  return vocabulary().canContain[receptacleClass]?.has(objectClass) ?? false
}
