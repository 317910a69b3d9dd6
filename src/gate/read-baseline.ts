import type * as z from 'zod'
import type { OutcomeCell, Outcomes, Panel } from '../compare/outcomes.js'
import { keyOf } from '../compare/outcomes.js'
import type { PairedCell } from '../compare/pair-cells.js'
import { pairCells } from '../compare/pair-cells.js'
import { ShaketableError } from '../core/errors.js'
import { expectJson } from '../files/read-json.js'
import { readText } from '../files/read-text.js'
import type { Measurements } from '../results/passes.js'
import { mean } from '../statistics/dispersion.js'
import type { Baseline } from './baseline.js'
import type { BaselineFile } from './baseline-schema.js'
import { baselineFormat, baselineSchema } from './baseline-schema.js'
import type { TaskVector } from './vectors.js'
import { readVector } from './vectors.js'
import type { CellSummary } from './write-baseline.js'
import { summariseCell } from './write-baseline.js'

const maxBytes = 1 << 25

/**
 * Reads a baseline, and checks that its parts are consistent and its figures follow from its outcomes.
 * @throws ShaketableError `bad-input` with the place in the file, what was expected there and what came.
 */
export function readBaseline(path: string): Baseline {
  const wrong = (place: readonly PropertyKey[], what: string): ShaketableError =>
    new ShaketableError(
      'bad-input',
      `${path}: ${place.length === 0 ? '' : `at ${place.map(String).join('.')}: `}${what}. ${advice}`,
    )
  const text = readText('The baseline', path, 'Check the path.', maxBytes)
  const file = parse(text, path, wrong)
  const { history, sampling, models, agents, columns } = file
  const outcomes: Outcomes = {
    source: path,
    version: history.at(-1)!.version,
    panels: readPanels(file, wrong),
    cells: readCells(file, wrong),
    notes: text.includes('\r\n')
      ? [
          `The line ends of ${path} were changed to CR LF, as by git with core.autocrlf. It is read all the same; write '* -text' into .gitattributes to keep them.`,
        ]
      : [],
  }
  checkSummaries(file, outcomes, wrong)
  return { conditions: { ...sampling, models, agents, columns }, history, outcomes }
}

type Wrong = (place: readonly PropertyKey[], what: string) => ShaketableError

const advice = 'Restore the file from a copy, or write it again with --update-baseline.'

