import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { bootstrapTwoLevel, percentileInterval } from '../../src/statistics/bootstrap.js'
import { mean, standardDeviation } from '../../src/statistics/dispersion.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const random = (seed: string): (() => number) => createRandom(seed).next

describe('the percentile interval', () => {
  const exhaustive = checks.bootstrap_exhaustive_n3

  it('enumerates all 27 resamples of three values', () => {
    const { x } = exhaustive
    const samples = x.flatMap((a) => x.flatMap((b) => x.map((c) => mean([a, b, c])!)))
    expect(samples).toHaveLength(exhaustive.n_resamples)
    for (const [place, sample] of [...samples].sort((a, b) => a - b).entries()) {
      expect(sample).toBeCloseTo(exhaustive.means_sorted[place]!, 14)
    }
    expect(standardDeviation(samples, 'population')).toBeCloseTo(exhaustive.bootstrap_se_population_over_27, 14)
    expect(standardDeviation(x, 'population')! / Math.sqrt(3)).toBeCloseTo(
      exhaustive['closed_form_se=std_pop/sqrt(n)'],
      14,
    )
    const interval = percentileInterval(samples)!
    expect(interval.low).toBeCloseTo(exhaustive['percentile_2.5_97.5_linear'][0]!, 14)
    expect(interval.high).toBeCloseTo(exhaustive['percentile_2.5_97.5_linear'][1]!, 14)
  })

  it('is absent if nothing differs, there is no value, or all values are on one side', () => {
    expect(percentileInterval([])).toBeUndefined()
    expect(percentileInterval([0.3, 0.3, 0.1 + 0.2])).toBeUndefined()
    expect(percentileInterval(new Float64Array(27).fill(NaN))).toBeUndefined()
  })

  it('leaves out an undefined resample, up to a limit', () => {
    const numbers = Array.from({ length: 99 }, (_, index) => index / 100)
    expect(percentileInterval([...numbers, NaN])).toEqual(percentileInterval(numbers))
    expect(percentileInterval([...numbers, NaN, NaN, NaN, NaN])).toBeUndefined()
  })
})

