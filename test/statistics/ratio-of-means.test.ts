import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { noDifferenceP, ratioOfMeans } from '../../src/statistics/index.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

/** Scores of tasks before and after, over some seeds each. */
function draw(name: string, tasks: number, seeds: number, drop: number) {
  const { next } = createRandom(name)
  const play = (chance: number): number => {
    let successes = 0
    for (let seed = 0; seed < seeds; seed++) successes += Number(next() < chance)
    return successes / seeds
  }
  const chances = Array.from({ length: tasks }, () => next() ** 0.3)
  return { before: chances.map(play), after: chances.map((chance) => play(chance * (1 - drop))) }
}

const samples = [10, 20, 60].flatMap((tasks) =>
  [1, 3].flatMap((seeds) =>
    [0, 0.1, 0.3].flatMap((drop) =>
      Array.from({ length: 20 }, (_, round) => draw(JSON.stringify({ tasks, seeds, drop, round }), tasks, seeds, drop)),
    ),
  ),
)

describe('a ratio of means', () => {
  it('excludes 1 exactly where the test of the difference rejects', () => {
    const rejected = samples.filter(({ before, after }) => {
      const { interval } = ratioOfMeans(before, after)!
      const p = noDifferenceP(after.map((score, task) => score - before[task]!))
      if (interval !== undefined) expect(interval.low > 1 || interval.high < 1).toBe(p < 0.05)
      return p < 0.05
    })
    expect(rejected.length).toBeGreaterThan(50)
    expect(rejected.length).toBeLessThan(samples.length - 50)
  })

  it('is 1 minus a drop rate', () => {
    const { base, pert, ...summaries } = checks.robustness_summaries
    expect(1 - ratioOfMeans([base], [pert])!.value).toBeCloseTo(summaries['PDR=1-pert/base'], 14)
  })

  it('has no interval where nothing need be left to lose, and none at all of 0', () => {
    expect(ratioOfMeans([0, 0, 0, 0, 1], [0, 0, 0, 1, 0])).toEqual({ value: 1 })
    expect(ratioOfMeans([0, 0], [1, 0])).toBeUndefined()
    expect(ratioOfMeans([NaN, 5e-324], [1, 1])).toBeUndefined()
    expect(ratioOfMeans([], [])).toBeUndefined()
  })
})
