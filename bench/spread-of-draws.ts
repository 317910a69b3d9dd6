import { createRandom } from '../src/core/random.js'
import { mean, normalQuantile, spreadOfDraws, standardDeviation } from '../src/statistics/index.js'
import { varianceComponents } from '../src/statistics/variance-components.js'
import { populations } from './_simulated-tasks.js'
import { size } from './_size.js'

/** What the spread of several draws is estimated as, in points (variances in squared points), means over replicates. */
export interface DrawSpreadFigures {
  readonly draws: number
  readonly tasks: number
  readonly seeds: number
  /** Standard deviation of the draws' true means. */
  readonly truth: number
  /** Of the draws' observed means. */
  readonly observed: number
  /** `beyondNoise` of spreadOfDraws. */
  readonly beyondNoise: number
  /** Root of the mean variance before it is floored at 0, negative where that is: it shows bias without the floor. */
  readonly withoutFloor: number
}

const designs = [0, 0.03, 0.1].flatMap((truth) =>
  [
    { draws: 3, tasks: 20, seeds: 1 },
    { draws: 3, tasks: 134, seeds: 3 },
    { draws: 5, tasks: 134, seeds: 1 },
    { draws: 5, tasks: 134, seeds: 3 },
  ].map((design) => ({ ...design, truth })),
)

/**
 * Draws tasks of three populations and the harm of each draw (normal about 10 points), plays every draw and the clean
 * twin with the same seeds, and estimates the spread of the draws.
 */
export function spreadOverDraws(replicates = size(300, 2)): DrawSpreadFigures[] {
  const figures = designs.map((design): DrawSpreadFigures => {
    const { draws, tasks, seeds, truth } = design
    const all = ['all alike', 'beta, ICC 0.3', 'some solved half the time'].flatMap((name) => {
      // In 0.3 to 0.8, so that a draw never meets the floor or the ceiling and its true mean is known.
      const probabilities = populations[name]!(0.7).map((one) => 0.45 + 0.35 * one)
      const random = createRandom(`draws ${name} ${JSON.stringify(design)}`)
      return Array.from({ length: replicates }, () => {
        const harms = Array.from({ length: draws }, () => 0.1 - truth * clipped(normalQuantile(random.next())))
        const chosen = Array.from({ length: tasks }, () => random.pick(probabilities))
        const rate = (probability: number): number =>
          mean(Array.from({ length: seeds }, () => Number(random.next() < probability)))!
        const clean = chosen.map(rate)
        const scores = harms.map((harm) => chosen.map((one, task) => rate(one - harm) - clean[task]!))
        return {
          harms: standardDeviation(harms)! ** 2,
          ...spreadOfDraws(scores)!,
          variance: varianceComponents(scores)!.components.seed,
        }
      })
    })
    const variance = mean(all.map((one) => one.variance))!
    return {
      ...design,
      truth: 100 * Math.sqrt(mean(all.map(({ harms }) => harms))!),
      observed: 100 * mean(all.map(({ deviation }) => deviation))!,
      beyondNoise: 100 * mean(all.map(({ beyondNoise }) => beyondNoise))!,
      withoutFloor: 100 * Math.sign(variance) * Math.sqrt(Math.abs(variance)),
    }
  })
  for (const { draws, tasks, seeds, truth, observed, beyondNoise, withoutFloor } of figures) {
    console.log(
      `spread over ${String(draws)} draws, ${String(tasks)} tasks × ${String(seeds)} seeds: true ${truth.toFixed(1)} points, ` +
        `observed ${observed.toFixed(1)}, beyond noise ${beyondNoise.toFixed(1)} (without the floor at 0: ${withoutFloor.toFixed(1)})`,
    )
  }
  return figures
}

/** Within two standard deviations. */
function clipped(deviate: number): number {
  return Math.max(-2, Math.min(2, deviate))
}
