import { difference, expectEqualLengths, expectNumbers } from './_expect-number.js'
import { mean, standardDeviation } from './dispersion.js'
import { studentQuantile } from './distributions.js'
import type { Interval } from './intervals.js'
import { meanBounds } from './mean-bounds.js'

/** What {@link pairedDifference} finds. Shares of 1. */
export interface PairedDifference {
  /** Clusters that the difference rests on. */
  readonly tasks: number
  readonly mean?: number
  /** sd(d)/√T of the tasks' differences d. Absent below two tasks. */
  readonly standardError?: number
  /**
   * 95 %, of the mean over other tasks, by {@link meanBounds}: it leaves 0 out exactly where `noDifferenceP` is below
   * 0.05. Absent without a task.
   */
  readonly interval?: Interval
}

/**
 * Mean paired difference of shares with the task as the cluster: `byTask[t]` holds the differences of task t, from −1
 * to 1, one for each pair. Differences that are not finite are missing, and tasks without a pair are left out.
 * @throws RangeError for a difference outside of −1 to 1.
 */
export function pairedDifference(byTask: readonly (readonly number[])[]): PairedDifference {
  const known = byTask.map((pairs) => pairs.filter(Number.isFinite))
  for (const pairs of known) expectNumbers('each difference', pairs, difference)
  const differences = known.map(mean).filter((centre) => centre !== undefined)
  const centre = mean(differences)
  const tasks = differences.length
  if (centre === undefined) return { tasks }
  const deviation = standardDeviation(differences)
  return {
    tasks,
    mean: centre,
    ...(deviation !== undefined && { standardError: deviation / Math.sqrt(tasks) }),
    interval: meanBounds(differences, 0.025),
  }
}

/**
 * Standard errors of the mean of scores that fall into clusters, in the unit of the scores. Those that need clusters
 * are absent below two of them.
 */
interface ClusteredError {
  /** How many clusters hold a score. */
  readonly clusters: number
  /** As if all scores were independent: s/√n. */
  readonly naive: number
  /**
   * Miller 2024 (arXiv 2411.00640), equation 4: the naive variance, and the products of deviations of every two scores
   * of a cluster over n².
   */
  readonly miller?: number
  /** Sandwich estimate: squares of the clusters' sums of deviations over n² (Liang and Zeger 1986). */
  readonly cr0?: number
  /** The same variance times G/(G−1) for G clusters, as statsmodels and Inspect have it. */
  readonly cr1?: number
}

/**
 * Standard errors of a mean by cluster: `clusters[i]` is the cluster of `scores[i]`, such as its task where there are
 * several seeds, or its kind of task. Scores that are not finite are missing. Below about ten clusters the sandwich is
 * too small: say so beside it. Undefined below two scores.
 * @throws RangeError for lists of unequal length.
 */
export function clusteredError(
  scores: readonly number[],
  clusters: readonly (string | number)[],
): ClusteredError | undefined {
  expectEqualLengths('scores and clusters', [scores, clusters])
  const known = scores.filter(Number.isFinite)
  const n = known.length
  const centre = mean(known)
  const deviation = standardDeviation(known)
  if (centre === undefined || deviation === undefined) return undefined
  const sums = new Map<string | number, number>()
  let squares = 0
  scores.forEach((score, place) => {
    if (!Number.isFinite(score)) return
    sums.set(clusters[place]!, (sums.get(clusters[place]!) ?? 0) + score - centre)
    squares += (score - centre) ** 2
  })
  const count = sums.size
  const naive = deviation / Math.sqrt(n)
  if (count < 2) return { clusters: count, naive }
  const ofSums = [...sums.values()].reduce((total, sum) => total + sum * sum, 0)
  const cr0 = Math.sqrt(ofSums) / n
  return {
    clusters: count,
    naive,
    miller: Math.sqrt(Math.max(0, naive ** 2 + (ofSums - squares) / n ** 2)),
    cr0,
    cr1: cr0 * Math.sqrt(count / (count - 1)),
  }
}

/** What {@link pairedClusterDifference} finds, in the unit of the differences. */
export interface PairedClusterDifference {
  /** Differences that are known. */
  readonly tasks: number
  readonly clusters: number
  readonly mean?: number
  /** Sandwich estimate without a correction. Absent below two clusters. */
  readonly cr0?: number
  /** The same with the variance times G/(G−1). Absent below two clusters. */
  readonly standardError?: number
  /** 95 %. Absent below two clusters, and where the clusters' sums show no spread. */
  readonly interval?: Interval
}

/**
 * Mean of paired differences, one a task, where tasks fall into clusters that may rise and fall together (kinds of
 * task, or the levels of one game): `clusteredError` of the differences, and t with G−1 degrees of freedom.
 * @throws RangeError for lists of unequal length.
 */
export function pairedClusterDifference(
  differences: readonly number[],
  clusters: readonly (string | number)[],
): PairedClusterDifference {
  const known = differences.filter(Number.isFinite)
  const centre = mean(known)
  const error = clusteredError(differences, clusters)
  const count = new Set(clusters.filter((_, place) => Number.isFinite(differences[place]))).size
  const found = { tasks: known.length, clusters: count, ...(centre !== undefined && { mean: centre }) }
  if (centre === undefined || error?.cr0 === undefined || error.cr1 === undefined) return found
  const withErrors = { ...found, cr0: error.cr0, standardError: error.cr1 }
  if (error.cr1 === 0) return withErrors
  const half = error.cr1 * studentQuantile(0.975, count - 1)
  return { ...withErrors, interval: { low: centre - half, high: centre + half } }
}

/** What {@link differenceVariances} finds in a pilot, in squared shares of 1. */
export interface DifferenceVariances {
  /** Of the tasks' true differences (Miller's ω²), floored at 0. */
  readonly taskVariance: number
  /** Of one pair's difference around its task's true difference. */
  readonly pairVariance: number
  readonly tasks: number
  readonly pairs: number
}

/**
 * Takes the paired differences of a pilot apart: `byTask[t]` holds those of task t, one for each pair. One-way variance
 * components with tasks at random and unequal numbers of pairs (Searle, Casella and McCulloch 1992, ch. 3). Tasks
 * without a pair and differences that are not finite are left out. Undefined below two tasks, and where no task has two
 * pairs: the two parts cannot be told apart.
 * @throws RangeError for a difference outside of −1 to 1.
 */
export function differenceVariances(byTask: readonly (readonly number[])[]): DifferenceVariances | undefined {
  const measured = byTask.map((differences) => differences.filter(Number.isFinite)).filter(({ length }) => length > 0)
  const tasks = measured.length
  const all = measured.flat()
  expectNumbers('each difference', all, difference)
  const pairs = all.length
  if (tasks < 2 || pairs === tasks) return undefined
  const grand = mean(all)!
  let [between, within, squares] = [0, 0, 0]
  for (const differences of measured) {
    const centre = mean(differences)!
    between += differences.length * (centre - grand) ** 2
    squares += differences.length ** 2
    for (const difference of differences) within += (difference - centre) ** 2
  }
  const pairVariance = within / (pairs - tasks)
  const pairsPerTask = (pairs - squares / pairs) / (tasks - 1)
  const taskVariance = Math.max(0, (between / (tasks - 1) - pairVariance) / pairsPerTask)
  return { taskVariance, pairVariance, tasks, pairs }
}
