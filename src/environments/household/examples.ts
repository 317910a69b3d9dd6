import * as z from 'zod'
import type { Example } from '../../core/environment.js'
import { printForm, readForm } from '../../core/form.js'
import { packagedData } from '../../files/packaged.js'
import { type TaskKind, taskKinds } from './scenes/rooms.js'
import type { Generation } from './text/domain.js'

const exchange = z.strictObject({ action: z.string(), observation: z.string() })
type Exchange = z.infer<typeof exchange>

/** An episode of a generated task of each kind, in the old generation's wording. */
export const recordedExamples = packagedData(
  'src/environments/household/examples.yaml',
  z.record(
    z.enum(taskKinds),
    z.strictObject({ task: z.string(), goal: z.string(), room: z.string(), exchanges: z.array(exchange) }),
  ),
)

/** Our own worked example for a kind of task. */
export function examplesOf(kind: TaskKind, generation: Generation): readonly Example[] {
  const { goal, room, exchanges } = recordedExamples()[kind]
  const worded = generation === 'old' ? exchanges : exchanges.map(inNewWording)
  const opening = `Your task is to: ${goal}\nYou are in the middle of a room. Looking quickly around you, you see ${room}`
  return [
    {
      opening: [opening],
      exchanges: worded.map(({ action, observation }) => ({ action, observation: [observation] })),
      names: itemNames([opening, ...worded.flatMap(({ action, observation }) => [action, observation])]),
    },
  ]
}

/** The same exchange in the new generation's wording: `move … to …`, and an arrival that names the receptacle. */
function inNewWording({ action, observation }: Exchange): Exchange {
  const arrived = readForm('go to {recep}', action)
  if (arrived !== undefined) {
    return { action, observation: `${printForm('You arrive at {recep}.', arrived)} ${observation}` }
  }
  const put = readForm('put {obj} in/on {recep}', action)
  if (put === undefined) return { action, observation }
  return {
    action: printForm('move {obj} to {recep}', put),
    observation: printForm('You move the {obj} to the {recep}.', put),
  }
}

/**
 * The items that texts of this environment mention, for callers without a game: a word and a number after an article or
 * a word of a command, as in `a mug 2`, `the desk 1`, `go to desk 1`, `clean mug 2 with sinkbasin 1`. Other numbers do
 * not count.
 */
export function itemNames(texts: readonly string[]): readonly string[] {
  const names = new Set<string>()
  for (const text of texts) {
    for (const [, name] of text.matchAll(pattern)) names.add(name!)
  }
  return [...names]
}

const pattern =
  /\b(?:an?|the|go to|take|from|put|in\/on|move|to|open|close|examine|use|heat|clean|cool|slice|with) ([a-z]+ \d+)\b/gi
