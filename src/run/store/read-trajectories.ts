import { basename } from 'node:path'
import type { Trajectory } from '../../core/episode.js'
import type { Message } from '../../core/model.js'
import { openLines } from '../../files/line-at.js'
import { readLines } from '../../files/lines.js'
import type { RunFiles } from './files.js'
import type { StoredTrajectory } from './record.js'
import { unseal } from './record.js'

/** What becomes of a line that cannot be used. */
export const leftOut = 'LEFT OUT; `shaketable run` with the same experiment plays that episode again.'

/** Reads the trajectories of a run. */
export interface TrajectoryReader {
  /** Those of some episodes, by key; one that is missing or damaged is left out. */
  readonly read: (keys: readonly string[]) => Map<string, Trajectory>
  /** What was damaged of all that was looked at so far, in sentences. */
  readonly leftOut: () => readonly string[]
}

/**
 * Makes a reader. Where each trajectory stands is looked up once, when the first is asked for; what is written after
 * that is not found.
 */
export function createTrajectoryReader(files: RunFiles): TrajectoryReader {
  const notes = new Set<string>()
  const trajectories = createNamedLines<StoredTrajectory>(files.trajectories, 'key', notes)
  const prompts = createNamedLines<Message>(files.prompts, 'hash', notes)
  return {
    read(keys) {
      const stored = new Map([...trajectories(keys)].filter(([, found]) => isWhole(found)))
      const messages = prompts([...stored.values()].flatMap(({ prompt }) => prompt))
      return new Map([...stored].map(([key, found]) => [key, unseal(found, (hash) => messages.get(hash))]))
    },
    leftOut: () => [...notes],
  }
}

function isWhole({ prompt, opening, steps }: Partial<StoredTrajectory>): boolean {
  return Array.isArray(prompt) && opening !== undefined && Array.isArray(steps)
}

const nameDigits = 20

/** Reads lines of JSON that each begin with a name of their own; of two of one name the later. */
function createNamedLines<Value>(
  path: string,
  field: string,
  notes: Set<string>,
): (names: readonly string[]) => Map<string, Value> {
  const prefix = `{"${field}":"`
  let places: ReadonlyMap<string, number> | undefined
  return (names) => {
    const found = new Map<string, Value>()
    places ??= findPlaces(path, prefix, notes)
    const wanted = [...new Set(names)].flatMap((name) => ({ name, place: places!.get(name) ?? absent }))
    if (wanted.every(({ place }) => place === absent)) return found
    const lines = openLines(path)
    try {
      for (const { name, place } of wanted) {
        const value = place === absent ? undefined : parse<Value>(lines.lineAt(place), prefix + name)
        if (value !== undefined) found.set(name, value)
        else if (place !== absent)
          notes.add(`${basename(path)}: DAMAGED, the line of ${name} cannot be read: ${leftOut}`)
      }
    } finally {
      lines.close()
    }
    return found
  }
}

const absent = -1

function findPlaces(path: string, prefix: string, notes: Set<string>): Map<string, number> {
  const places = new Map<string, number>()
  for (const { text, number, offset, ended, state } of readLines(path, prefix.length + nameDigits)) {
    if (!ended) notes.add(`${basename(path)}: the last line is unfinished and left out.`)
    else if (state === 'damaged') {
      notes.add(`${basename(path)}:${String(number)}: DAMAGED, the line is not as it was written: ${leftOut}`)
    } else if (text.startsWith(prefix)) places.set(text.slice(prefix.length), offset)
  }
  return places
}

/** Undefined where it is damaged, or the file is another one by now. */
function parse<Value>(text: string | undefined, beginning: string): Value | undefined {
  if (text?.startsWith(beginning) !== true) return undefined
  try {
    return JSON.parse(text) as Value
  } catch {
    return undefined
  }
}