function parse(text: string, path: string, wrong: Wrong): BaselineFile {
  const value = expectJson(text, path, advice)
  const schema = value !== null && typeof value === 'object' && 'schema' in value ? value.schema : undefined
  if (typeof schema === 'number' && schema !== baselineFormat) {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected a baseline of schema ${String(baselineFormat)}, got schema ${String(schema)}. It was written by another version of shaketable: use that one, or write it again with --update-baseline.`,
    )
  }
  const read = baselineSchema.safeParse(value)
  if (read.success) return read.data
  const { path: place, message } = innermost(read.error.issues[0]!)
  throw wrong(place, message.slice(0, 300))
}

/** What is wrong with a value of several allowed shapes: the problem of the last shape. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const within = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined
  return within === undefined ? issue : innermost({ ...within, path: [...issue.path, ...within.path] })
}

function readPanels({ panels }: BaselineFile, wrong: Wrong): Panel[] {
  refuseRepeats(
    panels.map(({ environment }) => environment),
    (place) => wrong(['panels', place, 'environment'], 'expected each environment once, got this one again'),
  )
  return panels.map(({ environment, version, hash, settings, tasks }, panel) => {
    refuseRepeats(
      tasks.map(([id]) => id),
      (place) => wrong(['panels', panel, 'tasks', place], 'expected each task once, got this one again'),
    )
    return {
      environment,
      version,
      hash,
      ...(settings !== undefined && { settings }),
      tasks: tasks.map(([id, kind, content]) => ({
        id,
        ...(kind !== undefined && kind !== '' && { kind }),
        ...(content !== undefined && { hash: content }),
      })),
    }
  })
}

function readCells(file: BaselineFile, wrong: Wrong): OutcomeCell[] {
  const { cells, sampling } = file
  refuseRepeats(sampling.seeds, (place) =>
    wrong(['sampling', 'seeds', place], 'expected each seed once, got this one again'),
  )
  refuseRepeats(sampling.temperatures, (place) =>
    wrong(['sampling', 'temperatures', place], 'expected each temperature once, got this one again'),
  )
  refuseRepeats(
    cells.map(({ environment, model, agent, column }) => keyOf(environment, model, agent, column)),
    (place) => wrong(['cells', place], 'expected each cell once, got this one again'),
  )
  return cells.map((cell, place) => readCell(cell, file, (inside, what) => wrong(['cells', place, ...inside], what)))
}

function readCell(cell: BaselineFile['cells'][number], file: BaselineFile, wrong: Wrong): OutcomeCell {
  const { environment, model, agent, column, tasks } = cell
  const { sampling, panels, models, agents, columns } = file
  const panel = panels.find((one) => one.environment === environment)
  if (panel === undefined) throw wrong(['environment'], 'expected an environment that is in panels')
  for (const [kind, name, known] of [
    ['model', model, models],
    ['agent', agent, agents],
    ['column', column, columns.filter((one) => one.environment === environment)],
  ] as const) {
    if (!known.some((one) => one.name === name)) throw wrong([kind], `expected a ${kind} that is in ${kind}s`)
  }
  if (tasks.length !== panel.tasks.length) {
    throw wrong(['tasks'], `expected the ${String(panel.tasks.length)} tasks of the panel, got ${String(tasks.length)}`)
  }
  const seedCounts = sampling.temperatures.map(() => sampling.seeds.length)
  const vectors = tasks.map(([id, vector], task): readonly TaskVector[] => {
    const expected = panel.tasks[task]![0]
    if (id !== expected)
      throw wrong(['tasks', task], `expected the task ${expected}, as in the panel, got ${id.slice(0, 100)}`)
    const read = readVector(vector, seedCounts)
    if (typeof read === 'string') throw wrong(['tasks', task], `expected ${read}`)
    return read
  })
  const { temperatures, seeds } = sampling
  return {
    environment,
    model,
    agent,
    column,
    temperatures,
    seeds,
    played: layOut(vectors, temperatures.length, seeds.length),
    unchanged: tasks.every(([, , mark]) => mark === 'unchanged'),
  }
}

/** The outcomes of tasks as measurements. A pass without any was not planned, unless there is none at all. */
function layOut(vectors: readonly (readonly TaskVector[])[], temperatures: number, seeds: number): Measurements {
  const passes = Array.from({ length: temperatures * seeds }, (_, pass) =>
    vectors.map((vector) => {
      const { success, progress } = vector[Math.floor(pass / seeds)]!
      return { success: success[pass % seeds]!, progress: progress[pass % seeds]! }
    }),
  )
  const isPlayed = passes.map((tasks) => tasks.some(({ success }) => success !== null))
  const all = passes.flat()
  return {
    shape: { temperatures, seeds, tasks: vectors.length },
    state: Uint8Array.from(all, ({ success }) => (success === null ? 0 : 2)),
    success: Uint8Array.from(all, ({ success }) => success ?? 0),
    progress: Float64Array.from(all, ({ progress }) => progress ?? 0),
    planned: Uint8Array.from(isPlayed, (played) => Number(played || !isPlayed.includes(true))),
    sameAs: Uint32Array.from(isPlayed, (_, pass) => pass % seeds),
  }
}

/**
 * Detects outcomes that were changed by hand or merged line by line: their figures seldom follow from them. Intervals
 * are not compared, since the version that wrote them may have computed them in another way.
 */
function checkSummaries({ cells }: BaselineFile, outcomes: Outcomes, wrong: Wrong): void {
  const paired = new Map(
    pairCells(outcomes, outcomes).cells.map((cell) => [
      keyOf(cell.environment, cell.model.first, cell.agent.first, cell.column),
      cell,
    ]),
  )
  for (const [place, { environment, model, agent, column, ...written }] of cells.entries()) {
    const cell = paired.get(keyOf(environment, model, agent, column))!
    for (const metric of ['success', 'progress'] as const) {
      const summary: CellSummary = summariseCell(cell, metric)
      for (const figure of ['mean', 'noise'] as const) {
        const [follows, is] = [summary[figure], written[metric][figure]]
        if (follows === is || Math.abs((follows ?? NaN) - (is ?? NaN)) < oneLastDigit) continue
        const cause = isPooled(cell, written.success.mean)
          ? ': an earlier version wrote the file, in which every seed had the same weight; now every temperature has it, and these have unequal numbers of seeds'
          : ''
        throw wrong(
          ['cells', place, metric, figure],
          `expected ${String(follows ?? 'nothing')}, which follows from the outcomes, got ${String(is ?? 'nothing')}${cause}`,
        )
      }
    }
  }
}

/** Whether a mean success is that of earlier versions: over all seeds, whatever their temperature. */
function isPooled({ tasks, temperatures, sides: { first } }: PairedCell, written = NaN): boolean {
  const means = tasks.map((_, task) =>
    mean([...first.success].filter((_, slot) => slot % tasks.length === task && first.state[slot] === 2)),
  )
  const pooled = mean(means.filter((one) => one !== undefined)) ?? NaN
  return temperatures.length > 1 && Math.abs(pooled - written) < oneLastDigit
}

/** Figures are rounded to four decimals, and the last one may be rounded either way. */
const oneLastDigit = 1.5e-4

function refuseRepeats(values: readonly (string | number)[], refuse: (place: number) => ShaketableError): void {
  const seen = new Set<string | number>()
  for (const [place, value] of values.entries()) {
    if (seen.has(value)) throw refuse(place)
    seen.add(value)
  }
}
