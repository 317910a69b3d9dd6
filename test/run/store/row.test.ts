import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { absentForZero } from '../../../src/core/dose.js'
import type { EpisodeRow } from '../../../src/results/episode-row.js'
import { outcomes } from '../../../src/core/episode.js'
import { parts } from '../../../src/core/text.js'
import { readRow } from '../../../src/run/store/row.js'

const count = z.number().int().nonnegative()
const share = z.number().min(0).max(1)

/** An independent definition of a row. */
const schema = z.object({
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
  measures: z.object({
    steps: count,
    understood: count.optional(),
    formatErrors: count,
    faults: z
      .object({ empty: count.optional(), length: count.optional(), 'unclosed-reasoning': count.optional() })
      .optional(),
    repeats: count,
    memorised: count.optional(),
    adapted: count.optional(),
    modelCalls: count,
    attempts: count.optional(),
    cut: count.optional(),
    promptTokens: count,
    completionTokens: count,
    gains: z.array(z.tuple([count.min(1), share])).optional(),
  }),
  dose: z
    .object({
      ...{ forms: count, commandsSaid: count, commandsSeen: count, names: count, characters: count, leaks: count },
      ...Object.fromEntries(absentForZero.map((one) => [one, count.optional()])),
      leaked: z.array(z.object({ old: z.string(), part: z.enum(parts), times: count })).optional(),
    })
    .optional(),
  error: z.string().optional(),
})

const full: EpisodeRow = {
  key: '0123456789abcdef0123',
  environment: 'household',
  task: 'put a pen',
  column: 'agentrefine-1',
  model: 'reader',
  agent: 'act',
  temperature: 0.7,
  seed: 3,
  date: '2026-11-22',
  outcome: 'success',
  progress: 1,
  measures: {
    steps: 5,
    understood: 4,
    formatErrors: 0,
    faults: { empty: 1, length: 2, 'unclosed-reasoning': 3 },
    repeats: 0,
    memorised: 0,
    adapted: 2,
    modelCalls: 5,
    attempts: 6,
    cut: 1,
    promptTokens: 100,
    completionTokens: 20,
    gains: [
      [2, 0.5],
      [5, 1],
    ],
  },
  dose: {
    forms: 1,
    commandsSaid: 2,
    commandsSeen: 3,
    names: 4,
    characters: 5,
    views: 6,
    viewed: 60,
    added: 10,
    objects: 11,
    listed: 7,
    failed: 8,
    leaks: 0,
  },
  error: 'none',
}

type Path = readonly (string | number)[]

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, part]) =>
    pathsIn(part, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...inner]
}

/** The row with a part replaced, removed or added. */
function change(row: unknown, path: Path, how: 'replace' | 'leave out' | 'add', value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) {
    if (how === 'replace') return value
    if (how === 'add' && Array.isArray(row)) return [...(row as unknown[]), value]
    return how === 'add' && typeof row === 'object' ? { ...row, another: value } : row
  }
  const copy = structuredClone(row) as Record<string | number, unknown>
  copy[key] = rest.length === 0 && how === 'leave out' ? undefined : change(copy[key], rest, how, value)
  return copy
}

const edges = [
  null,
  true,
  '',
  'success',
  'unheard of',
  '0123456789ABCDEF0123',
  `${full.key}\n`,
  [],
  {},
  [1, 0.5],
  [0, 0],
]
const numbers = [-1, -0, 0.5, 1, 1.5, 2 ** 53, 1e308]

describe('a row', () => {
  it('is read as it was written', () => {
    expect(readRow(JSON.stringify(full))).toEqual(full)
  })

  it('may be of an older or a newer version', () => {
    const { gains, faults, attempts, cut, adapted, ...measures } = full.measures
    expect([gains, faults, attempts, cut, adapted]).not.toContain(undefined)
    const { dose, error, ...rest } = full
    expect([dose, error]).not.toContain(undefined)
    expect(readRow(JSON.stringify({ ...rest, measures }))).toEqual({ ...rest, measures })
    expect(readRow(JSON.stringify({ ...full, later: 1 }))).toEqual({ ...full, later: 1 })
  })

  it.each(['', '{', 'null', '[]', '7', '"row"', '{"__proto__":{}}'])('is not read from %j', (line) => {
    expect(readRow(line)).toBeUndefined()
  })

  it('has no number that is infinite in JSON', () => {
    expect(readRow(JSON.stringify(full).replace('"temperature":0.7', '"temperature":1e999'))).toBeUndefined()
  })

  it('is accepted exactly when a schema accepts it, whatever is changed in it', () => {
    const verdicts = { good: 0, bad: 0 }
    const changes = fc.array(
      fc.tuple(
        fc.constantFrom(...pathsIn(full)),
        fc.constantFrom('replace' as const, 'leave out' as const, 'add' as const),
        fc.oneof(fc.constantFrom(...edges, ...numbers), fc.jsonValue()),
      ),
      { minLength: 1, maxLength: 2 },
    )
    fc.assert(
      fc.property(changes, (made) => {
        let row: unknown = full
        for (const [path, how, value] of made) {
          try {
            row = change(row, path, how, value)
          } catch {
            // The first change removed what the second would change.
          }
        }
        const line = JSON.stringify(row)
        const isGood = schema.safeParse(JSON.parse(line)).success
        verdicts[isGood ? 'good' : 'bad']++
        expect(readRow(line) !== undefined, line).toBe(isGood)
      }),
      { numRuns: 5000 },
    )
    expect(Math.min(verdicts.good, verdicts.bad)).toBeGreaterThan(100)
  })
})
