import type { Plan } from '../define.js'
import { columnsIn, labelWithout, pairsOf } from '../define.js'
import type { Factor, Level } from '../statistics/index.js'
import { varianceShares } from '../statistics/index.js'
import { isAveraged } from './columns.js'
import type { Metric } from './pairs.js'
import { isCopy } from './passes.js'
import type { AggregateColumn, Variances } from './schema.js'
import type { Tallies } from './tallies.js'

const factors = [
  ['models'],
  ['agents'],
  ['conditions'],
  ['draws', 'conditions'],
  ['temperatures'],
  ['seeds', 'temperatures'],
] as const

/**
 * Splits the variance of single episodes of each environment by what they differ in, over all columns but those that
 * promise identity or are adversarial.
 */
export function describeVariances(plan: Plan, tallies: Tallies, columns: readonly AggregateColumn[]): Variances[] {
  return plan.environments.flatMap(({ name: environment, tasks }): Variances[] => {
    const chosen = columnsIn(columns, environment).filter((column) => column.clean || isAveraged(column))
    const split = (metric: Metric) => {
      const emptyLevel = (): Level => ({
        sums: new Float64Array(tasks.length),
        counts: new Float64Array(tasks.length),
      })
      const all = emptyLevel()
      const squares = new Float64Array(tasks.length)
      const levels = factors.map(() => new Map<string, Level>())
      const levelOf = (factor: number, name: string, within = ''): Level => {
        const known = levels[factor]!
        const found = known.get(name)
        if (found !== undefined) return found
        const parents = factors.findIndex(([other]) => other === factors[factor]![1])
        const parent = [...(levels[parents]?.keys() ?? [])].indexOf(within)
        const level = { ...emptyLevel(), ...(parent >= 0 && { parent }) }
        known.set(name, level)
        return level
      }
      for (const { model, agent } of pairsOf(plan)) {
        for (const { label } of chosen) {
          const tally = tallies.find(environment, model.name, agent.name, label)
          const { state, [metric]: values } = tally
          const condition = labelWithout(label, 'draw')
          for (const [place, temperature] of plan.temperatures.entries()) {
            for (const [at, seed] of plan.seeds.entries()) {
              const pass = place * plan.seeds.length + at
              const first = pass * tasks.length
              if (isCopy(tally, pass) || !state.subarray(first, first + tasks.length).includes(2)) continue
              const within = String(temperature)
              const own = [
                all,
                levelOf(0, model.name),
                levelOf(1, agent.name),
                levelOf(2, condition),
                levelOf(3, label, condition),
                levelOf(4, within),
                levelOf(5, `${within} ${String(seed)}`, within),
              ]
              for (let task = 0; task < tasks.length; task++) {
                if (state[first + task] !== 2) continue
                const value = values[first + task]!
                squares[task]! += value * value
                for (const { sums, counts } of own) {
                  sums[task]! += value
                  counts[task]!++
                }
              }
            }
          }
        }
      }
      return varianceShares(
        all,
        squares,
        factors.map(([name, within], place): Factor => ({
          name,
          levels: [...levels[place]!.values()],
          ...(within && { within }),
        })),
      )
    }
    const [success, progress] = [split('success'), split('progress')]
    return success || progress ? [{ environment, ...(success && { success }), ...(progress && { progress }) }] : []
  })
}
