import * as z from 'zod'
import { absentForZero } from '../../core/dose.js'
import type { Measures, EpisodeRow } from '../../results/episode-row.js'
import { hashOf, invalidKinds, isValid, outcomes } from '../../core/episode.js'
import { parseJson } from '../../files/json.js'
import { actionCharacters } from '../../play/fingerprints.js'
import { parts } from '../../core/text.js'
import { readLines } from '../../files/lines.js'
import { grouped } from '../../tables/words.js'
import { countCells, createRowFinder } from '../cells.js'
import type { Plan } from '../plan.js'

/** Written out, as every row of a run is checked whenever it is read. */
const count = z.custom<number>((value) => Number.isSafeInteger(value) && (value as number) >= 0)
const mayBeCount = count.optional()
const share = z.number().min(0).max(1)
const logprob = z.number().max(0)
const countsOf = <Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, mayBeCount])) as Record<Name, typeof mayBeCount>)

const wordings = z
  .object({
    steps: count,
    asked: count,
    scored: count,
    preferred: count,
    present: logprob,
    original: logprob,
  })
  .refine(({ steps, asked, scored, preferred }) => steps >= asked && asked >= scored && scored >= preferred)

const measures = z.object({
  steps: count,
  understood: mayBeCount,
  formatErrors: count,
  repeats: count,
  memorised: mayBeCount,
  touched: mayBeCount,
  modelCalls: count,
  promptTokens: count,
  completionTokens: count,
  adapted: mayBeCount,
  firstUnderstood: mayBeCount,
  firstRefusal: z.object({ step: count, left: count, recovered: mayBeCount }).optional(),
  failures: z.object({ read: count, repeated: count, recovered: count }).optional(),
  invalid: countsOf(invalidKinds).optional(),
  attempts: mayBeCount,
  cut: mayBeCount,
  actionTokens: z.object({ tokens: count, sum: logprob }).optional(),
  wordings: wordings.optional(),
  choices: z.object({ first: z.enum(['original', 'alias']), original: count, alias: count, mixed: count }).optional(),
  faults: countsOf(['empty', 'length', 'unclosed-reasoning', 'too-long']).optional(),
  finishes: z.record(z.string(), count).optional(),
  gains: z.custom<Measures['gains']>(areGains).optional(),
})

function areGains(value: unknown): boolean {
  const isGain = (gain: unknown): boolean =>
    Array.isArray(gain) &&
    gain.length === 2 &&
    Number.isSafeInteger(gain[0]) &&
    gain[0] >= 1 &&
    typeof gain[1] === 'number' &&
    gain[1] >= 0 &&
    gain[1] <= 1
  return Array.isArray(value) && value.every(isGain)
}

const dose = countsOf(absentForZero).extend({
  forms: count,
  commandsSaid: count,
  commandsSeen: count,
  names: count,
  characters: count,
  leaks: count,
  leaked: z.array(z.object({ old: z.string(), part: z.enum(parts), times: count })).optional(),
})

/** A row of outcomes.jsonl. Unknown fields, as of a later version, are allowed. */
const rowSchema = z.object({
  key: z.string().regex(/^[0-9a-f]{20}$/),
  environment: z.string(),
  task: z.string(),
  condition: z.string(),
  model: z.string(),
  agent: z.string(),
  temperature: z.number(),
  seed: z.number(),
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
  outcome: z.enum(outcomes),
  progress: share,
  stepLimit: mayBeCount,
  measures,
  trials: z.array(share).min(1).optional(),
  dose: dose.optional(),
  trace: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .optional(),
  refused: z.literal(true).optional(),
  opening: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .optional(),
  actions: z
    .string()
    .regex(/^[\w-]*$/)
    .refine(({ length }) => length % actionCharacters === 0)
    .optional(),
  servedBy: z.array(z.string()).optional(),
  error: z.string().optional(),
})

/** Whether a value is an episode's row; checked before writing and after reading. */
export function isRow(value: unknown): value is EpisodeRow {
  return rowSchema.safeParse(value).success
}

/** Reads a line of outcomes.jsonl; undefined if it is not an episode's row. */
export function readRow(line: string): EpisodeRow | undefined {
  const value = parseJson(line)
  return isRow(value) ? value : undefined
}

