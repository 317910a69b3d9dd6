import { basename } from 'node:path'
import * as z from 'zod'
import { parseJson } from '../../files/json.js'
import type { Trajectory } from '../../core/episode.js'
import { invalidKinds } from '../../core/episode.js'
import type { Message } from '../../core/model.js'
import type { Line } from '../../files/lines.js'
import { readLines, readLinesAt } from '../../files/lines.js'
import { explainIssues, showValue } from '../explain-issue.js'
import type { RunFiles } from './run-folder.js'
import type { StoredTrajectory } from './record.js'
import { unseal } from './record.js'

/** The consequence of an unusable row. */
export const leftOut = 'LEFT OUT; `shaketable run` with the same experiment plays that episode again.'

/** Reads the trajectories of a run. */
interface TrajectoryReader {
  /** Trajectories by key, without those that are missing or cannot be read. */
  readonly read: (keys: readonly string[]) => Map<string, Trajectory>
  /** Sentences on lines that could not be read so far. */
  readonly leftOut: () => readonly string[]
}

/**
 * Creates a reader. Where the trajectories are in their file is looked up at the first read; those written later are
 * not found.
 */
export function createTrajectoryReader(files: RunFiles): TrajectoryReader {
  const notes = new Set<string>()
  const trajectories = createNamedLines<StoredTrajectory>(files.trajectories, 'key', trajectorySchema, notes)
  const prompts = createNamedLines<Message>(files.prompts, 'hash', messageSchema, notes)
  return {
    read(keys) {
      const found = trajectories(keys)
      const messages = prompts([...found.values()].flatMap(({ prompt }) => prompt))
      return new Map([...found].map(([key, stored]) => [key, unseal(stored, (hash) => messages.get(hash))]))
    },
    leftOut: () => [...notes],
  }
}

const count = z.int().min(0)
const texts = z.array(z.string())
const attempts = z.array(
  z.object({
    outcome: z.string(),
    status: z.number().optional(),
    waitMs: z.number(),
    milliseconds: z.number(),
    requestId: z.string().optional(),
  }),
)
const calls = { attempts: attempts.optional(), milliseconds: z.number().optional() }
const shown = { observation: z.string(), original: z.string().optional() }
const summed = z.object({ tokens: count, sum: z.number() })
const wording = summed.partial().extend({ text: z.string() })
/** A line of prompts.jsonl. */
export const messageSchema = z.object({ role: z.string(), content: z.string() })
/**
 * A line of trajectories.jsonl: the fields that its readers use. Unknown fields, as of a later version, are allowed.
 */
export const trajectorySchema = z.object({
  prompt: texts,
  opening: z.object(shown),
  steps: z.array(
    z.object({
      ...shown,
      reply: z.string().optional(),
      thoughts: texts.optional(),
      action: z.string(),
      command: z.string().nullish(),
      progress: z.number(),
      understood: z.boolean().optional(),
      memorised: z.boolean().optional(),
      wording: z.string().optional(),
      invalid: z.enum(invalidKinds).optional(),
      failed: z.string().optional(),
      refunded: z.boolean().optional(),
      formatError: z.string().optional(),
      fault: z.string().optional(),
      reasoning: texts.optional(),
      toolCalls: z.array(z.object({ name: z.string(), arguments: z.string() })).optional(),
      actionTokens: summed.extend({ list: z.array(z.object({ token: z.string(), logprob: z.number() })) }).optional(),
      wordings: z.object({ present: wording, original: wording, asked: z.boolean() }).optional(),
      cut: count.optional(),
      ...calls,
    }),
  ),
  trials: z
    .array(
      z.object({
        from: count,
        seed: z.number(),
        outcome: z.string(),
        progress: z.number(),
        reflection: z
          .object({
            reply: z.string(),
            reasoning: z.string().optional(),
            fault: z.string().optional(),
            left: count.optional(),
            ...calls,
          })
          .optional(),
      }),
    )
    .optional(),
  failedCall: attempts.optional(),
})

const nameDigits = 20

/** The place of a line with a name, from the start of its file. */
interface NamedPlace extends Pick<Line, 'offset' | 'bytes' | 'number'> {
  readonly name: string
}

/** Finds the lines of a file by the name that each begins with; of several lines with one name the last. */
export function findNamed(
  path: string,
  field: 'key' | 'hash',
  note: (sentence: string) => void = () => undefined,
): Map<string, NamedPlace> {
  const prefix = `{"${field}":"`
  const places = new Map<string, NamedPlace>()
  for (const { text, number, offset, bytes, ended } of readLines(path, { maxText: prefix.length + nameDigits })) {
    if (!ended) note(`${basename(path)}: the last line is unfinished and left out.`)
    else if (text.startsWith(prefix)) {
      const name = text.slice(prefix.length)
      places.set(name, { name, offset, bytes, number })
    } else {
      note(
        `${basename(path)}:${String(number)}: expected a line that begins with ${prefix}, got ${showValue(text)}. It is LEFT OUT.`,
      )
    }
  }
  return places
}

function createNamedLines<Value>(
  path: string,
  field: 'key' | 'hash',
  schema: z.ZodType,
  notes: Set<string>,
): (names: readonly string[]) => Map<string, Value> {
  let places: ReadonlyMap<string, NamedPlace> | undefined
  return (names) => {
    const found = new Map<string, Value>()
    places ??= findNamed(path, field, (note) => notes.add(note))
    const wanted = [...new Set(names)].flatMap((name) => places!.get(name) ?? [])
    for (const { name, number, text } of readLinesAt(path, wanted)) {
      const line = readNamed(text, name, field, schema)
      if (line.problem === undefined) found.set(name, line.value as Value)
      else notes.add(`${basename(path)}:${String(number)}: ${line.problem}. The line is LEFT OUT.`)
    }
    return found
  }
}

/** The value of the line with a name, or why it is not what its file holds. */
export function readNamed(
  text: string,
  name: string,
  field: 'key' | 'hash',
  schema: z.ZodType,
): { readonly value?: unknown; readonly problem?: string } {
  const value = text.startsWith(`{"${field}":"${name}`) ? parseJson(text) : undefined
  if (value === undefined) return { problem: 'expected JSON, got something unreadable' }
  const checked = schema.safeParse(value)
  if (checked.success) return { value }
  const { path, message } = explainIssues(checked.error, value).explained[0]!
  return { problem: `${path.map(String).join('.')}: ${message}` }
}
