import { dirname } from 'node:path'
import { asWriteError } from '../files/write-error.js'
import { makeFolder } from '../files/make-folder.js'
import { writeWhole } from '../files/write-whole.js'
import { noiseOf } from '../compare/noise.js'
import type { Metric, PairedCell } from '../compare/pair-cells.js'
import { pairCells, taskMeans } from '../compare/pair-cells.js'
import { withoutCopies } from '../results/passes.js'
import { mean } from '../statistics/dispersion.js'
import { taskInterval } from '../statistics/intervals.js'
import type { Baseline } from './baseline.js'
import type { BaselineFile } from './baseline-schema.js'
import { baselineFormat } from './baseline-schema.js'
import type { TaskVector } from './vectors.js'
import { spellVector } from './vectors.js'

/**
 * Writes a baseline atomically, and makes its folder where there is none.
 * @throws ShaketableError `store` where it cannot be written.
 */
export function writeBaseline(path: string, baseline: Baseline): void {
  try {
    makeFolder(dirname(path))
    writeWhole(path, baselineText(baseline))
  } catch (thrown) {
    throw asWriteError(thrown, path, 'Give --baseline another path')
  }
}

/** A baseline as the text of its file: equal baselines give equal bytes, and a change of one task changes one line. */
export function baselineText({ outcomes: given, conditions, history }: Baseline): string {
  const cells = given.cells.map((cell) => ({ ...cell, played: withoutCopies(cell.played) }))
  const outcomes = { ...given, cells }
  const { temperatures, seeds, stepLimit, maxTokens, models, agents, columns } = conditions
  const file: BaselineFile = {
    schema: baselineFormat,
    history: history.map(({ version, plan, why, success, played }) => ({
      version,
      plan,
      why,
      ...(success !== undefined && { success }),
      ...(played !== undefined && { played }),
    })),
    sampling: { temperatures: [...temperatures], seeds: [...seeds], stepLimit, maxTokens },
    models: [...models],
    agents: [...agents],
    columns: columns.map(({ environment, name, hash }) => ({ environment, name, hash })),
    panels: outcomes.panels.map(({ environment, version, hash, settings, tasks }) => ({
      environment,
      version,
      hash,
      ...(settings !== undefined && { settings }),
      tasks: tasks.map((task) =>
        task.hash === undefined
          ? task.kind === undefined
            ? [task.id]
            : [task.id, task.kind]
          : [task.id, task.kind ?? '', task.hash],
      ),
    })),
    cells: pairCells(outcomes, outcomes).cells.map((cell) => describeCell(cell, temperatures, seeds)),
  }
  return `${layOut(file)}\n`
}

function describeCell(
  cell: PairedCell,
  temperatures: readonly number[],
  seeds: readonly number[],
): BaselineFile['cells'][number] {
  const { environment, model, agent, column, tasks, unchanged } = cell
  const success = summariseCell(cell, 'success')
  const progress = summariseCell(cell, 'progress')
  const { shape, state, ...values } = cell.sides.first
  const vectorAt = (task: number): TaskVector[] =>
    temperatures.map((temperature) => {
      const at = cell.temperatures.indexOf(temperature)
      const slots = seeds.map((seed) => {
        const place = cell.seeds.first.indexOf(seed)
        return at < 0 || place < 0 ? -1 : (at * shape.seeds + place) * shape.tasks + task
      })
      const isMeasured = (slot: number): boolean => slot >= 0 && state[slot] === 2
      return {
        success: slots.map((slot) => (isMeasured(slot) ? (values.success[slot] === 1 ? 1 : 0) : null)),
        progress: slots.map((slot) => (isMeasured(slot) ? values.progress[slot]! : null)),
      }
    })
  return {
    environment,
    model: model.first,
    agent: agent.first,
    column,
    success,
    progress,
    tasks: tasks.map(({ id }, task) => {
      const vector = spellVector(vectorAt(task))
      return unchanged ? [id, vector, 'unchanged'] : [id, vector]
    }),
  }
}

/** JSON with each list or map on one line unless it contains lists or maps. */
function layOut(value: unknown, indent = ''): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  const isFlat = Object.values(value).every((part) => part === null || typeof part !== 'object')
  const write = (part: unknown): string => (isFlat ? JSON.stringify(part) : layOut(part, inner))
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map(write)
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${write(part)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  if (!isFlat) return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
  return isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
}

/** A summary of a cell, for people who read the file: shares of 1, rounded to four decimals. */
export interface CellSummary {
  /** Mean over tasks of a task's mean. Absent without a measurement. */
  readonly mean?: number
  /** 95 % interval over tasks. */
  readonly low?: number
  readonly high?: number
  /** See `noiseOf`. Absent without repeats. */
  readonly noise?: number
}

/** Summarises a cell that is paired with itself. */
export function summariseCell(cell: PairedCell, metric: Metric): CellSummary {
  const means = cell.tasks.flatMap((_, task) => taskMeans(cell, metric, task)?.first ?? [])
  const centre = mean(means)
  const interval = taskInterval(means)
  const noise = noiseOf(cell, metric)
  return {
    ...(centre !== undefined && { mean: rounded(centre) }),
    ...(interval && { low: rounded(interval.low), high: rounded(interval.high) }),
    ...(noise && { noise: rounded(noise.floor) }),
  }
}

function rounded(share: number): number {
  return Number(share.toFixed(4))
}
