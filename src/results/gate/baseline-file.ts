import * as z from 'zod'
import type { OutcomeCell, Outcomes, Panel } from '../compare/outcomes.js'
import { ShaketableError } from '../../core/errors.js'
import { expectJson } from '../../files/read-json.js'
import { readText } from '../../files/read-text.js'
import { writeWhole } from '../../files/write-whole.js'
import { type Measurements, placesOf, withoutCopies } from '../passes.js'
import type { Frozen } from '../schema.js'

const text = z.string().max(2000)
const name = text.min(1)
const hash = (digits: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${String(digits)}}$`), `expected ${String(digits)} hex digits`)
const named = z.strictObject({ name, hash: hash(12) })

/** A baseline in its file. Tasks are lists rather than maps so that their order is kept and any id may be one. */
export const baselineSchema = z.strictObject({
  schema: z.literal(2).describe('version of this format'),
  history: z
    .array(
      z.strictObject({
        version: text,
        plan: hash(12),
        why: name,
        success: z.number().min(0).max(1).exactOptional(),
        played: z.iso.date().exactOptional(),
      }),
    )
    .min(1)
    .max(1000)
    .describe(
      'each time that it was written, oldest first: by what version, from what plan, why, and the last day on which a model behind a server played',
    ),
  sampling: z.strictObject({
    temperatures: z.array(z.number().min(0)).min(1).max(1000),
    seeds: z.array(z.number().int()).min(1).max(10_000),
    stepLimit: z.number().int().min(1),
    maxTokens: z.number().int().min(1),
  }),
  models: z.array(named).min(1).describe('with a hash of their settings'),
  agents: z.array(named).min(1).describe('with a hash of their settings'),
  conditions: z
    .array(named.extend({ environment: name }))
    .min(1)
    .describe('in each environment, with a hash of the perturbations that are used there'),
  panels: z
    .array(
      z.strictObject({
        environment: name,
        version: text,
        hash: hash(20),
        settings: name.describe('hash of the settings of the environment'),
        tasks: z
          .array(z.tuple([name, text, name]))
          .min(1)
          .describe('id of each task, in order, with its kind (empty for none) and a hash of its content'),
      }),
    )
    .min(1),
  cells: z
    .array(
      z.strictObject({
        ...{ environment: text, model: text, agent: text, condition: text },
        tasks: z
          .array(z.tuple([name, z.string(), z.literal('unchanged').optional()]))
          .describe(
            'id and outcomes of each task, a group for each temperature, a sign for each seed: 1, 0, x for no measurement, (progress) of a failure, [progress] of a success below 1',
          ),
      }),
    )
    .min(1),
})
type BaselineFile = Frozen<z.infer<typeof baselineSchema>>

/** An entry for each time that a baseline was written. */
export type BaselineEntry = BaselineFile['history'][number]

/** The outcomes of an earlier run, and why it is the baseline. */
export interface Baseline {
  readonly outcomes: Outcomes
  /** Oldest first; the last is of these outcomes. */
  readonly history: readonly BaselineEntry[]
}

const maxBytes = 1 << 25
const advice = 'Restore the file from a copy, or write it again with --update-baseline.'

/**
 * Reads a baseline, and checks that its parts are consistent.
 * @throws ShaketableError `bad-input` with the place in the file, what was expected there and what came.
 */
export function readBaseline(path: string): Baseline {
  const wrong = (place: readonly PropertyKey[], what: string): ShaketableError => {
    const where = place.length === 0 ? '' : `at ${place.map(String).join('.')}: `
    return new ShaketableError('bad-input', `${path}: ${where}${what}. ${advice}`)
  }
  const value = expectJson(readText('The baseline', path, 'Check the path.', maxBytes), path, advice)
  const read = baselineSchema.safeParse(value)
  if (!read.success) {
    const [{ path: place, message }] = read.error.issues as [z.core.$ZodIssue]
    throw wrong(place, message.slice(0, 300))
  }
  const { history, sampling, models, agents, panels, cells } = read.data
  return {
    history,
    outcomes: {
      source: path,
      version: history.at(-1)!.version,
      settings: { stepLimit: sampling.stepLimit, maxTokens: sampling.maxTokens, models, agents },
      panels: panels.map(({ tasks, ...panel }): Panel => ({
        ...panel,
        tasks: tasks.map(([id, kind, content]) => ({ id, ...(kind !== '' && { kind }), hash: content })),
      })),
      cells: cells.map((cell, place) =>
        readCell(cell, read.data, (what, ...inside) => wrong(['cells', place, ...inside], what)),
      ),
      notes: [],
    },
  }
}

function readCell(
  cell: BaselineFile['cells'][number],
  file: BaselineFile,
  wrong: (what: string, ...inside: readonly PropertyKey[]) => ShaketableError,
): OutcomeCell {
  const { environment, model, agent, condition, tasks } = cell
  const { temperatures, seeds } = file.sampling
  const panel = file.panels.find((candidate) => candidate.environment === environment)
  if (panel === undefined) throw wrong('expected an environment that is in panels', 'environment')
  const used = file.conditions.find((known) => known.environment === environment && known.name === condition)
  if (used === undefined) throw wrong('expected a condition of this environment that is in conditions', 'condition')
  if (tasks.length !== panel.tasks.length || panel.tasks.some(([id], place) => tasks[place]![0] !== id))
    throw wrong(`expected the ${String(panel.tasks.length)} tasks of the panel in its order`, 'tasks')
  const vectors = tasks.map(([, vector], task): Sign[] => {
    const groups = vector.split(' ').map(readSigns)
    if (groups.length === temperatures.length && groups.every(({ length }) => length === seeds.length))
      return groups.flat()
    const expected = `expected ${String(temperatures.length)} groups of ${String(seeds.length)} signs 1, 0, x, or a progress from 0 to 1 in parentheses or brackets`
    throw wrong(`${expected}, got '${vector.slice(0, 60)}'`, 'tasks', task)
  })
  const unchanged = tasks.every(([, , mark]) => mark === 'unchanged')
  const names = { environment, model, agent, condition, perturbations: used.hash }
  return { ...names, temperatures, seeds, played: layOut(vectors, seeds.length), unchanged }
}

/** One episode: undefined where it was not measured. */
type Sign = { readonly success: 0 | 1; readonly progress: number } | undefined

/** The outcomes by task and pass as measurements. A pass without any was not planned, unless none has. */
function layOut(vectors: readonly (readonly Sign[])[], seeds: number): Measurements {
  const passes = vectors[0]!.map((_, pass) => vectors.map((signs) => signs[pass]))
  const isPlayed = passes.map((tasks) => tasks.some((task) => task !== undefined))
  const all = passes.flat()
  return {
    shape: { temperatures: passes.length / seeds, seeds, tasks: vectors.length },
    state: Uint8Array.from(all, (score) => (score === undefined ? 0 : 2)),
    success: Uint8Array.from(all, (score) => score?.success ?? 0),
    progress: Float64Array.from(all, (score) => score?.progress ?? 0),
    planned: Uint8Array.from(isPlayed, (played) => Number(played || !isPlayed.includes(true))),
    sameAs: Uint32Array.from(isPlayed, (_, pass) => pass % seeds),
  }
}

const sign = /[10x]|\((\d+\/\d+|\d[\d.e-]*)\)|\[(\d+\/\d+|\d[\d.e-]*)\]/g

/** The episodes of one temperature; none for a text that has another sign. */
function readSigns(group: string): Sign[] {
  const matches = [...group.matchAll(sign)]
  const signs = matches.map(([all, ofFailure, ofSuccess]): Sign => {
    if (all === 'x') return undefined
    const [over = NaN, under = 1] = (ofFailure ?? ofSuccess ?? all).split('/').map(Number)
    return { success: all === '1' || ofSuccess !== undefined ? 1 : 0, progress: over / under }
  })
  const isWhole = matches.map(([all]) => all).join('') === group
  return isWhole && signs.every((score) => score === undefined || (score.progress >= 0 && score.progress <= 1))
    ? signs
    : []
}

/** Fractions of small whole numbers are shorter; every text reads back to the same number. */
function spellProgress(progress: number): string {
  const plain = String(progress)
  for (let under = 3; plain.length > 5 && under <= 100; under++) {
    const over = Math.round(progress * under)
    if (over / under === progress) return `${String(over)}/${String(under)}`
  }
  return plain
}

/**
 * Writes a baseline atomically, and makes its folder where there is none.
 * @throws ShaketableError `store` where it cannot be written.
 */
export function writeBaseline(path: string, baseline: Baseline): void {
  writeWhole(path, baselineText(baseline), 'Give --baseline another path')
}

/** A baseline as the text of its file: equal baselines give equal bytes, and a change of one task changes one line. */
export function baselineText({ outcomes, history }: Baseline): string {
  const { panels, cells } = outcomes
  const { stepLimit, maxTokens, models, agents } = outcomes.settings
  const { temperatures, seeds } = cells[0]!
  const conditions = new Map(
    cells.map(({ environment, condition, perturbations: hash }) => [
      `${environment} ${condition}`,
      { environment, name: condition, hash },
    ]),
  )
  const file: BaselineFile = {
    schema: 2,
    history,
    sampling: { temperatures, seeds, stepLimit, maxTokens },
    models,
    agents,
    conditions: [...conditions.values()],
    panels: panels.map(({ tasks, ...panel }) => ({
      ...panel,
      tasks: tasks.map(({ id, kind = '', hash }) => [id, kind, hash]),
    })),
    cells: cells.map(({ environment, model, agent, condition, unchanged, played }) => {
      const { tasks } = panels.find((panel) => panel.environment === environment)!
      const distinct = withoutCopies(played)
      return {
        ...{ environment, model, agent, condition },
        tasks: tasks.map(({ id }, task) => {
          const vector = spellTask(distinct, task)
          return unchanged ? [id, vector, 'unchanged'] : [id, vector]
        }),
      }
    }),
  }
  return `${layOutJson(file)}\n`
}

/**
 * The outcomes of one task: a sign for each seed, a group for each temperature. `1` is a success with full progress,
 * `0` a failure without any, `x` no measurement. Any other progress is in parentheses for a failure and in brackets for
 * a success: `1101x (1/3)0[2/3]11`.
 */
function spellTask({ shape, state, success, progress }: Measurements, task: number): string {
  const spellOne = (slot: number): string => {
    if (state[slot] !== 2) return 'x'
    if (success[slot] === progress[slot]) return String(success[slot])
    return success[slot] === 1 ? `[${spellProgress(progress[slot]!)}]` : `(${spellProgress(progress[slot]!)})`
  }
  const { temperatures, seeds } = placesOf(shape)
  const spellGroup = (place: number): string =>
    seeds.map((seed) => spellOne((place * shape.seeds + seed) * shape.tasks + task)).join('')
  return temperatures.map(spellGroup).join(' ')
}

/** JSON with each list or map on one line unless it contains lists or maps. */
function layOutJson(value: unknown, indent = ''): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  const isFlat = Object.values(value).every((part) => part === null || typeof part !== 'object')
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(
    ([name, part]) => (isList ? '' : `${JSON.stringify(name)}: `) + layOutJson(part, inner),
  )
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  if (!isFlat) return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
  return isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
}
