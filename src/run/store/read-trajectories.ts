import { basename } from 'node:path'
import * as z from 'zod'
import type { Trajectory } from '../../core/episode.js'
import { invalidKinds } from '../../core/episode.js'
import type { Message } from '../../core/model.js'
import type { PlacedLines } from '../../files/line-at.js'
import { openLines } from '../../files/line-at.js'
import type { Line } from '../../files/lines.js'
import { readLines } from '../../files/lines.js'
import { explainIssues, showValue } from '../explain-issue.js'
import type { RunFiles } from './run-folder.js'
import type { EpisodeCalls, StoredCalls, StoredTrajectory } from './record.js'
import { unseal } from './record.js'

/** The consequence of an unusable line. */
export const leftOut = 'LEFT OUT; `shaketable run` with the same experiment plays that episode again.'

/** Reads the trajectories of a run. */
export interface TrajectoryReader {
  /** Trajectories by key, without those that are missing or damaged. */
  readonly read: (keys: readonly string[]) => Map<string, Trajectory>
  /** The same, with the lines as they are stored. */
  readonly readStored: (
    keys: readonly string[],
  ) => Map<string, { readonly stored: StoredTrajectory; readonly trajectory: Trajectory }>
  /** Records of calls by key. Episodes of older versions have them in their trajectories. */
  readonly calls: (keys: readonly string[]) => Map<string, EpisodeCalls>
  /** Sentences on damage found so far. */
  readonly leftOut: () => readonly string[]
}

/**
 * Creates a reader. The offsets of all trajectories are looked up at the first read; trajectories written later are not
 * found.
 */
export function createTrajectoryReader(files: RunFiles): TrajectoryReader {
  const notes = new Set<string>()
  const trajectories = createNamedLines<StoredTrajectory>(files.trajectories, 'key', trajectorySchema, notes)
  const prompts = createNamedLines<Message>(files.prompts, 'hash', messageSchema, notes)
  const calls = createNamedLines<StoredCalls>(files.attempts, 'key', callsSchema, notes, attemptsLeftOut)
  const readStored: TrajectoryReader['readStored'] = (keys) => {
    const found = trajectories(keys)
    const messages = prompts([...found.values()].flatMap(({ prompt }) => prompt))
    return new Map(
      [...found].map(([key, stored]) => [key, { stored, trajectory: unseal(stored, (hash) => messages.get(hash)) }]),
    )
  }
  return {
    read: (keys) => new Map([...readStored(keys)].map(([key, { trajectory }]) => [key, trajectory])),
    readStored,
    calls,
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
const shown = { observation: z.string(), original: z.string().optional() }
const summed = z.object({ tokens: count, sum: z.number() })
const wording = summed.partial().extend({ text: z.string() })
const messageSchema = z.object({ role: z.string(), content: z.string() })
/** The fields of a trajectory that its readers use. Unknown fields, as of a later version, are allowed. */
const trajectorySchema = z.object({
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
      attempts: attempts.optional(),
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
          })
          .optional(),
      }),
    )
    .optional(),
  failedCall: attempts.optional(),
})
const replyCalls = z.array(z.object({ attempts: attempts.optional(), milliseconds: z.number().optional() }))
const callsSchema = z.object({ steps: replyCalls, reflections: replyCalls.optional(), failedCall: attempts.optional() })

const attemptsLeftOut = 'LEFT OUT; the attempts of that episode are unknown.'

const nameDigits = 20

/** Reads lines of JSON by the name that each begins with; of several lines with one name the last. */
function createNamedLines<Value>(
  path: string,
  field: string,
  schema: z.ZodType,
  notes: Set<string>,
  consequence = leftOut,
): (names: readonly string[]) => Map<string, Value> {
  const prefix = `{"${field}":"`
  let places: ReadonlyMap<string, Place> | undefined
  return (names) => {
    const found = new Map<string, Value>()
    places ??= findPlaces(path, prefix, notes, consequence)
    const wanted = [...new Set(names)].flatMap((name) => places!.get(name) ?? [])
    if (wanted.length === 0) return found
    const lines = openLines(path)
    try {
      for (const { name, offset, number } of wanted) {
        const read = parse(lines.lineAt(offset), prefix + name, schema, consequence)
        if ('value' in read) found.set(name, read.value as Value)
        else notes.add(`${basename(path)}:${String(number)}: ${read.problem}`)
      }
    } finally {
      lines.close()
    }
    return found
  }
}

/** Opens a file to read its lines, unchanged, by the name that each begins with; of several the last. */
export function openNamed(
  path: string,
  field: string,
  note: (sentence: string) => void = () => undefined,
): { readonly textOf: (name: string) => string | undefined; readonly close: () => void } {
  const notes = new Set<string>()
  const places = findPlaces(path, `{"${field}":"`, notes, attemptsLeftOut)
  for (const sentence of notes) note(sentence)
  let lines: PlacedLines | undefined
  return {
    textOf(name) {
      const place = places.get(name)
      return place && (lines ??= openLines(path)).lineAt(place.offset)
    },
    close: () => lines?.close(),
  }
}

/** Place of the line with a name. */
interface Place extends Pick<Line, 'offset' | 'number'> {
  readonly name: string
}

function findPlaces(path: string, prefix: string, notes: Set<string>, consequence: string): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { text, number, offset, ended, state } of readLines(path, prefix.length + nameDigits)) {
    if (!ended) notes.add(`${basename(path)}: the last line is unfinished and left out.`)
    else if (state === 'damaged') {
      notes.add(`${basename(path)}:${String(number)}: DAMAGED, the line is not as it was written: ${consequence}`)
    } else if (text.startsWith(prefix)) {
      const name = text.slice(prefix.length)
      places.set(name, { name, offset, number })
    } else
      notes.add(
        `${basename(path)}:${String(number)}: expected a line that begins with ${prefix}, got ${showValue(text)}. It is LEFT OUT.`,
      )
  }
  return places
}

/** The value of a line, or its problem: it is damaged, has another shape, or the file was replaced. */
function parse(
  text: string | undefined,
  beginning: string,
  schema: z.ZodType,
  consequence: string,
): { readonly value: unknown } | { readonly problem: string } {
  const damaged = { problem: `DAMAGED, the line cannot be read: ${consequence}` }
  if (text?.startsWith(beginning) !== true) return damaged
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return damaged
  }
  const checked = schema.safeParse(value)
  if (checked.success) return { value }
  const { path, message } = explainIssues(checked.error, value).explained[0]!
  return { problem: `${path.map(String).join('.')}: ${message}. The line is LEFT OUT.` }
}
