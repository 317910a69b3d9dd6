import { distinctScores } from '../passes.js'
import { mean, standardDeviation } from '../../statistics/dispersion.js'
import { powerOfGate } from '../../statistics/power-of-gate.js'
import { count } from '../../tables/words.js'
import type { Outcomes } from './outcomes.js'
import type { Metric, PairedCell } from './pair-cells.js'
import { pairCells, taskMeans } from './pair-cells.js'

/** The part of a gate's rule that decides on a pass; margin and one-sided alpha as shares of 1. */
interface PassRule {
  readonly metric: Metric
  readonly margin: number
  readonly alpha: number
}

/**
 * How a cell's mean differs between two runs of one unchanged model: the variance over tasks of a task's mean on either
 * side, from its repeats. Squared shares of 1.
 */
export interface UnchangedSpread {
  /** Number of tasks that are compared. */
  readonly tasks: number
  readonly baseline: number
  readonly run: number
  /** See `GateSetting.varying`: the variances of a task's repeats are the mean of both sides. */
  readonly varying: number
}

/**
 * The spread of a cell where nothing changed, with the seeds that its two sides have. A side without repeats is given
 * the variance of the other. One play at temperature 0 is assumed to be the same again. Undefined where neither side
 * has repeats.
 */
export function spreadUnchanged(cell: PairedCell, metric: Metric): UnchangedSpread | undefined {
  const [first, second] = [repeatsOf(cell, 'first', metric), repeatsOf(cell, 'second', metric)]
  const known = {
    first: first.variance ?? (cell.onePlay.first ? 0 : undefined),
    second: second.variance ?? (cell.onePlay.second ? 0 : undefined),
  }
  const [before, after] = [known.first ?? known.second, known.second ?? known.first]
  const { tasks } = first
  if (before === undefined || after === undefined || tasks === 0) return undefined
  const byTask = [...new Set([...first.variances.keys(), ...second.variances.keys()])].map((task) =>
    mean([first, second].flatMap(({ variances }) => variances.get(task) ?? []))!,
  )
  return {
    tasks,
    baseline: tasks * before * first.perVariance,
    run: tasks * after * second.perVariance,
    varying: varyingShare(byTask),
  }
}

/**
 * The variance of a task's repeats at one temperature on one side (mean over tasks; undefined where none has repeats),
 * and the squared standard error over seeds of that side's mean over tasks, as a multiple of that variance; `variances`
 * has that of each task with repeats. Only tasks that are compared enter.
 */
function repeatsOf(cell: PairedCell, side: 'first' | 'second', metric: Metric) {
  const variances = new Map<number, number>()
  const errors: number[] = []
  for (const task of cell.tasks.keys()) {
    if (taskMeans(cell, metric, task) === undefined) continue
    errors.push(errorOf(cell, side, task))
    const spreads = cell.temperatures
      .map((_, place) => standardDeviation(distinctScores(cell.sides[side], metric, task, place)))
      .filter((spread) => spread !== undefined)
    if (spreads.length > 0) variances.set(task, mean(spreads.map((spread) => spread ** 2))!)
  }
  const perVariance = errors.reduce((sum, error) => sum + error, 0) / errors.length ** 2
  return { variance: mean([...variances.values()]), variances, perVariance, tasks: errors.length }
}

/**
 * The variance of a task's mean on one side, a mean over temperatures, as a multiple of that of a repeat. Repeats that
 * are the same play are one.
 */
function errorOf({ sides, pairedBy, temperatures }: PairedCell, side: 'first' | 'second', task: number): number {
  const [own, other] = [sides[side], sides[side === 'first' ? 'second' : 'first']]
  const { seeds, tasks } = own.shape
  const numbers = temperatures.map((_, place) => {
    const plays = new Set<number>()
    for (let pass = place * seeds; pass < (place + 1) * seeds; pass++) {
      const slot = pass * tasks + task
      if (own.state[slot] === 2 && (pairedBy === 'task' || other.state[slot] === 2)) plays.add(own.sameAs[pass]!)
    }
    return plays.size
  })
  const known = numbers.filter((plays) => plays > 0)
  return known.reduce((sum, plays) => sum + 1 / plays, 0) / known.length ** 2
}

/** The effective share of tasks that vary; 1 where none does. From few repeats it is rather too small. */
function varyingShare(variances: readonly number[]): number {
  const sum = variances.reduce((total, one) => total + one, 0)
  const squares = variances.reduce((total, one) => total + one * one, 0)
  return squares === 0 ? 1 : Math.min(1, (sum * sum) / squares / variances.length)
}

/**
 * How often an unchanged model passes a gate in one cell: the probability that a run of the same model, with random
 * numbers of its own, passes against the other side. `check`, `power` and `check --self` print this figure. It is up to
 * 0.05 too high, and where few repeats show which tasks vary up to 0.1 too low (`bench/pass-unchanged.ts`). Undefined
 * below two tasks.
 */
export function passUnchanged(
  { tasks, baseline, run, varying }: UnchangedSpread,
  { margin, alpha }: Omit<PassRule, 'metric'>,
): number | undefined {
  const pass = powerOfGate({
    margin,
    alpha,
    taskVariance: baseline + run,
    pairVariance: 0,
    varying,
    tasks,
    seeds: 1,
  })?.pass
  return pass === undefined ? undefined : Math.min(1, Math.max(0, pass))
}

/**
 * The probability that all cells pass: the product, as if they varied independently. It is higher where they vary
 * alike (Slepian's inequality). Undefined without a cell, and where one is unknown.
 */
export function passTogether(cells: readonly (number | undefined)[]): number | undefined {
  return cells.reduce<number | undefined>(
    (all, one) => (all === undefined || one === undefined ? undefined : all * one),
    cells.length === 0 ? undefined : 1,
  )
}

/** {@link passUnchanged} of each cell of a run against a baseline that changes something, and of all together. */
export function passesUnchanged(baseline: Outcomes, run: Outcomes, rule: PassRule) {
  const cells = pairCells(baseline, run)
    .cells.filter(({ unchanged }) => !unchanged)
    .map((cell) => {
      const spread = spreadUnchanged(cell, rule.metric)
      return { cell, spread, pass: spread && passUnchanged(spread, rule) }
    })
  return { cells, all: passTogether(cells.map(({ pass }) => pass)) }
}

/** {@link passTogether} in a sentence, the same wherever it is printed. */
export function describePassUnchanged(all: number | undefined, cells: number, margin: number): string {
  if (all === undefined) {
    return 'How often an unchanged model passes is unknown: a cell has no repeats on either side. Play two seeds or more.'
  }
  return (
    `An unchanged model passes a margin of ${(100 * margin).toFixed(1)} points in ${(100 * all).toFixed(1)} % of runs` +
    (cells === 1 ? '.' : ` (all ${count(cells, 'cell')} together, if they vary independently; more often if alike).`)
  )
}
