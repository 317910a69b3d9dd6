import type { Trajectory } from '../../core/episode.js'
import type { Message } from '../../core/model.js'
import { openLines } from '../../files/line-at.js'
import { readLines } from '../../files/lines.js'
import type { RunFiles } from './files.js'
import type { StoredTrajectory } from './record.js'
import { unseal } from './record.js'

/**
 * Makes a function that reads the trajectories of some episodes, by key; one that is missing or damaged is left out. Where each stands is looked up once, when
 * the first is asked for; what is written after that is not found.
 */
export function createTrajectoryReader(files: RunFiles): (keys: readonly string[]) => Map<string, Trajectory> {
  const trajectories = createNamedLines<StoredTrajectory>(files.trajectories, 'key')
  const prompts = createNamedLines<Message>(files.prompts, 'hash')
  return (keys) => {
    const stored = new Map([...trajectories(keys)].filter(([, found]) => isWhole(found)))
    const messages = prompts([...stored.values()].flatMap(({ prompt }) => prompt))
    return new Map([...stored].map(([key, found]) => [key, unseal(found, (hash) => messages.get(hash))]))
  }
}

function isWhole({ prompt, opening, steps }: Partial<StoredTrajectory>): boolean {
  return Array.isArray(prompt) && opening !== undefined && Array.isArray(steps)
}

const nameDigits = 20

/** Reads lines of JSON that each begin with a name of their own; of two of one name the later. */
function createNamedLines<Value>(path: string, field: string): (names: readonly string[]) => Map<string, Value> {
  const prefix = `{"${field}":"`
  let places: ReadonlyMap<string, number> | undefined
  return (names) => {
    const found = new Map<string, Value>()
    places ??= findPlaces(path, prefix)
    const wanted = [...new Set(names)].flatMap((name) => ({ name, place: places!.get(name) ?? absent }))
    if (wanted.every(({ place }) => place === absent)) return found
    const lines = openLines(path)
    try {
      for (const { name, place } of wanted) {
        const value = place === absent ? undefined : parse<Value>(lines.lineAt(place), prefix + name)
        if (value !== undefined) found.set(name, value)
      }
    } finally {
      lines.close()
    }
    return found
  }
}

const absent = -1

function findPlaces(path: string, prefix: string): Map<string, number> {
  const places = new Map<string, number>()
  for (const { text, offset, ended } of readLines(path, prefix.length + nameDigits)) {
    if (ended && text.startsWith(prefix)) places.set(text.slice(prefix.length), offset)
  }
  return places
}

/** Undefined where it is damaged, or the file is another one by now. */
function parse<Value>(text: string, beginning: string): Value | undefined {
  if (!text.startsWith(beginning)) return undefined
  try {
    return JSON.parse(text) as Value
  } catch {
    return undefined
  }
}
