import type { Test } from '../results/schema.js'
import { mean, standardDeviation } from '../statistics/dispersion.js'
import { detectableDrop } from '../statistics/gate-planning.js'
import type { Interval } from '../statistics/intervals.js'
import { noDifferenceP } from '../statistics/mean-bounds.js'
import { benjaminiHochberg, holm } from '../statistics/multiplicity.js'
import { pairedDifference } from '../statistics/paired-difference.js'
import type { Noise } from './noise.js'
import { noiseOf } from './noise.js'
import type { Outcomes } from './outcomes.js'
import type { Metric, PairedCell, PairOptions } from './pair-cells.js'
import {
  countedPasses,
  coverageOf,
  differencesOf,
  meansOf,
  pairCells,
  pairDifferencesOf,
  taskMeans,
} from './pair-cells.js'
import type { NamePair, Sides } from './pair-names.js'

/**
 * Two runs compared, or two models of one, as plain JSON: A is the first, B the second. Shares of 1; differences are B
 * minus A, below 0 B is worse.
 */
export interface Comparison {
  readonly schema: 1
  readonly first: ComparedSide
  readonly second: ComparedSide
  readonly metric: Metric
  /** The level of the Holm-adjusted two-sided p-values, over all cells together. */
  readonly alpha: number
  readonly cells: readonly ComparedCell[]
  /** What only one side has, what was left out and what else may explain a difference, in sentences. */
  readonly notes: readonly string[]
}

/** Where one side comes from, and the version of shaketable that played it. */
interface ComparedSide {
  readonly source: string
  readonly version: string
}

/**
 * The result for a cell. `worse` and `better` are of B, at an adjusted p of alpha or less; `level`: no significant
 * difference; `equal`: no pair differs; `unmeasured`: there is no pair.
 */
export type Standing = 'worse' | 'better' | 'level' | 'equal' | 'unmeasured'

/** One environment × model × agent × column. */
export interface ComparedCell {
  readonly environment: string
  readonly model: NamePair
  readonly agent: NamePair
  readonly column: string
  readonly standing: Standing
  readonly temperatures: readonly number[]
  /** Those of either side. */
  readonly seeds: readonly number[]
  /** Number of seeds of each side where tasks are paired, since the seeds differ. Absent where seeds are paired. */
  readonly byTask?: Sides<number>
  /** Pairs measured on both sides, or episodes of both sides where tasks are paired. */
  readonly pairs: number
  /** How many of them there would be without a missing episode. */
  readonly planned: number
  /** Tasks that are compared. */
  readonly tasks: number
  /** Means over tasks of a task's mean over its pairs. Absent without a pair. */
  readonly means?: Sides<number>
  readonly difference?: number
  /** 95 %, of other tasks: the task is the cluster. */
  readonly interval?: Interval
  /** Of no difference. */
  readonly test?: Test
  /**
   * The smallest true difference that is detected with a probability of 80 %, at the most conservative level of the
   * correction, however it is spread over tasks. Absent where none is.
   */
  readonly detectable?: number
  /** Absent without repeats. */
  readonly noise?: Noise
  readonly flips: Flips
  /**
   * Share of pairs that are lost or gained: the mean of the shares at each temperature, or of tasks where these are
   * paired. Absent without a pair.
   */
  readonly flipRate?: number
  /** Tasks with a flipped pair: those with most of them first, then in the panel's order. */
  readonly flipped: readonly FlippedTask[]
}

/**
 * Pairs by their outcomes: lost was a success on the first side alone, gained on the second alone. Where a cell is
 * paired by task, a task is one pair, and a success on a side where at least half of its runs are.
 */
interface Flips {
  readonly both: number
  readonly lost: number
  readonly gained: number
  readonly neither: number
}

interface FlippedTask extends Flips {
  readonly id: string
  readonly kind?: string
}

interface CompareOptions extends PairOptions {
  readonly metric: Metric
}

const alpha = 0.05

/**
 * Compares what both sides have played on the same tasks, paired by task, temperature and, where both have the same
 * seeds, by seed.
 * @throws ShaketableError `bad-input` where both have no task in common; `usage` for an unknown name.
 */
export function compareOutcomes(first: Outcomes, second: Outcomes, options: CompareOptions): Comparison {
  const { cells, unpaired } = pairCells(first, second, options)
  const compared = cells.map((cell) => compareCell(cell, options, alpha / cells.length))
  const ps = compared.map(({ test }) => test?.p ?? NaN)
  const [holms, bhs] = [holm(ps), benjaminiHochberg(ps)]
  return {
    schema: 1,
    first: { source: first.source, version: first.version },
    second: { source: second.source, version: second.version },
    metric: options.metric,
    alpha,
    cells: compared.map((cell, place) => {
      const test = cell.test && { ...cell.test, holm: holms[place]!, bh: bhs[place]! }
      const isApart = test !== undefined && test.holm <= alpha
      return { ...cell, ...(test && { test }), ...(isApart && { standing: cell.difference! < 0 ? 'worse' : 'better' }) }
    }),
    notes: [
      ...first.notes.map((note) => `${first.source}: ${note}`),
      ...(first === second ? [] : second.notes.map((note) => `${second.source}: ${note}`)),
      ...unpaired,
    ],
  }
}

