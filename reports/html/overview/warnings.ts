import type { StoredRun } from 'shaketable'
import type { Aggregate } from '../../aggregate/aggregate.js'
import { listWords } from '../../tables/captions.js'
import { count, whole } from './figures.js'

/** What a reader has to know before any figure, most important first; empty for a whole and clean run. */
export function warningsOf(aggregate: Aggregate, run: Pick<StoredRun, 'notes' | 'stopped'>): string[] {
  const { groups, partial, strays, omitted = [] } = aggregate
  const total = (of: (group: Aggregate['groups'][number]) => number): number =>
    groups.reduce((sum, group) => sum + of(group), 0)
  const valid = total(({ pooled }) => pooled.coverage.valid)
  const planned = total(({ pooled }) => pooled.coverage.planned)
  const broken = total(({ pooled }) => pooled.outcomes['model-error'] + pooled.outcomes['environment-error'])
  const leaky = groups.filter(({ pooled }) => (pooled.behaviour.leaks ?? 0) > 0)
  const leaks = leaky.reduce((sum, { pooled }) => sum + pooled.behaviour.leaks!, 0)
  return [
    ...(aggregate.stopped === true
      ? [
          `Partial: the run was stopped before everything was played${run.stopped === undefined ? '' : ` (${run.stopped})`}.`,
        ]
      : partial
        ? ['Partial: the run was still being written.']
        : []),
    ...(valid < planned
      ? [
          `Only ${whole(valid)} of ${count(planned, 'planned episode')} are measurements: ${whole(broken)} broke and ${whole(planned - valid - broken)} were not played. Neither enters a mean.`,
        ]
      : []),
    ...(leaks > 0
      ? [
          `${count(leaks, 'mention')} of the old wording reached the agent under ${listWords([...new Set(leaky.map(({ column }) => column))])}; expect none unless a perturbation’s scope leaves parts out.`,
        ]
      : []),
    ...omitted,
    ...(strays > 0 ? [`${count(strays, 'row')} of no planned episode left out.`] : []),
    ...(run.notes ?? []),
  ]
}
