import { detectableDrop, marginNeeded, seedsNeeded, tasksNeeded } from '../statistics/gate-planning.js'
import { powerOfGate } from '../statistics/power-of-gate.js'
import type { Outcomes } from './outcomes.js'
import { keyOf } from './outcomes.js'
import type { Metric } from './pair-cells.js'
import { passesUnchanged, passTogether } from './pass-unchanged.js'
import type { PilotCell, PairVariances } from './pilot.js'
import { readPilot } from './pilot.js'

/** A gate and the power it should have. Shares of 1. */
export interface PowerOptions {
  readonly metric: Metric
  /** The largest drop that is tolerated. */
  readonly margin: number
  /** One-sided: the probability of a false pass of a cell, and of a false fail over all cells. */
  readonly alpha: number
  /** The wanted probability that all cells pass where nothing changed. */
  readonly pass: number
  /** The wanted probability of a fail at the drop. */
  readonly power: number
  /** The true drop to detect. */
  readonly drop: number
  /** Variance of a change between tasks (Miller's ω²), where it is given. */
  readonly taskVariance?: number
}

/** The power of a gate, planned from a pilot run, as plain JSON. */
export interface PowerPlan extends PowerOptions {
  readonly schema: 1
  readonly source: string
  readonly version: string
  /** The baseline that later runs are checked against. Absent: one like the pilot. */
  readonly baseline?: string
  readonly cells: readonly PowerCell[]
  /** One for each environment. */
  readonly environments: readonly PowerNeed[]
  /** Probability that all cells pass where nothing changed; see `passUnchanged`. */
  readonly passUnchanged: number
  readonly notes: readonly string[]
}

/** A cell of the pilot, and the power of a gate of its size. */
export interface PowerCell extends PilotCell, PairVariances {
  /** Probability of a pass where nothing changed. */
  readonly passUnchanged: number
  /** Variance over tasks of a task's mean in the baseline; 0 where the baseline is like the pilot. */
  readonly baselineVariance: number
  /** Effective share of the tasks whose repeats vary; see `GateSetting.varying`. */
  readonly varying: number
  /** Probability of a fail at the drop, at the most conservative level of the correction for all cells. */
  readonly fail: number
  /** The smallest true drop that fails with the wanted power. Absent where none does. */
  readonly detectable?: number
}

/** What a gate takes in an environment, by its noisiest cell; the power of the others is higher. */
export interface PowerNeed {
  readonly environment: string
  /** The cell with the largest standard error at the size of the pilot. */
  readonly noisiest: PowerCell
  /**
   * What it takes for the wanted probabilities of both verdicts; null where nothing is enough. Each with the other size
   * as it is.
   */
  readonly needed: { readonly seeds: number | null; readonly tasks: number | null; readonly margin: number | null }
  /** Standard error with infinitely many seeds: √((ω² + baselineVariance)/tasks). */
  readonly floor: number
}

/** Plans a gate from a pilot. Later runs are checked against `baseline`, which keeps its seeds. */
export function planPower(pilot: Outcomes, options: PowerOptions, baseline?: Outcomes): PowerPlan {
  const { metric, margin, alpha, power, taskVariance = 0 } = options
  const measured = readPilot(pilot, metric).filter(({ tasks }) => tasks > 1)
  const unchanged = passesUnchanged(baseline ?? pilot, pilot, options)
  const byName = new Map(
    unchanged.cells.map((one) => [
      keyOf(one.cell.environment, one.cell.model.second, one.cell.agent.second, one.cell.column),
      one,
    ]),
  )
  const known = measured.flatMap((cell): Omit<PowerCell, 'fail' | 'detectable'>[] => {
    const { spread, pass } = byName.get(keyOf(cell.environment, cell.model, cell.agent, cell.column)) ?? {}
    if (spread === undefined || pass === undefined) return []
    const { tasks, varying } = spread
    const pairVariance = (baseline ? spread.run : spread.run + spread.baseline) * cell.seeds * cell.temperatures
    const baselineVariance = baseline ? spread.baseline : 0
    return [{ ...cell, tasks, taskVariance, pairVariance, passUnchanged: pass, baselineVariance, varying }]
  })
  const cells = known.map((cell): PowerCell => {
    const gate = {
      margin,
      power,
      alpha: alpha / known.length,
      tasks: cell.tasks,
      seeds: cell.seeds * cell.temperatures,
    }
    const variances = { taskVariance: fixedVariance(cell), pairVariance: cell.pairVariance }
    const detectable = detectableDrop({ ...gate, ...variances })
    const drop = { drop: options.drop, ...withDrop(variances, options.drop, metric) }
    const { fail } = powerOfGate({ ...gate, ...drop })!
    return { ...cell, fail: Math.min(1, Math.max(0, fail)), ...(detectable !== undefined && { detectable }) }
  })
  const left = measured.length - known.length
  return {
    schema: 1,
    source: pilot.source,
    version: pilot.version,
    ...options,
    cells,
    environments: [...new Set(cells.map(({ environment }) => environment))].map((name) =>
      needOf(
        cells.filter(({ environment }) => environment === name),
        options,
        cells.length,
      ),
    ),
    ...(baseline && { baseline: baseline.source }),
    passUnchanged: passTogether(cells.map((cell) => cell.passUnchanged)) ?? 0,
    notes: [
      ...pilot.notes,
      ...describeOnePlay(known),
      ...(left > 0 ? [`Cells without repeats on both sides, left out: ${String(left)}.`] : []),
    ],
  }
}

