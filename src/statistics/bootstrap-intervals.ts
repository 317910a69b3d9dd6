import { expectNumber, expectNumbers, finite, level } from './_expect-number.js'
import { mean } from './dispersion.js'
import type { Interval } from './intervals.js'
import { normalCdf, normalQuantile } from './normal.js'

/**
 * Percentile bootstrap interval of a statistic's resampled values: their quantiles, interpolated linearly between neighbours. Undefined where they do not
 * differ (no spread is no evidence of certainty), and where so many are NaN that all of them might lie beyond one bound.
 * @throws RangeError for an infinite sample, and unless `confidence` is between 0 and 1.
 */
export function percentileInterval(samples: ArrayLike<number>, confidence = 0.95): Interval | undefined {
  const tail = tailOf(confidence)
  const sorted = sortSamples(samples, tail)
  return sorted && intervalAt(sorted, tail, 1 - tail)
}

/**
 * Bias-corrected and accelerated bootstrap interval (Efron 1987, JASA 82:171) around `estimate`: percentiles shifted by z₀, from the share of resampled
 * values below it, and by the skewness of `jackknife`, the statistic with one task left out at a time. Undefined where {@link percentileInterval} is, where
 * the samples lie all on one side of the estimate, and where they are so skewed that no percentile fits.
 * @throws RangeError where {@link percentileInterval} does, and unless `estimate` and the jackknife's values are finite.
 */
export function bcaInterval(
  samples: ArrayLike<number>,
  estimate: number,
  jackknife: readonly number[],
  confidence = 0.95,
): Interval | undefined {
  const tail = tailOf(confidence)
  expectNumber('estimate', estimate, finite)
  expectNumbers('each value of the jackknife', jackknife, finite)
  const sorted = sortSamples(samples, tail)
  if (sorted === undefined || sorted.length === 0) return undefined
  const bias = biasOf(sorted, estimate)
  const acceleration = accelerationOf(jackknife)
  const towards = [bias + normalQuantile(tail), bias - normalQuantile(tail)] as const
  if (!towards.every((z) => Number.isFinite(z) && acceleration * z < 1)) return undefined
  const [low, high] = towards.map((z) => normalCdf(bias + z / (1 - acceleration * z)))
  return intervalAt(sorted, low!, high!)
}

/** z₀: the normal quantile of the share of samples below the estimate. A sample that differs by rounding only is not below. */
export function biasOf(samples: ArrayLike<number>, estimate: number): number {
  const edge = estimate - 1e-12 * Math.max(1, Math.abs(estimate))
  let below = 0
  for (let index = 0; index < samples.length; index++) if (samples[index]! < edge) below++
  return normalQuantile(below / samples.length)
}

/** a: a sixth of the skewness of the jackknife's values, turned round; 0 where they do not differ. */
export function accelerationOf(jackknife: readonly number[]): number {
  const centre = mean(jackknife) ?? 0
  let [squares, cubes] = [0, 0]
  for (const value of jackknife) {
    squares += (centre - value) ** 2
    cubes += (centre - value) ** 3
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5)
}

function tailOf(confidence: number): number {
  expectNumber('confidence', confidence, level)
  return (1 - confidence) / 2
}

/** Those that are numbers, in order; undefined where a larger share than `tail` is none. */
function sortSamples(samples: ArrayLike<number>, tail: number): Float64Array | undefined {
  const sorted = Float64Array.from(samples)
    .filter((sample) => !Number.isNaN(sample))
    .sort()
  expectNumbers('each sample', sorted, finite)
  return samples.length - sorted.length > tail * samples.length ? undefined : sorted
}

function intervalAt(sorted: Float64Array, low: number, high: number): Interval | undefined {
  if (sorted.length === 0) return undefined
  const interval = { low: quantileOf(sorted, low), high: quantileOf(sorted, high) }
  return interval.high - interval.low > 1e-12 ? interval : undefined
}

function quantileOf(sorted: Float64Array, probability: number): number {
  const place = probability * (sorted.length - 1)
  const before = Math.floor(place)
  const [low, high] = [sorted[before]!, sorted[Math.min(before + 1, sorted.length - 1)]!]
  return low + (high - low) * (place - before)
}