/** What was left out of a file of rows. */
interface LeftOut {
  /** Numbers of the lines that are not rows. */
  readonly unreadable: number[]
  /** Rows with a key that no episode of the plan has. */
  strangers: number
  /** Whether the last line is unfinished, as a writer leaves it that was stopped or is within it. */
  isTorn: boolean
}

/** A valid row of an episode of which an earlier file has another result. */
interface Contradiction {
  readonly row: EpisodeRow
  /** Places among the files of the first result and of this one. */
  readonly files: readonly [number, number]
}

/**
 * Reads the episodes of a plan from files of rows in their order, so that memory holds those alone that ended in an
 * error. A missing file has no rows. What is beside the rows is known once all of them are read.
 * @throws ShaketableError `store` if a file cannot be read
 */
export function readRows(plan: Plan, paths: readonly string[]) {
  const find = createRowFinder(plan)
  const leftOut = paths.map((): LeftOut => ({ unreadable: [], strangers: 0, isTorn: false }))
  /** By place in the plan. */
  const isDone = new Uint8Array(countCells(plan))
  /** If there are several files, by key: the place among them of the row that counts, and its result if it is valid. */
  const owners = new Map<string, { readonly file: number; readonly result?: string }>()
  const contradictions: Contradiction[] = []
  const broken = new Map<number, EpisodeRow>()
  /** By file, the numbers of the lines with a valid row that counts. */
  const counted = paths.map((): number[] => [])
  function* read(): Generator<EpisodeRow, void, undefined> {
    for (const [number, path] of paths.entries()) {
      const left = leftOut[number]!
      for (const line of readLines(path)) {
        const row = line.ended ? readRow(line.text) : undefined
        const place = row && find(row)
        if (!line.ended) left.isTorn = true
        else if (row === undefined) left.unreadable.push(line.number)
        else if (place === undefined) left.strangers++
        else if (isDone[place] === 1) {
          const { file, result } = owners.get(row.key) ?? { file: number }
          if (isValid(row.outcome) && file !== number && result !== resultOf(row))
            contradictions.push({ row, files: [file, number] })
        } else {
          const isSettled = isValid(row.outcome)
          if (paths.length > 1) owners.set(row.key, { file: number, ...(isSettled && { result: resultOf(row) }) })
          if (!isSettled) {
            broken.set(place, row)
            continue
          }
          isDone[place] = 1
          counted[number]!.push(line.number)
          broken.delete(place)
          yield row
        }
      }
    }
    yield* broken.values()
  }
  function* readAgain(): Generator<EpisodeRow, void, undefined> {
    for (const [number, path] of paths.entries()) {
      let next = 0
      for (const line of readLines(path)) {
        if (line.number !== counted[number]![next]) continue
        next++
        yield parseJson(line.text) as EpisodeRow
      }
    }
    yield* broken.values()
  }
  return {
    /** One row an episode: the first valid one as it comes, and at the end the last of each episode without one. */
    rows: read(),
    /** The same rows, once all of them were read: nothing is checked again, and no row is new. */
    again: readAgain,
    /** By file. */
    leftOut,
    contradictions: contradictions as readonly Contradiction[],
    /** The place among the files of the row that counts of an episode. */
    ownerOf: (key: string): number | undefined => (paths.length > 1 ? owners.get(key)?.file : 0),
  }
}

/** Identifies the result of a row. The date, the names in replies and the number of attempts are not part of it. */
function resultOf(row: EpisodeRow): string {
  return hashOf({ ...row, date: null, servedBy: null, measures: { ...row.measures, attempts: null } }, 20)
}

/** The most unreadable lines that are named one by one. */
const maxNamed = 10

/** The note on each line of a file that cannot be read: the first ten by number, the others as a count. */
export function noteUnreadable(file: string, numbers: readonly number[], what: string): string[] {
  const more = numbers.length - maxNamed
  return [
    ...numbers.slice(0, maxNamed).map((number) => `${file}:${String(number)}: ${what}`),
    ...(more > 0
      ? [`${file}: LEFT OUT ${grouped(more)} more ${more === 1 ? 'line' : 'lines'} that cannot be read.`]
      : []),
  ]
}
