import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import type { Level } from '../../src/statistics/variance-components.js'
import { varianceShares } from '../../src/statistics/variance-components.js'

/** A crossed design of models and tasks with several seeds: a score is the sum of its effects. */
function designOf(models: readonly number[], tasks: readonly number[], rest: () => number, seeds = 4) {
  const level = (): Level => ({ sums: new Float64Array(tasks.length), counts: new Float64Array(tasks.length) })
  const all = level()
  const squares = new Float64Array(tasks.length)
  const levels = models.map(level)
  models.forEach((ofModel, model) => {
    for (let seed = 0; seed < seeds; seed++)
      tasks.forEach((ofTask, task) => {
        const score = ofModel + ofTask + rest()
        squares[task]! += score * score
        for (const { sums, counts } of [all, levels[model]!]) {
          sums[task]! += score
          counts[task]!++
        }
      })
  })
  return varianceShares(all, squares, [
    { name: 'models', levels },
    { name: 'agents', levels: [all] },
  ])!
}

describe('shares of variance', () => {
  it('are the components of a design without chance, and leave out a factor of one level', () => {
    // Sample variances of the effects: models 0.02, tasks 0.01.
    const shares = designOf([0.2, 0.4], [0, 0.1, 0.2], () => 0.3)
    expect(shares.map(({ name, levels }) => [name, levels])).toEqual([
      ['tasks', 3],
      ['models', 2],
      ['rest', 24],
    ])
    expect(shares.map(({ share }) => share)).toEqual([
      expect.closeTo(1 / 3, 9),
      expect.closeTo(2 / 3, 9),
      expect.closeTo(0, 9),
    ])
    expect(shares[1]!.deviation).toBeCloseTo(Math.sqrt(0.02), 9)
  })

  it('have intervals that hold the true share of the tasks in most designs', () => {
    let held = 0
    for (let run = 0; run < 100; run++) {
      const { next } = createRandom(`shares ${String(run)}`)
      const normal = (deviation: number): number =>
        deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      const tasks = Array.from({ length: 60 }, () => normal(0.2))
      const [ofTasks, ...others] = designOf([0.5, 0.5], tasks, () => normal(0.3))
      expect(others.map(({ interval }) => interval)).toEqual([undefined, undefined])
      const { low, high } = ofTasks!.interval!
      if (low <= 0.04 / 0.13 && 0.04 / 0.13 <= high) held++
    }
    expect(held).toBeGreaterThanOrEqual(92)
  })

  it('are absent where all scores are equal', () => {
    expect(designOf([0.5, 0.5], [0, 0], () => 0)).toBeUndefined()
  })
})
