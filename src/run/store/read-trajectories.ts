import { basename } from 'node:path'
import { parseJson } from '../../files/json.js'
import type { Trajectory } from '../../core/episode.js'
import type { Message } from '../../core/model.js'
import { type Line, readLines, readLinesAt } from '../../files/lines.js'
import { count } from '../../tables/words.js'
import type { RunFiles } from './run-folder.js'
import { type StoredTrajectory, unseal } from './record.js'

/**
 * Creates a reader. Where the trajectories are in their file is looked up at the first read; those written later are
 * not found.
 */
export function createTrajectoryReader(files: RunFiles) {
  const notes = new Set<string>()
  const isSteps = ({ prompt, steps }: Partial<StoredTrajectory>): boolean => [prompt, steps].every(Array.isArray)
  const trajectories = createNamedLines<StoredTrajectory>(files.trajectories, isSteps, notes)
  const isText = ({ content }: Partial<Message>): boolean => typeof content === 'string'
  const prompts = createNamedLines<Message>(files.prompts, isText, notes)
  return {
    /** Trajectories by key, without those that are missing or cannot be read. */
    read(keys: readonly string[]): Map<string, Trajectory> {
      const found = trajectories(keys)
      const messages = prompts([...found.values()].flatMap(({ prompt }) => prompt))
      for (const [key, { prompt }] of found) {
        const missing = prompt.filter((hash) => !messages.has(hash)).length
        if (missing > 0)
          notes.add(`${basename(files.prompts)}: ${count(missing, 'message')} of the prompt of ${key} cannot be read.`)
      }
      return new Map([...found].map(([key, stored]) => [key, unseal(stored, messages)]))
    },
    leftOut: (): readonly string[] => [...notes],
  }
}

/** The name with which a line begins: the key of an episode, or the hash of a message; undefined for other lines. */
export function nameIn(text: string): string | undefined {
  return /^\{"(?:key|hash)":"([0-9a-f]{20})"/.exec(text)?.[1]
}

const nameLength = '{"hash":""'.length + 20

type Place = Pick<Line, 'offset' | 'bytes' | 'number'>

/** Finds the lines of a file by their names; of several lines with one name the last. */
export function findNamed(path: string, note: (sentence: string) => void = () => undefined): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { text, number, offset, bytes, ended } of readLines(path, nameLength)) {
    const name = nameIn(text)
    if (!ended) note(`${basename(path)}: the last line is unfinished and left out.`)
    else if (name !== undefined) places.set(name, { offset, bytes, number })
    else note(`${basename(path)}:${String(number)}: expected a line with a key or a hash. It is LEFT OUT.`)
  }
  return places
}

function createNamedLines<Value>(
  path: string,
  isWhole: (value: Partial<Value>) => boolean,
  notes: Set<string>,
): (names: readonly string[]) => Map<string, Value> {
  let places: ReadonlyMap<string, Place> | undefined
  return (names) => {
    const values = new Map<string, Value>()
    places ??= findNamed(path, (note) => notes.add(note))
    const wanted = [...new Set(names)].flatMap((name) => places!.get(name) ?? [])
    for (const { number, text } of readLinesAt(path, wanted)) {
      const [name, value] = [nameIn(text), parseJson(text) as Value | undefined]
      if (name !== undefined && value !== undefined && isWhole(value)) values.set(name, value)
      else notes.add(`${basename(path)}:${String(number)}: it cannot be read. The line is LEFT OUT.`)
    }
    return values
  }
}
