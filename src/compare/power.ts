import { detectableDrop, marginNeeded, seedsNeeded, tasksNeeded } from '../statistics/gate-planning.js'
import type { GateSetting } from '../statistics/power-of-gate.js'
import { powerOfGate } from '../statistics/power-of-gate.js'
import type { Outcomes } from './outcomes.js'
import type { Metric } from './pair-cells.js'
import type { PilotCell, PilotChange } from './pilot.js'
import { readChange, readPilot } from './pilot.js'

/** What is wanted of a gate. Shares of 1. */
export interface PowerWish {
  readonly metric: Metric
  /** The largest drop that is tolerated. */
  readonly margin: number
  /** One-sided: the chance of a false pass of a cell, and of a false fail over all cells. */
  readonly alpha: number
  /** The chance wanted of a pass where nothing changed, and of a fail at the drop. */
  readonly power: number
  /** The true drop that is to be noticed. */
  readonly drop: number
  /** How differently tasks take a change (Miller's ω²), where it is given. */
  readonly taskVariance?: number
}

/** What a gate can do, planned from a pilot run, as plain JSON. */
export interface PowerPlan extends PowerWish {
  readonly schema: 1
  readonly source: string
  readonly version: string
  /** Where ω² comes from: taken as 0, given, or measured against a second run, which is named. */
  readonly change: 'none' | 'given' | { readonly source: string }
  readonly cells: readonly PowerCell[]
  /** One for each environment. */
  readonly environments: readonly PowerGrid[]
  /** Chance that all cells pass where nothing changed, if they do so independently. */
  readonly allPass: number
  /**
   * Seeds with which they all do with the chance wanted, going by the noisiest cells; null where no number is enough.
   */
  readonly seedsForAll: number | null
  readonly notes: readonly string[]
}

/** A cell of the pilot as a gate of its size would see it. */
export interface PowerCell extends PilotCell, PilotChange {
  /** Chance of a pass where nothing changed. */
  readonly pass: number
  /** Chance of a fail at the drop, at the most conservative level of the correction for all cells. */
  readonly fail: number
  /** The smallest true drop that fails with the chance wanted. Absent where none does. */
  readonly detectable?: number
}

/** Sizes tried for the noisiest cell of an environment; the others are better off. */
export interface PowerGrid {
  readonly environment: string
  /** The cell with the largest standard error at the size of the pilot. */
  readonly noisiest: PowerCell
  readonly seeds: readonly number[]
  /** Chances by {@link PowerGrid.seeds} for each number of tasks. */
  readonly rows: readonly {
    readonly tasks: number
    readonly pass: readonly number[]
    readonly fail: readonly number[]
  }[]
  /** What it takes to have both chances; null where no number is enough. Each with the other size as it is. */
  readonly needed: { readonly seeds: number | null; readonly tasks: number | null; readonly margin: number | null }
  /** Standard error that is left with any number of seeds: √(ω²/tasks). */
  readonly floor: number
}

/**
 * Plans a gate from a pilot; `second` is another run on tasks of the pilot, from which the variances of a change are
 * taken.
 */
export function planPower(pilot: Outcomes, wish: PowerWish, second?: Outcomes): PowerPlan {
  const measured = readPilot(pilot, wish.metric).filter(({ tasks }) => tasks > 1)
  const changeOf = second && readChange(pilot, second, wish.metric)
  const known = measured.flatMap((cell): (PilotCell & PilotChange)[] => {
    const { taskVariance = 0 } = wish
    const change = changeOf ? changeOf.of(cell) : { taskVariance, pairVariance: 2 * cell.withinTask }
    return change === undefined
      ? []
      : [{ ...cell, taskVariance: change.taskVariance, pairVariance: change.pairVariance }]
  })
  const cells = known.map((cell): PowerCell => {
    const gate = gateOf(cell, wish, known.length)
    const detectable = detectableDrop({
      margin: wish.margin,
      alpha: wish.alpha / known.length,
      power: wish.power,
      taskVariance: cell.taskVariance,
      pairVariance: cell.pairVariance,
      tasks: cell.tasks,
      seeds: cell.seeds * cell.temperatures,
    })
    return { ...cell, pass: gate.pass(), fail: gate.failAt(wish.drop), ...(detectable !== undefined && { detectable }) }
  })
  const environments = [...new Set(cells.map(({ environment }) => environment))]
  const left = measured.length - known.length
  return {
    schema: 1,
    source: pilot.source,
    version: pilot.version,
    ...wish,
    change: second ? { source: second.source } : wish.taskVariance === undefined ? 'none' : 'given',
    cells,
    environments: environments.map((name) =>
      gridOf(
        cells.filter(({ environment }) => environment === name),
        wish,
        cells.length,
      ),
    ),
    allPass: cells.reduce((product, { pass }) => product * pass, 1),
    seedsForAll: seedsForAll(cells, wish),
    notes: [
      ...pilot.notes,
      ...(second?.notes ?? []).map((note) => `${second!.source}: ${note}`),
      ...(changeOf?.notes ?? []),
      ...tellOnePlay(known),
      ...(left > 0 ? [`Cells without repeats on both sides, left out: ${String(left)}.`] : []),
    ],
  }
}

