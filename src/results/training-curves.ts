import type { Plan } from '../define.js'
import { holm, noDifferenceP, pairedDifference } from '../statistics/index.js'
import { isAveraged } from './conditions.js'
import { compareSets, dropRateOf, meanOfKnown, touchedBy } from './differences.js'
import { findGroup } from './find.js'
import type { Metric } from './pairs.js'
import { pairWhole, perMetric } from './pairs.js'
import { byFamily } from './families.js'
import { meanOverTasks } from './rates.js'
import type { AggregateCondition, Group, TrainingCurve, TrainingPoint, Trend } from './schema.js'
import type { TalliedSubject } from './subjects.js'

/**
 * The training curves of a plan, one for each environment × series × agent with at least two checkpoints. Perturbed
 * figures are over the same conditions as the default primary endpoint.
 */
export function describeTrainingCurves(
  plan: Plan,
  subjects: readonly TalliedSubject[],
  conditions: readonly AggregateCondition[],
  groups: readonly Group[],
): TrainingCurve[] {
  const series = [...new Set(plan.models.flatMap(({ checkpoint }) => checkpoint?.series ?? []))]
  const clean = conditions.find((condition) => condition.clean)?.label
  const curves = plan.environments.flatMap(({ name: environment }) =>
    series.flatMap((name) =>
      plan.agents.flatMap(({ name: agent }): TrainingCurve[] => {
        const checkpoints = subjects
          .filter(({ names }) => names.environment === environment && names.agent === agent)
          .filter(({ model }) => model.checkpoint?.series === name)
          .sort((one, other) => one.model.checkpoint!.step - other.model.checkpoint!.step)
        if (checkpoints.length < 2) return []
        const averaged = checkpoints[0]!.conditions.filter(isAveraged)
        const measured = checkpoints.map((subject) => ({
          ...subject,
          step: subject.model.checkpoint!.step,
          group: findGroup({ groups }, environment, subject.model.name, agent, clean),
          under:
            subject.clean && averaged.length > 0
              ? compareSets(
                  subject.clean,
                  byFamily(averaged).map((draws) => draws.map(subject.find)),
                )
              : undefined,
        }))
        return [
          {
            environment,
            series: name,
            agent,
            checkpoints: measured.map(({ model, step, find }) => ({
              model: model.name,
              step,
              ...(averaged.length > 0 && { touched: touchedBy(averaged.map(find)) }),
            })),
            conditions: averaged.map(({ label }) => label),
            ...perMetric((metric) => describeMetric(measured, metric)),
          },
        ]
      }),
    ),
  )
  return adjustTrends(adjustTrends(curves, 'success'), 'progress')
}

/** A checkpoint with its clean group, and its perturbed ones against it. */
interface Measured extends TalliedSubject {
  readonly step: number
  readonly group: Group | undefined
  readonly under: ReturnType<typeof compareSets> | undefined
}

function describeMetric(measured: readonly Measured[], metric: Metric): TrainingCurve[Metric] {
  const points = measured.map(({ group, under }): TrainingPoint => {
    const { mean, overTasks } = group?.pooled[metric] ?? {}
    const means = under?.means[metric]
    const perturbed = means && meanOverTasks([...means.second].filter(Number.isFinite))
    const dropRate = means && perturbed?.mean !== undefined ? dropRateOf(means) : undefined
    return {
      ...(mean !== undefined && { clean: { mean, ...(overTasks && { overTasks }) } }),
      ...(perturbed?.mean !== undefined && { perturbed: { ...perturbed, mean: perturbed.mean } }),
      change: under?.[metric] ?? { tasks: 0 },
      ...(dropRate && { dropRate }),
    }
  })
  const known = measured.filter((_, place) => points[place]!.clean !== undefined)
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined || first === last) return { points }
  const ofClean = pairWhole(first.clean!, last.clean!)[metric]
  const [before, after] = [first, last].map(({ under }) => under?.means[metric])
  const trends = {
    clean: trendOf(ofClean.first, ofClean.second, 1),
    perturbed: trendOf(before?.second, after?.second, 1),
    change: trendOf(before?.difference, after?.difference, 2),
  }
  const told = Object.fromEntries(Object.entries(trends).filter(([, trend]) => trend !== undefined))
  return { points, trends: { first: first.step, last: last.step, ...told } }
}

/** The difference of two lists by task, on the tasks that both have; `span` is the largest that it can be. */
function trendOf(before: Float64Array | undefined, after: Float64Array | undefined, span: number): Trend | undefined {
  if (before === undefined || after === undefined) return undefined
  const differences = after.map((one, task) => one - before[task]!)
  const { tasks, mean, interval } = pairedDifference(differences, span)
  if (mean === undefined || interval === undefined) return undefined
  const meanOf = (values: Float64Array): number =>
    meanOfKnown([...values].filter((_, task) => !isNaN(differences[task]!)))
  // The p is adjusted once all curves are known.
  const p = noDifferenceP(differences.map((difference) => Math.max(-1, Math.min(1, difference / span))))
  return { tasks, from: meanOf(before), to: meanOf(after), mean, interval, p, holm: 1 }
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
