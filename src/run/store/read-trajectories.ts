import { basename } from 'node:path'
import * as z from 'zod'
import { parseJson } from '../../files/json.js'
import type { Trajectory } from '../../core/episode.js'
import type { Message } from '../../core/model.js'
import type { Line } from '../../files/lines.js'
import { readLines, readLinesAt } from '../../files/lines.js'
import { count } from '../../tables/words.js'
import { explainIssues } from '../explain-issue.js'
import type { RunFiles } from './run-folder.js'
import type { StoredTrajectory } from './record.js'
import { unseal } from './record.js'

/** The consequence of an unusable row. */
export const leftOut = 'LEFT OUT; `shaketable run` with the same experiment plays that episode again.'

/**
 * Creates a reader. Where the trajectories are in their file is looked up at the first read; those written later are
 * not found.
 */
export function createTrajectoryReader(files: RunFiles) {
  const notes = new Set<string>()
  const trajectories = createNamedLines<StoredTrajectory>(files.trajectories, 'key', trajectorySchema, notes)
  const prompts = createNamedLines<Message>(files.prompts, 'hash', messageSchema, notes)
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
      return new Map([...found].map(([key, stored]) => [key, unseal(stored, (hash) => messages.get(hash))]))
    },
    /** Sentences on lines that could not be read so far. */
    leftOut: (): readonly string[] => [...notes],
  }
}

/** A line of prompts.jsonl. */
const messageSchema = z.object({ role: z.string(), content: z.string() })
/** A line of trajectories.jsonl: what every reader uses. */
const trajectorySchema = z.object({
  prompt: z.array(z.string()),
  opening: z.object({ observation: z.string() }),
  steps: z.array(z.object({ action: z.string(), observation: z.string(), progress: z.number() })),
})

/** The name with which a line begins: the key of an episode, or the hash of a message; undefined for other lines. */
export function nameIn(text: string): string | undefined {
  return /^\{"(?:key|hash)":"([0-9a-f]{20})"/.exec(text)?.[1]
}

/** Characters of a line up to the end of its name. */
const nameLength = '{"hash":""'.length + 20

type Place = Pick<Line, 'offset' | 'bytes' | 'number'>

/** Finds the lines of a file by their names; of several lines with one name the last. */
export function findNamed(path: string, note: (sentence: string) => void = () => undefined): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { text, number, offset, bytes, ended } of readLines(path, { maxText: nameLength })) {
    const name = nameIn(text)
    if (!ended) note(`${basename(path)}: the last line is unfinished and left out.`)
    else if (name !== undefined) places.set(name, { offset, bytes, number })
    else note(`${basename(path)}:${String(number)}: expected a line with a key or a hash. It is LEFT OUT.`)
  }
  return places
}

function createNamedLines<Value>(
  path: string,
  field: 'key' | 'hash',
  schema: z.ZodType,
  notes: Set<string>,
): (names: readonly string[]) => Map<string, Value> {
  let places: ReadonlyMap<string, Place> | undefined
  return (names) => {
    const found = new Map<string, Value>()
    places ??= findNamed(path, (note) => notes.add(note))
    const wanted = [...new Set(names)].flatMap((name) => places!.get(name) ?? [])
    for (const { number, text } of readLinesAt(path, wanted)) {
      const value = parseJson(text)
      const { error } = schema.safeParse(value)
      const name = (value as Readonly<Record<string, string>> | undefined)?.[field]
      if (error === undefined && name !== undefined) found.set(name, value as Value)
      else {
        const [issue] = value === undefined ? [] : explainIssues(error!, value).explained
        const problem = issue ? `${issue.path.map(String).join('.')}: ${issue.message}` : 'expected JSON'
        notes.add(`${basename(path)}:${String(number)}: ${problem}. The line is LEFT OUT.`)
      }
    }
    return found
  }
}
