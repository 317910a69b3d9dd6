import type { Aggregate, Group } from '../../aggregate/aggregate.js'
import { count, grouped, listWords } from '../../words.js'

/** What a reader has to know before any figure: whether it is all there, whether the old wording leaked, what was left out. Empty for a whole and clean run. */
export function warningsOf({ groups, omitted }: Aggregate): string[] {
  const total = (of: (group: Group) => number): number => groups.reduce((sum, group) => sum + of(group), 0)
  const valid = total(({ pooled }) => pooled.coverage.valid)
  const planned = total(({ pooled }) => pooled.coverage.planned)
  const broken = total(({ pooled }) => pooled.outcomes['model-error'] + pooled.outcomes['environment-error'])
  const leaky = groups.filter(({ pooled }) => (pooled.behaviour.leaks ?? 0) > 0)
  const leaks = leaky.reduce((sum, { pooled }) => sum + pooled.behaviour.leaks!, 0)
  return [
    ...(valid < planned
      ? [
          `Only ${grouped(valid)} of ${count(planned, 'planned episode')} are measurements: ${listWords([
            ...(broken > 0 ? [`${grouped(broken)} broke`] : []),
            ...(planned > valid + broken ? [`${grouped(planned - valid - broken)} were not played`] : []),
          ])}. The rest enters no mean.`,
        ]
      : []),
    ...(leaks > 0
      ? [
          `${count(leaks, 'mention')} of the old wording reached the agent under ${listWords([...new Set(leaky.map(({ column }) => column))])}; ` +
            'expect none unless the scope of a perturbation leaves parts out.',
        ]
      : []),
    ...omitted.slice(0, mostOmitted),
    ...(omitted.length > mostOmitted
      ? [`And ${grouped(omitted.length - mostOmitted)} more; report.json has them all.`]
      : []),
  ]
}

const mostOmitted = 12
