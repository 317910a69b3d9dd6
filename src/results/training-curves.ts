import type { Plan } from '../define.js'
import { isAveraged } from './conditions.js'
import { compareSets, dropRateOf, touchedBy } from './differences.js'
import { byFamily } from './families.js'
import { findGroup } from './find.js'
import { perMetric } from './pairs.js'
import { meanOverTasks } from './rates.js'
import type { AggregateCondition, Group, TrainingCurve } from './schema.js'
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
  const allSeries = [...new Set(plan.models.flatMap(({ checkpoint }) => checkpoint?.series ?? []))]
  const clean = conditions.find((condition) => condition.clean)?.label
  return plan.environments.flatMap(({ name: environment }) =>
    allSeries.flatMap((series) =>
      plan.agents.flatMap(({ name: agent }): TrainingCurve[] => {
        const checkpoints = subjects
          .filter(({ names }) => names.environment === environment && names.agent === agent)
          .filter(({ model }) => model.checkpoint?.series === series)
          .sort((one, other) => one.model.checkpoint!.step - other.model.checkpoint!.step)
        if (checkpoints.length < 2) return []
        const averaged = checkpoints[0]!.conditions.filter(isAveraged)
        const measured = checkpoints.map((subject) => {
          const sets = byFamily(averaged).map((draws) => draws.map(subject.find))
          return {
            group: findGroup({ groups }, environment, subject.model.name, agent, clean),
            under: subject.clean && sets.length > 0 ? compareSets(subject.clean, sets) : undefined,
          }
        })
        return [
          {
            ...{ environment, series, agent },
            checkpoints: checkpoints.map(({ model, find }) => ({
              model: model.name,
              step: model.checkpoint!.step,
              ...(averaged.length > 0 && { touched: touchedBy(averaged.map(find)) }),
            })),
            conditions: averaged.map(({ label }) => label),
            ...perMetric((metric) => ({
              points: measured.map(({ group, under }): TrainingCurve['success']['points'][number] => {
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
              }),
            })),
          },
        ]
      }),
    ),
  )
}
