import * as z from 'zod'
import { absentForZero } from '../../core/dose.js'
import type { EpisodeRow } from '../../results/episode-row.js'
import { invalidKinds, isValid, outcomes } from '../../core/episode.js'
import { parseJson } from '../../files/json.js'
import { actionCharacters } from '../../play/fingerprints.js'
import { parts } from '../../core/text.js'
import { readLines } from '../../files/lines.js'
import { grouped } from '../../tables/words.js'

const count = z.int().min(0)
const mayBeCount = count.optional()
const share = z.number().min(0).max(1)
const logprob = z.number().max(0)
const countsOf = <Name extends string>(names: readonly Name[]) =>
  z.looseObject(Object.fromEntries(names.map((name) => [name, mayBeCount])) as Record<Name, typeof mayBeCount>)

const wordings = z
  .looseObject({
    steps: count,
    asked: count,
    scored: count,
    preferred: count,
    calls: count,
    promptTokens: count,
    completionTokens: count,
    present: logprob,
    original: logprob,
  })
  .refine(({ steps, asked, scored, preferred }) => steps >= asked && asked >= scored && scored >= preferred)

const measures = z.looseObject({
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
  firstRefusal: z.looseObject({ step: count, left: count, recovered: mayBeCount }).optional(),
  failures: z.looseObject({ read: count, repeated: count, recovered: count }).optional(),
  invalid: countsOf(invalidKinds).optional(),
  attempts: mayBeCount,
  cut: mayBeCount,
  actionTokens: z.looseObject({ tokens: count, sum: logprob }).optional(),
  wordings: wordings.optional(),
  choices: z
    .looseObject({ first: z.enum(['original', 'alias']), original: count, alias: count, mixed: count })
    .optional(),
  faults: countsOf(['empty', 'length', 'unclosed-reasoning', 'too-long']).optional(),
  finishes: z.record(z.string(), count).optional(),
  gains: z.array(z.tuple([z.int().min(1), share])).optional(),
})

const dose = countsOf(absentForZero).extend({
  forms: count,
  commandsSaid: count,
  commandsSeen: count,
  names: count,
  characters: count,
  leaks: count,
  leaked: z.array(z.looseObject({ old: z.string(), part: z.enum(parts), times: count })).optional(),
})

/** A row of outcomes.jsonl. Unknown fields, as of a later version, are allowed. */
const rowSchema = z.looseObject({
  key: z.string().regex(/^[0-9a-f]{20}$/),
  environment: z.string(),
  task: z.string(),
  column: z.string(),
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

/** The stored episodes of a run. */
export interface StoredRows {
  /** By key: of several rows of an episode the first valid one counts, or the last if none is valid. */
  readonly rows: ReadonlyMap<string, EpisodeRow>
  /** Numbers of the lines that are not rows. */
  readonly unreadable: readonly number[]
  /** Whether the last line is unfinished, as a writer leaves it that was stopped or is within it. */
  readonly isTorn: boolean
}

/** Collects the rows of a run as they are read. */
export function createRows() {
  const rows = new Map<string, EpisodeRow>()
  return {
    rows,
    add(row: EpisodeRow): void {
      const known = rows.get(row.key)
      if (known === undefined || !isValid(known.outcome)) rows.set(row.key, row)
    },
  }
}

/** Reads outcomes.jsonl; a missing file has no rows. @throws ShaketableError `store` if it cannot be read */
export function readRows(path: string): StoredRows {
  const { rows, add } = createRows()
  const unreadable: number[] = []
  for (const { text, number, ended } of readLines(path)) {
    if (!ended) return { rows, unreadable, isTorn: true }
    const row = readRow(text)
    if (row === undefined) unreadable.push(number)
    else add(row)
  }
  return { rows, unreadable, isTorn: false }
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
