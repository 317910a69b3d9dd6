import { distinctScores } from '../passes.js'
import { eachMeasured } from '../rates.js'
import { mean, standardDeviation } from '../../statistics/dispersion.js'
import { powerOfGate } from '../../statistics/power-of-gate.js'
import { count } from '../../tables/words.js'
import type { Outcomes, Sides } from './outcomes.js'
import { type Metric, type PairedCell, pairCells } from './pair-cells.js'

/** The part of a gate's rule that decides on a pass; margin and one-sided alpha as shares of 1. */
interface PassRule {
  readonly metric: Metric
  readonly margin: number
  readonly alpha: number
}

/**
 * How a cell's mean differs between two runs of one unchanged model, with the seeds that its two sides have: the
 * variance over tasks of a task's mean on either side, from its repeats, in squared shares of 1. A side without repeats
 * is given the variance of the other. One play at temperature 0 is assumed to be the same again. Undefined where
 * neither side has repeats.
 */
export function spreadUnchanged(cell: PairedCell, metric: Metric) {
  const tasks = [...cell.tasks.keys()].filter((task) => !Number.isNaN(cell.pairs[metric].first[task]!))
  const [first, second] = [repeatsOf(cell, 'first', metric, tasks), repeatsOf(cell, 'second', metric, tasks)]
  const [before, after] = [first.variance ?? second.variance, second.variance ?? first.variance]
  if (before === undefined || after === undefined || tasks.length === 0) return undefined
  return {
    tasks: tasks.length,
    baseline: (before * first.errors) / tasks.length,
    run: (after * second.errors) / tasks.length,
    /** See `GateSetting.varying`: the variances of a task's repeats are the mean of both sides. */
    varying: varyingShare(
      tasks.flatMap((_, at) => mean([first, second].flatMap((side) => side.ofTask[at] ?? [])) ?? []),
    ),
  }
}

/**
 * The variance of a task's repeats at one temperature on one side, by task (undefined without repeats) and as their
 * mean, and the sum over tasks of what the variance of a task's mean is of that.
 */
function repeatsOf(cell: PairedCell, side: keyof Sides<unknown>, metric: Metric, tasks: readonly number[]) {
  const ofTask = tasks.map((task) =>
    mean(
      cell.temperatures.flatMap((_, place) => {
        const spread = standardDeviation(distinctScores(cell.sides[side], metric, task, place))
        return spread === undefined ? [] : [spread ** 2]
      }),
    ),
  )
  return {
    ofTask,
    variance: mean(ofTask.filter((variance) => variance !== undefined)) ?? (cell.onePlay[side] ? 0 : undefined),
    errors: tasks.reduce((sum, task) => sum + errorOf(cell, side, task), 0),
  }
}

/**
 * The variance of a task's mean on one side, a mean over temperatures, as a multiple of that of a repeat. Repeats that
 * are the same play are one.
 */
function errorOf({ sides, temperatures }: PairedCell, side: keyof Sides<unknown>, task: number): number {
  const [own, other] = [sides[side], sides[side === 'first' ? 'second' : 'first']]
  const numbers = temperatures.map((_, place) => {
    const plays = new Set<number>()
    eachMeasured(own, [place], task, (slot) => {
      if (other.state[slot] === 2) plays.add(own.sameAs[(slot - task) / own.shape.tasks]!)
    })
    return plays.size
  })
  const known = numbers.filter((plays) => plays > 0)
  return known.reduce((sum, plays) => sum + 1 / plays, 0) / known.length ** 2
}

/** The effective share of tasks that vary; 1 where none does. From few repeats it is rather too small. */
function varyingShare(variances: readonly number[]): number {
  const sum = variances.reduce((total, variance) => total + variance, 0)
  const squares = variances.reduce((total, variance) => total + variance * variance, 0)
  return squares === 0 ? 1 : Math.min(1, (sum * sum) / squares / variances.length)
}

/**
 * How often an unchanged model passes a gate in one cell: the probability that a run of the same model, with random
 * numbers of its own, passes against the other side. `check`, `power` and `check --self` print this figure. It is up to
 * 0.05 too high, and where few repeats show which tasks vary up to 0.1 too low (`bench/pass-unchanged.ts`). Undefined
 * below two tasks.
 */
export function passUnchanged(
  { tasks, baseline, run, varying }: NonNullable<ReturnType<typeof spreadUnchanged>>,
  { margin, alpha }: Omit<PassRule, 'metric'>,
): number | undefined {
  const gate = { margin, alpha, taskVariance: baseline + run, pairVariance: 0, varying, tasks, seeds: 1 }
  return powerOfGate(gate)?.pass
}

/**
 * The probability that all cells pass: the product, as if they varied independently. It is higher where they vary
 * alike (Slepian's inequality). Undefined without a cell, and where one is unknown.
 */
export function passTogether(cells: readonly (number | undefined)[]): number | undefined {
  const known = cells.filter((cell) => cell !== undefined)
  if (known.length === 0 || known.length < cells.length) return undefined
  return known.reduce((all, share) => all * share, 1)
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