/** Of what has no repeats that differ, chance is not known from the pilot. */
function tellOnePlay(cells: readonly PilotCell[]): string[] {
  const some = cells.filter(({ onePlay }) => onePlay)
  if (some.length === 0) return []
  const names = [...new Set(some.map(({ model, environment }) => `${model} on ${environment}`))]
  return [
    `1 distinct run of ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${String(names.length - 5)} more` : ''}: repeats at temperature 0 are taken to be the same again, so ` +
      'that more seeds are of no use, and an unchanged model passes for certain. A drop d still has a variance of d − d² between tasks at least.',
  ]
}

function seedsForAll(cells: readonly PowerCell[], { margin, alpha, power }: PowerWish): number | null {
  const environments = [...new Set(cells.map(({ environment }) => environment))]
  const seeds = environments.map((name) => {
    const noisiest = findNoisiest(cells.filter(({ environment }) => environment === name))
    return seedsNeeded({
      ...perSeed(noisiest),
      tasks: noisiest.tasks,
      margin,
      alpha,
      power: power ** (1 / cells.length),
    })
  })
  return seeds.includes(undefined) ? null : Math.max(...(seeds as number[]), 1)
}

/** The most seeds and tasks of a grid, beside the pilot's own. */
const triedSeeds = [1, 2, 3, 5, 10, 20]
const triedTasks = [20, 50, 100, 200, 500]

function gridOf(cells: readonly PowerCell[], wish: PowerWish, judged: number): PowerGrid {
  const noisiest = findNoisiest(cells)
  const { tasks, seeds, taskVariance } = noisiest
  const ascending = (tried: readonly number[], own: number): number[] =>
    [...new Set([...tried, own])].sort((a, b) => a - b)
  const sizes = ascending(triedSeeds, seeds)
  const variances = perSeed(noisiest)
  const gate = { ...variances, margin: wish.margin, power: wish.power }
  const pass = { ...gate, alpha: wish.alpha }
  const fail = { ...gate, ...withDrop(variances, wish.drop, wish.metric), alpha: wish.alpha / judged, drop: wish.drop }
  const both = (need: (one: typeof pass | typeof fail) => number | undefined): number | null => {
    const [toPass, toFail] = [need(pass), need(fail)]
    return toPass === undefined || toFail === undefined ? null : Math.max(toPass, toFail)
  }
  return {
    environment: noisiest.environment,
    noisiest,
    seeds: sizes,
    rows: ascending(triedTasks, tasks).map((count) => {
      const gates = sizes.map((size) =>
        gateOf({ ...variances, tasks: count, seeds: size, temperatures: 1 }, wish, judged),
      )
      return { tasks: count, pass: gates.map((one) => one.pass()), fail: gates.map((one) => one.failAt(wish.drop)) }
    }),
    needed: {
      seeds: both((one) => seedsNeeded({ ...one, tasks })),
      tasks: both((one) => tasksNeeded({ ...one, seeds })),
      margin: marginNeeded({ ...variances, tasks, seeds, alpha: wish.alpha, power: wish.power }) ?? null,
    },
    floor: Math.sqrt(taskVariance / tasks),
  }
}

function findNoisiest(cells: readonly PowerCell[]): PowerCell {
  return cells.reduce((worst, cell) => (errorSquareOf(cell) > errorSquareOf(worst) ? cell : worst))
}

/**
 * The least variance of tasks' differences that a true drop allows: where successes are 1 or 0 a mean difference of −d
 * takes a variance of d − d² at least, even if all that changes is that a share d of the tasks is lost. What repeats
 * and ω² have less than that lies between tasks, so that seeds do not wear it down. Without it a pilot at temperature
 * 0, whose repeats are copies, would have none. Progress may drop on all tasks alike, and has no such bound.
 */
export function withDrop({ taskVariance, pairVariance }: PilotChange, drop: number, metric: Metric): PilotChange {
  const size = Math.min(1, Math.abs(drop))
  const least = metric === 'success' ? size - size ** 2 : 0
  return { taskVariance: taskVariance + Math.max(0, least - taskVariance - pairVariance), pairVariance }
}

/** A pair of episodes is played for each seed at each temperature. */
function perSeed({ taskVariance, pairVariance, temperatures }: PowerCell): PilotChange {
  return { taskVariance, pairVariance: pairVariance / temperatures }
}

function errorSquareOf({ tasks, seeds, temperatures, taskVariance, pairVariance }: PowerCell): number {
  return (taskVariance + pairVariance / (seeds * temperatures)) / tasks
}

function gateOf(
  {
    tasks,
    seeds,
    temperatures,
    taskVariance,
    pairVariance,
  }: Pick<PowerCell, 'tasks' | 'seeds' | 'temperatures' | keyof PilotChange>,
  { margin, alpha, metric }: PowerWish,
  judged: number,
) {
  const setting: GateSetting = { margin, taskVariance, pairVariance }
  const size = { tasks, seeds: seeds * temperatures }
  return {
    pass: (): number => cut(powerOfGate({ ...setting, ...size, alpha })!.pass),
    failAt: (drop: number): number => {
      const variances = withDrop(setting, drop, metric)
      return cut(powerOfGate({ ...setting, ...variances, ...size, alpha: alpha / judged, drop })!.fail)
    },
  }
}

/** Sums of chances may leave 0 to 1 by a rounding error. */
function cut(share: number): number {
  return Math.min(1, Math.max(0, share))
}
