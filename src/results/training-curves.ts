import type { Plan } from '../define.js'
import { conditionsIn, pairsOf } from '../define.js'
import { holm, mean, noDifferenceP, taskInterval } from '../statistics/index.js'
import { scaledDifference } from '../statistics/paired-difference.js'
import { isAveraged } from './conditions.js'
import { differenceOver, touchedBy } from './differences.js'
import { dropRateOf } from './drop-rates.js'
import { findGroup } from './find.js'
import type { MeansByTask, Metric } from './pairs.js'
import { pairTallies } from './pairs.js'
import { overConditions } from './primary.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'
import type { AggregateCondition, Group, TrainingCurve, TrainingPoint, Trend } from './schema.js'

/** A checkpoint with its measurements. */
interface Measured {
  readonly model: string
  readonly step: number
  readonly clean: Tally | undefined
  readonly cleanGroup: Group | undefined
  readonly conditions: Readonly<Record<Metric, MeansByTask>> | undefined
}

/**
 * The training curves of a plan, one for each environment × series × agent with at least two checkpoints. Perturbed
 * figures are over the same conditions as the default primary endpoint.
 */
export function describeTrainingCurves(
  plan: Plan,
  tallies: Tallies,
  conditions: readonly AggregateCondition[],
  groups: readonly Group[],
): TrainingCurve[] {
  const pairs = pairsOf(plan)
  const series = [...new Set(plan.models.map(({ checkpoint }) => checkpoint?.series))].filter(
    (one) => one !== undefined,
  )
  const clean = conditions.find((condition) => condition.clean)?.label
  const places = plan.temperatures.map((_, place) => place)
  const curves = plan.environments.flatMap(({ name: environment, tasks }) =>
    series.flatMap((name) =>
      plan.agents.flatMap(({ name: agent }): TrainingCurve[] => {
        const checkpoints = pairs
          .filter((pair) => pair.agent.name === agent && pair.model.checkpoint?.series === name)
          .map(({ model }) => ({ model: model.name, step: model.checkpoint!.step }))
          .sort((one, other) => one.step - other.step)
        if (checkpoints.length < 2) return []
        const labels = conditionsIn(conditions, environment)
          .filter(isAveraged)
          .map(({ label }) => label)
        const measured = checkpoints.map(({ model, step }): Measured => {
          const find = (label: string): Tally => tallies.find(environment, model, agent, label)
          const twin = clean === undefined ? undefined : find(clean)
          const conditions = labels.map((label) => ({ label, tally: find(label) }))
          return {
            model,
            step,
            clean: twin,
            cleanGroup: findGroup({ groups }, environment, model, agent, clean),
            conditions: twin && labels.length > 0 ? overConditions(twin, conditions, places, tasks.length) : undefined,
          }
        })
        const curve = (metric: Metric) => describeMetric(measured, metric, places)
        return [
          {
            environment,
            series: name,
            agent,
            checkpoints: checkpoints.map((one) => ({
              ...one,
              ...(labels.length > 0 && {
                touched: touchedBy(
                  labels.map((label) => tallies.find(environment, one.model, agent, label)),
                  places,
                ),
              }),
            })),
            conditions: labels,
            success: curve('success'),
            progress: curve('progress'),
          },
        ]
      }),
    ),
  )
  return adjustTrends(adjustTrends(curves, 'success'), 'progress')
}

function describeMetric(
  measured: readonly Measured[],
  metric: Metric,
  places: readonly number[],
): TrainingCurve[Metric] {
  const points = measured.map((one): TrainingPoint => {
    const rate = one.cleanGroup?.pooled[metric]
    const under = one.conditions?.[metric]
    const perturbed = under && rateOf([...under.second])
    const drop =
      under &&
      perturbed &&
      dropRateOf({ first: Float64Array.from(under.first), second: Float64Array.from(under.second) })
    return {
      ...(rate?.mean !== undefined && {
        clean: { mean: rate.mean, ...(rate.overTasks && { overTasks: rate.overTasks }) },
      }),
      ...(perturbed && { perturbed }),
      change: under ? differenceOver(under) : { tasks: 0 },
      ...(drop && { dropRate: drop }),
    }
  })
  const known = measured.filter((_, place) => points[place]!.clean !== undefined)
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined || first === last) return { points }
  const pairs = pairTallies(first.clean!, last.clean!, places)[metric]
  const part = (of: keyof MeansByTask): readonly [readonly number[], readonly number[]] => [
    [...(first.conditions?.[metric][of] ?? [])],
    [...(last.conditions?.[metric][of] ?? [])],
  ]
  const [ofClean, ofPerturbed, ofChange] = [
    trendOf([...pairs.first], [...pairs.second], 1),
    trendOf(...part('second'), 1),
    trendOf(...part('difference'), 2),
  ]
  return {
    points,
    trends: {
      first: first.step,
      last: last.step,
      ...(ofClean && { clean: ofClean }),
      ...(ofPerturbed && { perturbed: ofPerturbed }),
      ...(ofChange && { change: ofChange }),
    },
  }
}

/** The mean of a rate over tasks with its interval; undefined without a task. */
function rateOf(byTask: readonly number[]): TrainingPoint['perturbed'] {
  const known = byTask.filter((one) => !Number.isNaN(one))
  const [centre, overTasks] = [mean(known), taskInterval(known)]
  return centre === undefined ? undefined : { mean: centre, ...(overTasks && { overTasks }) }
}

/** The difference of two lists by task, on the tasks that both have; `span` is the largest that it can be. */
function trendOf(before: readonly number[], after: readonly number[], span: number): Trend | undefined {
  const tasks = before.flatMap((one, task) => (Number.isNaN(one + (after[task] ?? NaN)) ? [] : [task]))
  const differences = tasks.map((task) => after[task]! - before[task]!)
  const { mean: centre, interval } = scaledDifference(differences, span)
  if (centre === undefined || interval === undefined) return undefined
  return {
    tasks: tasks.length,
    from: mean(tasks.map((task) => before[task]!))!,
    to: mean(tasks.map((task) => after[task]!))!,
    mean: centre,
    interval,
    p: noDifferenceP(differences.map((one) => Math.max(-1, Math.min(1, one / span)))),
    // Adjusted once all curves are known.
    holm: 1,
  }
}

/** Curves with the p of their trends adjusted over all of them, since each of them may be told in a sentence (Holm). */
function adjustTrends(curves: readonly TrainingCurve[], metric: Metric): TrainingCurve[] {
  const names = ['clean', 'perturbed', 'change'] as const
  const ps = curves.flatMap((curve) => names.flatMap((name) => curve[metric].trends?.[name]?.p ?? []))
  const adjusted = holm(ps).values()
  return curves.map((curve) => {
    const { trends, ...rest } = curve[metric]
    if (trends === undefined) return curve
    const own = names.flatMap((name) => {
      const trend = trends[name]
      return trend === undefined ? [] : [[name, { ...trend, holm: adjusted.next().value! }] as const]
    })
    return { ...curve, [metric]: { ...rest, trends: { ...trends, ...Object.fromEntries(own) } } }
  })
}
