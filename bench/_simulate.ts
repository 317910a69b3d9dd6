import { createRandom } from '../src/core/random.js'
import { mean } from '../src/statistics/index.js'
import { betaQuantile } from '../src/statistics/special-functions.js'
import { size } from './_measure.js'

/** Draws numbers in [0, 1). */
export type Draw = () => number

/** What one replicate finds, by name; a figure that is absent tells nothing. */
export type Found = Readonly<Record<string, number | boolean | undefined>>

/** Replicates of a simulation: those of $REPLICATES, or the given number. */
export function replicatesOf(full: number): number {
  return Number(process.env['REPLICATES'] ?? size(full, 2))
}

/** Means over replicates of what each finds, with random numbers of the simulation's own. */
export function simulate<Of extends Found>(
  name: string,
  replicates: number,
  replicate: (draw: Draw) => Of,
): Record<keyof Of, number> {
  const draw = createRandom(name).next
  const all = Array.from({ length: replicates }, () => replicate(draw))
  const names = [...new Set(all.flatMap((replicate) => Object.keys(replicate)))]
  const meanOf = (figure: string): number =>
    mean(all.flatMap((replicate) => (replicate[figure] === undefined ? [] : [Number(replicate[figure])]))) ?? NaN
  return Object.fromEntries(names.map((figure) => [figure, meanOf(figure)])) as Record<keyof Of, number>
}

/** Prints a row of figures, shares in percent. */
export function printRow(names: readonly string[], shares: Readonly<Record<string, number>>): void {
  const figures = Object.entries(shares).map(([name, share]) => `${name} ${(100 * share).toFixed(1)}`)
  console.log([...names, ...figures].join(' | '))
}

/** Whether an interval holds the truth, up to rounding. */
export function holds(interval: { readonly low: number; readonly high: number } | undefined, truth: number): boolean {
  const { low, high } = interval ?? { low: -Infinity, high: Infinity }
  return low - 1e-9 <= truth && truth <= high + 1e-9
}

const tasks = 1000

/**
 * Populations of tasks with the mean success rate `mean` (0.5 or more), each as 1,000 equally likely success
 * probabilities of a task. They cover what is unknown about a benchmark's tasks: whether they differ little or much,
 * and whether all of them differ or a few.
 */
export const populations: Readonly<Record<string, (mean: number) => readonly number[]>> = {
  'all alike': (mean) => split(1, mean, mean),
  'beta, ICC 0.1': (mean) => beta(mean, 0.1),
  'beta, ICC 0.3': (mean) => beta(mean, 0.3),
  'beta, ICC 0.5': (mean) => beta(mean, 0.5),
  'beta, ICC 0.7': (mean) => beta(mean, 0.7),
  'beta, ICC 0.9': (mean) => beta(mean, 0.9),
  'always or never': (mean) => split(mean, 1, 0),
  'nearly always or never': (mean) => split((mean - 0.02) / 0.96, 0.98, 0.02),
  'some solved half the time': (mean) => split(2 * mean - 1, 1, 0.5),
  'some mostly lost': (mean) => split(1 - (1 - mean) / 0.8, 1, 0.2),
  'half at the ceiling': (mean) => [...split(1, 1, 0, tasks / 2), ...beta(2 * mean - 1, 0.3, tasks / 2)],
}

/** A share of the tasks with one probability, the rest with another. */
function split(share: number, first: number, other: number, length = tasks): number[] {
  return Array.from({ length }, (_, place) => (place < Math.round(length * share) ? first : other))
}

/** Beta-distributed probabilities, so that the outcomes of two episodes of a task have the correlation `icc`. */
function beta(mean: number, icc: number, length = tasks): number[] {
  const both = 1 / icc - 1
  return Array.from({ length }, (_, place) =>
    mean === 0 ? 0 : betaQuantile((place + 0.5) / length, mean * both, (1 - mean) * both),
  )
}

/** The success probabilities of some tasks of a population. */
export function drawTasks(probabilities: readonly number[], count: number, draw: Draw): number[] {
  return Array.from({ length: count }, () => probabilities[Math.floor(draw() * probabilities.length)]!)
}

/** A task's share of successes over some seeds. */
export function play(chance: number, seeds: number, draw: Draw): number {
  let solved = 0
  for (let seed = 0; seed < seeds; seed++) if (draw() < chance) solved++
  return solved / seeds
}