/** A cell by itself, before its p is adjusted for the others. */
function compareCell(cell: PairedCell, { metric }: CompareOptions, corrected: number): ComparedCell {
  const { environment, model, agent, column, passes, pairedBy } = cell
  const byTask = differencesOf(cell, metric)
  const { mean: difference, interval, tasks } = pairedDifference(byTask.map((one) => [one]))
  const means = meansOf(cell, metric)
  const { measured: pairs, planned } = coverageOf(cell, metric)
  const seedsOf = (side: keyof NamePair): number[] => [...new Set(passes[side].map(({ seed }) => seed))]
  const differences = byTask.filter((one) => !Number.isNaN(one))
  const pairDifferences =
    pairedBy === 'task' ? differences : cell.tasks.flatMap((_, task) => pairDifferencesOf(cell, metric, task).flat())
  const deviation = standardDeviation(differences)
  const gate = { margin: 0, alpha: corrected / 2, pairVariance: 0, tasks, seeds: 1 }
  const detectable = deviation === undefined ? undefined : detectableDrop({ ...gate, taskVariance: deviation ** 2 })
  const noise = noiseOf(cell, metric)
  return {
    environment,
    model,
    agent,
    column,
    standing: tasks === 0 ? 'unmeasured' : pairDifferences.every((one) => one === 0) ? 'equal' : 'level',
    temperatures: [...new Set(passes.first.map(({ temperature }) => temperature))],
    seeds: [...new Set([...seedsOf('first'), ...seedsOf('second')])],
    ...(pairedBy === 'task' && { byTask: { first: seedsOf('first').length, second: seedsOf('second').length } }),
    pairs,
    planned,
    tasks,
    ...(means && { means }),
    ...(difference !== undefined && { difference, test: { p: noDifferenceP(differences) } }),
    ...(interval && { interval }),
    ...(detectable !== undefined && { detectable }),
    ...(noise && { noise }),
    ...countFlips(cell),
  }
}

function countFlips(cell: PairedCell): Pick<ComparedCell, 'flips' | 'flipRate' | 'flipped'> {
  const { tasks, success, pairedBy } = cell
  const majority = (task: number): Flips => {
    const means = taskMeans(cell, 'success', task)
    return means === undefined ? flipsOf([], []) : flipsOf([means.first >= 0.5 ? 1 : 0], [means.second >= 0.5 ? 1 : 0])
  }
  const counted = pairedBy === 'seed' ? countedPasses(cell) : []
  const once = <Value>(values: readonly Value[]): Value[] => values.filter((_, pass) => counted[pass])
  const byTask = tasks.map(({ id, kind }, task) => ({
    id,
    ...(kind !== undefined && { kind }),
    ...(pairedBy === 'task' ? majority(task) : flipsOf(once(success.first[task]!), once(success.second[task]!))),
  }))
  const sum = (kind: keyof Flips): number => byTask.reduce((total, one) => total + one[kind], 0)
  const flips = { both: sum('both'), lost: sum('lost'), gained: sum('gained'), neither: sum('neither') }
  const flipRate = pairedBy === 'task' ? shareFlipped(flips) : mean(sharesByTemperature(cell))
  return {
    flips,
    ...(flipRate !== undefined && { flipRate }),
    flipped: byTask
      .filter(({ lost, gained }) => lost + gained > 0)
      .sort((one, other) => other.lost + other.gained - one.lost - one.gained),
  }
}

function shareFlipped({ both, lost, gained, neither }: Flips): number | undefined {
  const pairs = both + lost + gained + neither
  return pairs === 0 ? undefined : (lost + gained) / pairs
}

function sharesByTemperature({ passes, success }: PairedCell): number[] {
  const temperatures = new Set(passes.first.map(({ temperature }) => temperature))
  return [...temperatures].flatMap((temperature) => {
    const at = <Value>(values: readonly Value[]): Value[] =>
      values.filter((_, pass) => passes.first[pass]!.temperature === temperature)
    return shareFlipped(flipsOf(success.first.flatMap(at), success.second.flatMap(at))) ?? []
  })
}

function flipsOf(first: readonly (0 | 1 | null)[], second: readonly (0 | 1 | null)[]): Flips {
  const flips = { both: 0, lost: 0, gained: 0, neither: 0 }
  first.forEach((before, pass) => {
    const after = second[pass]!
    if (before === null || after === null) return
    if (before === 1) flips[after === 1 ? 'both' : 'lost']++
    else flips[after === 1 ? 'gained' : 'neither']++
  })
  return flips
}
