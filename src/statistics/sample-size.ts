import {
  count,
  expectNumber,
  expectNumbers,
  finite,
  level,
  notNegative,
  positiveCount,
  share,
} from './_expect-number.js'
import { normalQuantile } from './normal.js'

/** What a two-sided test risks: to see a difference that is not there (alpha), and not to see the one that is (1 − power). */
export interface Risks {
  readonly alpha?: number
  readonly power?: number
}

/**
 * Tasks needed to tell two arms apart that were played on the same tasks: n = (z₁₋α/₂ + z_power)² (taskVariance + seedVarianceA/seedsA + seedVarianceB/seedsB)
 * / difference², rounded up (Miller 2024, arXiv 2411.00640, eq. 9). `taskVariance` is that of the tasks' true differences, which no number of seeds
 * lowers; `seedVarianceA` and `B` are the mean variances of one episode of a task. Undefined for a difference of 0.
 * @throws RangeError unless `difference` is finite, the variances are finite and at least 0, the seeds are counts of at least 1, and alpha and power are between
 * 0 and 1.
 */
export function sampleSizePaired({
  difference,
  taskVariance,
  seedVarianceA,
  seedVarianceB,
  seedsA,
  seedsB,
  ...risks
}: Risks & {
  readonly difference: number
  readonly taskVariance: number
  readonly seedVarianceA: number
  readonly seedVarianceB: number
  readonly seedsA: number
  readonly seedsB: number
}): number | undefined {
  expectNumber('difference', difference, finite)
  expectNumbers('each variance', [taskVariance, seedVarianceA, seedVarianceB], notNegative)
  expectNumbers('the seeds of each arm', [seedsA, seedsB], positiveCount)
  const variance = taskVariance + seedVarianceA / seedsA + seedVarianceB / seedsB
  return wholeUp((reach(risks) ** 2 * variance) / difference ** 2)
}

/**
 * Smallest true difference that a two-sided paired test sees with the power asked for: (z₁₋α/₂ + z_power)·sd/√tasks, in the unit of `deviation`, the
 * sample standard deviation of the tasks' differences (Miller 2024, arXiv 2411.00640). Undefined without a task, and for a deviation of 0: no spread is
 * no evidence that nothing is too small to be seen.
 * @throws RangeError unless `deviation` is finite and at least 0, `tasks` is a count, and alpha and power are between 0 and 1.
 */
export function minimumDetectableEffect({
  deviation,
  tasks,
  ...risks
}: Risks & { readonly deviation: number; readonly tasks: number }): number | undefined {
  expectNumber('deviation', deviation, notNegative)
  expectNumber('tasks', tasks, count)
  const quantiles = reach(risks)
  return tasks > 0 && deviation > 0 ? (quantiles * deviation) / Math.sqrt(tasks) : undefined
}

/**
 * Pairs needed by McNemar's test, rounded up (Connor 1987, Biometrics 43:207), where a share `lost` of all pairs is a success in the first alone and a
 * share `gained` in the second alone. Undefined where both are equal.
 * @throws RangeError unless both are from 0 to 1 and their sum is at most 1, and alpha and power are between 0 and 1.
 */
export function mcnemarPairs({
  lost,
  gained,
  ...risks
}: Risks & { readonly lost: number; readonly gained: number }): number | undefined {
  expectNumbers('each share', [lost, gained], share)
  const discordant = lost + gained
  expectNumber('lost + gained', discordant, share)
  const quantiles = quantilesOf(risks)
  const square = (lost - gained) ** 2
  const root = quantiles.alpha * Math.sqrt(discordant) + quantiles.power * Math.sqrt(discordant - square)
  return wholeUp(root ** 2 / square)
}

function reach(risks: Risks): number {
  const { alpha, power } = quantilesOf(risks)
  return alpha + power
}

function quantilesOf({ alpha = 0.05, power = 0.8 }: Risks): Required<Risks> {
  expectNumber('alpha', alpha, level)
  expectNumber('power', power, level)
  return { alpha: normalQuantile(1 - alpha / 2), power: normalQuantile(power) }
}

function wholeUp(size: number): number | undefined {
  return Number.isFinite(size) ? Math.ceil(size) : undefined
}
