import type { Aggregate, Scope } from '../../../src/results/aggregate.js'
import type { Trials } from '../../../src/results/schema.js'
import { tries } from '../../../src/results/trials.js'
import type { Cell } from '../../../src/tables/table.js'
import { count } from '../../../src/tables/words.js'
import type { Measure, Note } from '../measured.js'
import { measure } from '../measured.js'
import { figure } from '../rows.js'

/** A scope that is one temperature has its seeds as tries at each task. */
export type TriedScope = Scope & { readonly trials?: Trials }

const group = 'Tries'

/** Several tries at a task: the best of all seeds, and the probability that one or all of k tries succeed. */
export const tryingMeasures: readonly Measure<TriedScope>[] = [
  ...(['success', 'progress'] as const).map((metric) =>
    measure<TriedScope>(group, `Best ${metric}`, 'percent', `best-${metric}`, ({ trials, coverage }) => {
      if (trials === undefined) return {}
      const { mean, overTasks } = trials.best[metric]
      return { ...coverage, value: mean, ...overTasks }
    }),
  ),
  ...tries.map((k) =>
    measure<TriedScope>(group, `pass@${String(k)}`, 'percent', `pass-at-${String(k)}`, ({ trials, coverage }) =>
      withCoverage(trials?.passAt[k], coverage),
    ),
  ),
  ...tries.map((k) =>
    measure<TriedScope>(group, `pass^${String(k)}`, 'percent', `pass-hat-${String(k)}`, ({ trials, coverage }) =>
      withCoverage(trials?.passHat[k], coverage),
    ),
  ),
  measure<TriedScope>(group, 'Fewest', 'count', 'fewest-tries', ({ trials }) => figure(trials?.fewest)),
].map((one) => ({ ...one, isDetail: true }))

export function tryingNotes({ seeds, temperatures }: Aggregate): Note[] {
  return [
    [
      group,
      `Tries: for each temperature alone; its ${count(seeds.length, 'seed')} are the tries at a task, so there is no standard deviation over them. Best: per task the best of its measurements, success and progress each, then the mean over tasks, in percent; a task with none is left out.`,
    ],
    [
      group,
      'pass@k: probability that at least one of k tries succeeds, 1 − C(n−c, k)/C(n, k); pass^k: that all k do, C(c, k)/C(n, k); n measurements of a task, c successes; means over tasks, in percent. k is at most the number under Fewest: the fewest measurements of any task.',
    ],
    ...(temperatures.includes(0)
      ? ([
          [
            group,
            'At temperature 0 tries may be copies of one play; copies count once, and there is no figure where all are copies.',
          ],
        ] as const)
      : []),
  ]
}

function withCoverage(share: number | undefined, coverage: Scope['coverage']): Cell {
  return share === undefined ? {} : { ...coverage, value: share }
}