/** The pilot does not show the randomness of cells whose repeats never differ. */
function describeOnePlay(cells: readonly PilotCell[]): string[] {
  const some = cells.filter(({ onePlay }) => onePlay)
  if (some.length === 0) return []
  const names = [...new Set(some.map(({ model, environment }) => `${model} on ${environment}`))]
  return [
    `1 distinct run of ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${String(names.length - 5)} more` : ''}: repeats at temperature 0 are assumed to be the same again, so ` +
      'that more seeds are of no use, and an unchanged model always passes. A drop d still has a variance between tasks of at least d − d².',
  ]
}

/**
 * The probability by which a gate is planned: half of the tolerated misses are left for what `passUnchanged` assumes.
 * It is up to 5 points too high; planned so, simulated gates pass as often as wanted
 * (`bench/pass-unchanged.ts`).
 */
export function plannedPass({ pass }: Pick<PowerOptions, 'pass'>): number {
  return (1 + pass) / 2
}

function needOf(cells: readonly PowerCell[], options: PowerOptions, judged: number): PowerNeed {
  const { metric, margin, alpha, power, drop } = options
  const noisiest = findNoisiest(cells)
  const { tasks, seeds, temperatures, varying } = noisiest
  // By seed: each is played once at each temperature.
  const variances = { taskVariance: fixedVariance(noisiest), pairVariance: noisiest.pairVariance / temperatures }
  const pass = { ...variances, varying, margin, alpha, power: plannedPass(options) ** (1 / judged) }
  const fail = { ...withDrop(variances, drop, metric), varying, margin, alpha: alpha / judged, power, drop }
  const both = (need: (one: typeof pass | typeof fail) => number | undefined): number | null => {
    const [toPass, toFail] = [need(pass), need(fail)]
    return toPass === undefined || toFail === undefined ? null : Math.max(toPass, toFail)
  }
  return {
    environment: noisiest.environment,
    noisiest,
    needed: {
      seeds: both((one) => seedsNeeded({ ...one, tasks })),
      tasks: both((one) => tasksNeeded({ ...one, seeds })),
      margin: marginNeeded({ ...pass, tasks, seeds }) ?? null,
    },
    floor: Math.sqrt(variances.taskVariance / tasks),
  }
}

function findNoisiest(cells: readonly PowerCell[]): PowerCell {
  return cells.reduce((worst, cell) => (errorSquareOf(cell) > errorSquareOf(worst) ? cell : worst))
}

/**
 * Raises the variances to the least that a true drop allows. Where successes are 1 or 0 a mean difference of −d has a
 * variance of at least d − d² over tasks, even if all that changes is that a share d of the tasks is lost. What repeats
 * and ω² lack of that lies between tasks, so that more seeds do not lower it. Without it a pilot at temperature 0,
 * whose repeats are copies, would have no variance. Progress may drop on all tasks alike, and has no such bound.
 */
export function withDrop({ taskVariance, pairVariance }: PairVariances, drop: number, metric: Metric): PairVariances {
  const size = Math.min(1, Math.abs(drop))
  const least = metric === 'success' ? size - size ** 2 : 0
  return { taskVariance: taskVariance + Math.max(0, least - taskVariance - pairVariance), pairVariance }
}

/** What more seeds of a run do not lower. */
function fixedVariance({ taskVariance, baselineVariance }: Pick<PowerCell, 'taskVariance' | 'baselineVariance'>) {
  return taskVariance + baselineVariance
}

function errorSquareOf(cell: PowerCell): number {
  const { tasks, seeds, temperatures, pairVariance } = cell
  return (fixedVariance(cell) + pairVariance / (seeds * temperatures)) / tasks
}
