import { isAveraged } from './conditions.js'
import { compareSets, dropRateOf, touchedBy } from './differences.js'
import { byFamily } from './families.js'
import { findGroup } from './find.js'
import { defined, groupBy } from './lists.js'
import { perMetric } from './pairs.js'
import { knownOf, meanOverTasks } from './rates.js'
import type { AggregateCondition, Group, TrainingCurve } from './schema.js'
import type { TalliedSubject } from './subjects.js'

/**
 * The training curves of a plan, one for each environment × series × agent with at least two checkpoints. Perturbed
 * figures are over the same conditions as the default primary endpoint.
 */
export function describeTrainingCurves(
  subjects: readonly TalliedSubject[],
  conditions: readonly AggregateCondition[],
  groups: readonly Group[],
): TrainingCurve[] {
  const clean = conditions.find((condition) => condition.clean)?.label
  const trained = subjects.filter(({ model }) => model.checkpoint !== undefined)
  const byCurve = groupBy(trained, ({ names: { environment, agent }, model }) =>
    JSON.stringify([environment, model.checkpoint!.series, agent]),
  )
  const curves = [...byCurve.values()].filter(({ length }) => length > 1)
  return curves.map((members): TrainingCurve => {
    const checkpoints = members.sort((one, other) => one.model.checkpoint!.step - other.model.checkpoint!.step)
    const { names, model, conditions: played } = members[0]!
    const { environment, agent } = names
    const averaged = played.filter(isAveraged)
    const measured = checkpoints.map((subject) => {
      const sets = byFamily(averaged).map((draws) => draws.map(subject.find))
      return {
        group: findGroup({ groups }, environment, subject.model.name, agent, clean),
        under: subject.clean && sets.length > 0 ? compareSets(subject.clean, sets) : undefined,
      }
    })
    return {
      ...{ environment, series: model.checkpoint!.series, agent },
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
          const perturbed = means && meanOverTasks(knownOf(means.second))
          return {
            ...(mean !== undefined && { clean: { mean, ...defined({ overTasks }) } }),
            ...(perturbed?.mean !== undefined && { perturbed: { ...perturbed, mean: perturbed.mean } }),
            change: under?.[metric] ?? { tasks: 0 },
            ...defined({ dropRate: means && perturbed?.mean !== undefined ? dropRateOf(means) : undefined }),
          }
        }),
      })),
    }
  })
}
