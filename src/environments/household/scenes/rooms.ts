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