describe('bootstrap over tasks and seeds', () => {
  const size = { tasks: 30, seeds: 4 }
  const scores = (seed: string, { tasks, seeds } = size): Float64Array => {
    const next = random(seed)
    return Float64Array.from({ length: tasks * seeds }, () => next())
  }

  it('has the spread of both levels', () => {
    const arm = scores('arm')
    const [means] = bootstrapTwoLevel([arm], { ...size, random: random('spread') }).means
    const tasks = Array.from({ length: 30 }, (_, task) => [...arm.slice(task * 4, task * 4 + 4)])
    const between = standardDeviation(
      tasks.map((task) => mean(task)!),
      'population',
    )!
    const within = mean(tasks.map((task) => standardDeviation(task, 'population')! ** 2))!
    const expected = Math.sqrt(between ** 2 / 30 + within / (30 * 4))
    expect(mean([...means!])).toBeCloseTo(mean([...arm])!, 2)
    expect(standardDeviation([...means!])! / expected).toBeCloseTo(1, 1)
  })

  it('is every resample of a small panel, each with its exact frequency', () => {
    // Two tasks of two seeds: a drawn task has mean 0, 1/2 or 1 (task 1) and 4, 6 or 8 (task 2) with probabilities 1/4,
    // 1/2, 1/4.
    const arm = Float64Array.from([0, 1, 4, 8])
    const [means] = bootstrapTwoLevel([arm], { tasks: 2, seeds: 2, resamples: 40_000, random: random('small') }).means
    const values = [
      [0, 1 / 8],
      [0.5, 1 / 4],
      [1, 1 / 8],
      [4, 1 / 8],
      [6, 1 / 4],
      [8, 1 / 8],
    ] as const
    const chances = new Map<number, number>()
    for (const [one, chance] of values) {
      for (const [other, otherChance] of values) {
        const centre = (one + other) / 2
        chances.set(centre, (chances.get(centre) ?? 0) + chance * otherChance)
      }
    }
    for (const [centre, chance] of chances) {
      const seen = means!.filter((value) => value === centre).length / 40_000
      expect(Math.abs(seen - chance)).toBeLessThan(4 * Math.sqrt(chance / 40_000))
    }
    expect([...new Set(means)].every((value) => chances.has(value))).toBe(true)
  })

  it('gives all arms the same draw', () => {
    const arm = scores('arm')
    const other = arm.map((score) => 1 - score)
    const { means } = bootstrapTwoLevel([arm, other, arm], { ...size, resamples: 200, random: random('same') })
    expect(means[2]).toEqual(means[0])
    means[0]!.forEach((value, resample) => {
      expect(value + means[1]![resample]!).toBeCloseTo(1, 12)
    })
  })

  it('gives the same bytes for the same seed, and others for another', () => {
    const draw = (seed: string) =>
      bootstrapTwoLevel([scores('arm')], { ...size, resamples: 50, random: random(seed) }).means[0]
    expect(draw('a')).toEqual(draw('a'))
    expect(draw('a')).not.toEqual(draw('b'))
  })

  it('skips missing values, even if they are missing in one arm only', () => {
    const whole = scores('arm')
    const gaps = whole.map((score, place) => (place % 3 === 0 ? NaN : score))
    const { means } = bootstrapTwoLevel([whole, gaps], { ...size, resamples: 200, random: random('gaps') })
    const alone = bootstrapTwoLevel([whole], { ...size, resamples: 200, random: random('gaps') })
    means[0]!.forEach((value, resample) => {
      expect(value).toBeCloseTo(alone.means[0]![resample]!, 12)
    })
    const kept = [...gaps].filter((score) => !Number.isNaN(score))
    for (const value of means[1]!) {
      expect(value).toBeGreaterThanOrEqual(Math.min(...kept))
      expect(value).toBeLessThanOrEqual(Math.max(...kept))
    }
  })

  it('weights tasks equally, whatever the number of measurements of each', () => {
    const arm = Float64Array.from([1, NaN, NaN, 0, 0, 0])
    const { means } = bootstrapTwoLevel([arm], { tasks: 2, seeds: 3, resamples: 4000, random: random('weights') })
    const told = [...means[0]!].filter((value) => !Number.isNaN(value))
    expect(new Set(told)).toEqual(new Set([0, 0.5, 1]))
  })

  it('is absent for an arm without a measurement, and refuses unequal lengths', () => {
    const none = new Float64Array(6).fill(NaN)
    const { means } = bootstrapTwoLevel([none], { tasks: 2, seeds: 3, resamples: 10, random: random('none') })
    expect(percentileInterval(means[0]!)).toBeUndefined()
    expect(bootstrapTwoLevel([], { tasks: 2, seeds: 3, random: random('none') })).toEqual({ means: [] })
    expect(() => bootstrapTwoLevel([none], { tasks: 3, seeds: 3, random: random('none') })).toThrow(
      'Expected arms of 3 tasks × 3 seeds, got one of 6 scores.',
    )
  })

  it('takes less than three seconds of a processor for eight columns of 134 tasks × 10 seeds', () => {
    const columns = Array.from({ length: 8 }, (_, column) => scores(String(column), { tasks: 134, seeds: 10 }))
    const started = process.cpuUsage()
    bootstrapTwoLevel(columns, { tasks: 134, seeds: 10, random: random('large') })
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3)
  })

  it('contains the mean of any arm, or is absent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
        fc.string(),
        (values, seed) => {
          const arm = Float64Array.from(values)
          const [means] = bootstrapTwoLevel([arm], { tasks: 3, seeds: 2, resamples: 500, random: random(seed) }).means
          const interval = percentileInterval(means!)
          if (interval === undefined) return
          expect(interval.low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12)
          expect(interval.high).toBeLessThanOrEqual(Math.max(...values) + 1e-12)
          expect(interval.high).toBeGreaterThan(interval.low)
        },
      ),
    )
  })
})
