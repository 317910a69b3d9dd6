import { mean } from '../statistics/dispersion.js'
import { differenceVariances } from '../statistics/difference-variances.js'
import { groupCells, keyOf } from './group-cells.js'
import type { OutcomeCell, Outcomes } from './outcomes.js'
import type { Metric } from './pair-cells.js'
import { differencesOf, pairCells } from './pair-cells.js'

/** What a pilot run says of the chance in one environment × model × agent × column. Squared shares of 1. */
export interface PilotCell {
  readonly environment: string
  readonly model: string
  readonly agent: string
  readonly column: string
  /** Tasks that a gate would judge: those that the column changes, with a measurement. */
  readonly tasks: number
  readonly seeds: number
  readonly temperatures: number
  readonly mean: number
  /** How far the true scores of tasks lie apart at one temperature. It does not enter a paired gate. */
  readonly betweenTasks: number
  /** How far the repeats of one task lie apart at one temperature. */
  readonly withinTask: number
  /** Tasks whose repeats at one temperature were not all alike. */
  readonly restless: number
  /** Share of the variance that lies between tasks; absent where there is none. */
  readonly icc?: number
  /** How differently tasks take the step from the clean column to this one: the variance of their true differences (Miller's ω²). Absent on the clean column. */
  readonly fromClean?: number
}

/** What a second run says of a change: the variances of the differences, as a gate would see them. */
export interface PilotChange {
  readonly taskVariance: number
  readonly pairVariance: number
}

/** The cells of a pilot in its order; those without repeats are left out, as nothing can be said of them. */
export function readPilot(outcomes: Outcomes, metric: Metric): PilotCell[] {
  return [...groupCells(outcomes).values()].flatMap((cells): PilotCell[] => {
    const { environment, model, agent, column } = cells[0]!
    const scores = cells.map((cell) => scoresOf(cell, metric))
    const parts = scores.map((byTask) => differenceVariances(byTask)).filter((one) => one !== undefined)
    const [within, between] = [mean(parts.map((one) => one.pairVariance)), mean(parts.map((one) => one.taskVariance))]
    const byTask = scores[0]!.map((_, task) => scores.flatMap((one) => one[task]!))
    const means = byTask.map(mean).filter((one) => one !== undefined)
    if (within === undefined || between === undefined) return []
    const fromClean = changeFromClean(outcomes, cells, metric)
    return [
      {
        environment,
        model,
        agent,
        column,
        tasks: means.length,
        seeds: cells[0]!.seeds.length,
        temperatures: cells.length,
        mean: mean(means)!,
        betweenTasks: between,
        withinTask: within,
        restless: byTask.filter((_, task) => scores.some((one) => isRestless(one[task]!))).length,
        ...(within + between > 0 && { icc: between / (within + between) }),
        ...(fromClean !== undefined && { fromClean }),
      },
    ]
  })
}

/** What the step from one run to another does to each cell that both have, by the first's names; cells without repeats are left out. */
export function readChange(
  first: Outcomes,
  second: Outcomes,
  metric: Metric,
): (cell: PilotCell) => PilotChange | undefined {
  const changes = new Map(
    pairCells(first, second).cells.map((cell) => {
      const byTask = differencesOf(cell, metric).filter((_, task) => !cell.unchanged[task]!)
      return [keyOf(cell.environment, cell.model.first, cell.agent.first, cell.column), differenceVariances(byTask)]
    }),
  )
  return ({ environment, model, agent, column }) => changes.get(keyOf(environment, model, agent, column))
}

function isRestless(values: readonly number[]): boolean {
  return values.some((value) => value !== values[0])
}

/** What the clean column of every run is called. */
const clean = 'none'

/** The measurements of each task that the column changes. */
function scoresOf(cell: OutcomeCell, metric: Metric): number[][] {
  return cell[metric]
    .filter((_, task) => !cell.unchanged[task]!)
    .map((values: readonly (number | null)[]) => values.filter((value) => value !== null))
}

function changeFromClean({ cells }: Outcomes, perturbed: readonly OutcomeCell[], metric: Metric): number | undefined {
  const byTask: number[][] = []
  for (const cell of perturbed) {
    const twin = cells.find(
      ({ environment, model, agent, column, temperature }) =>
        environment === cell.environment &&
        model === cell.model &&
        agent === cell.agent &&
        temperature === cell.temperature &&
        column === clean,
    )
    if (twin === undefined || twin === cell) return undefined
    cell[metric].forEach((values, task) => {
      if (cell.unchanged[task]!) return
      const differences = values.flatMap((value, seed) => {
        const before = twin[metric][task]![seed] ?? null
        return value === null || before === null ? [] : value - before
      })
      byTask[task] = [...(byTask[task] ?? []), ...differences]
    })
  }
  return differenceVariances(byTask.filter((differences) => differences !== undefined))?.taskVariance
}
