import { z } from 'zod'
import { packagedData } from '../../../files/packaged.js'

/** The six kinds of task, in ALFWorld's order and by its names. */
export const taskKinds = [
  'pick_and_place_simple',
  'look_at_obj_in_light',
  'pick_clean_then_place_in_recep',
  'pick_heat_then_place_in_recep',
  'pick_cool_then_place_in_recep',
  'pick_two_obj_and_place',
] as const
/** One of {@link taskKinds}. */
export type TaskKind = (typeof taskKinds)[number]

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

const kinds = z.enum(['kitchen', 'livingRoom', 'bedroom', 'bathroom'])
const count = z.int().min(0)
const split = z.strictObject({
  folder: z.string(),
  tasks: z.record(z.enum(taskKinds), count),
  rooms: z.array(z.strictObject({ room: kinds, first: count, count })),
})

/** What furnishing and the splits are drawn from. */
export const sceneData = packagedData(
  'src/environments/household/scenes/scenes.yaml',
  z.strictObject({
    heights: z.record(z.string(), z.array(count)),
    shared: z.array(z.strictObject({ kind: z.string(), mate: z.string(), share: z.number() })),
    companions: z.record(z.string(), z.string()),
    splits: z.strictObject({ train: split, 'valid-unseen': split }),
    roomsOfKind: z.record(z.enum(taskKinds), z.array(z.tuple([kinds, count]))),
  }),
)

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
