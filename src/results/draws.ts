import type { Plan } from '../define.js'
import { conditionsIn, labelWithout, pairsOf } from '../define.js'
import {
  intervalOverDraws,
  mean,
  pairedDifference,
  spreadByGroup,
  spreadOfDraws,
  standardDeviation,
} from '../statistics/index.js'
import { touchedBy } from './differences.js'
import type { Metric } from './pairs.js'
import { pairTallies, plannedPasses } from './pairs.js'
import { isCopy } from './passes.js'
import type { AggregateCondition, DrawFigures, Draws } from './schema.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'

/** Describes every family of conditions that differ in their draw alone. None without a clean condition. */
export function describeDraws(plan: Plan, tallies: Tallies, conditions: readonly AggregateCondition[]): Draws[] {
  const clean = conditions.find((condition) => condition.clean)
  if (clean === undefined) return []
  const temperatures = plan.temperatures.map((_, place) => place)
  return plan.environments.flatMap(({ name: environment }) => {
    const played = conditionsIn(conditions, environment).filter((condition) => !condition.clean)
    const several = [...new Set(played.map(({ label }) => labelWithout(label, 'draw')))]
      .map((family) => [family, played.filter(({ label }) => labelWithout(label, 'draw') === family)] as const)
      .filter(([, members]) => members.length > 1)
    return pairsOf(plan).flatMap(({ model: { name: model }, agent: { name: agent } }) => {
      const find = ({ label }: AggregateCondition): Tally => tallies.find(environment, model, agent, label)
      const drawOf = (condition: AggregateCondition): Draw => {
        const tally = find(condition)
        return { tally, ...pairTallies(find(clean), tally, temperatures) }
      }
      return several.map(([family, members]): Draws => {
        const draws = members.map(drawOf)
        const tasks = [...draws[0]!.counts.keys()].filter((task) => draws.every(({ counts }) => counts[task]! > 0))
        const figures = (metric: Metric): DrawFigures => figuresOf(metric, draws, tasks, find(clean), temperatures)
        return {
          environment,
          model,
          agent,
          family,
          conditions: members.map(({ label }) => label),
          tasks: tasks.length,
          ...(!members.every(({ identity }) => identity) && {
            touched: touchedBy(members.map(find), temperatures, tasks),
          }),
          success: figures('success'),
          progress: figures('progress'),
        }
      })
    })
  })
}

interface Draw extends ReturnType<typeof pairTallies> {
  readonly tally: Tally
}

function figuresOf(
  metric: Metric,
  draws: readonly Draw[],
  tasks: readonly number[],
  clean: Tally,
  temperatures: readonly number[],
): DrawFigures {
  const changes = draws.map((draw) => tasks.map((task) => draw[metric].difference[task]!))
  const byTask = tasks.map((_, place) => mean(changes.map((own) => own[place]!))!)
  const spread = spreadOfDraws(changes)
  const overSeeds = spreadOverSeeds(metric, draws, tasks, clean, temperatures)
  const overTasks = standardDeviation(byTask)
  const change = pairedDifference(byTask.map((one) => [one]))
  const ofFamily =
    change.interval &&
    intervalOverDraws(
      changes.map((own) => mean(own)!),
      change.interval,
    )
  return {
    change,
    ...(ofFamily && { ofFamily }),
    ...(spread && { overDraws: { deviation: spread.deviation, beyondNoise: spread.beyondNoise } }),
    ...(overSeeds !== undefined && { overSeeds }),
    ...(overTasks !== undefined && { overTasks }),
  }
}

/**
 * Sample deviation over seeds, within a temperature, of a draw's mean change over tasks: root mean square over the
 * draws.
 */
function spreadOverSeeds(
  metric: Metric,
  draws: readonly Draw[],
  tasks: readonly number[],
  clean: Tally,
  temperatures: readonly number[],
): number | undefined {
  const variances = draws.flatMap(({ tally }) => {
    const { within } = spreadByGroup(
      temperatures.map((temperature) =>
        plannedPasses(clean, tally, [temperature])
          .flat()
          .map((pass) => {
            if (isCopy(clean, pass) && isCopy(tally, pass)) return NaN
            const slots = tasks.map((task) => pass * tally.shape.tasks + task)
            const both = slots.filter((slot) => clean.state[slot] === 2 && tally.state[slot] === 2)
            return mean(both.map((slot) => tally[metric][slot]! - clean[metric][slot]!)) ?? NaN
          }),
      ),
    )
    return within === undefined ? [] : [within ** 2]
  })
  const variance = mean(variances)
  return variance === undefined ? undefined : Math.sqrt(variance)
}
