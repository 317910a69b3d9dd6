import type { Scope } from '../../../src/results/aggregate.js'
import type { Measure, Note } from '../measured.js'
import { measure } from '../measured.js'
import { figure } from '../rows.js'

/** The standard error of each score if the seeds, the tasks, or both were drawn again, and how far runs scatter. */
export const varyingMeasures: readonly Measure<Scope>[] = (['success', 'progress'] as const).flatMap((metric) => {
  const group = metric === 'success' ? 'Success: error over' : 'Progress: error over'
  const error = (title: string, of: 'overSeeds' | 'overTasks' | 'both', name: string): Measure<Scope> =>
    measure(group, title, 'error', `${metric}-error-over-${name}`, ({ spread }) => {
      const own = spread?.[metric]
      return own?.atMost?.includes(of) ? { high: own[of] } : figure(own?.[of])
    })
  const deviation = (title: string, of: 'deviation' | 'deviationOfRuns' | 'betweenTemperatures', name: string) =>
    measure<Scope>(group, title, 'error', `${metric}-deviation-${name}`, (scope) => figure(scope[metric][of]))
  return [
    error('Seeds', 'overSeeds', 'seeds'),
    error('Tasks', 'overTasks', 'tasks'),
    error('Both', 'both', 'both'),
    measure<Scope>(group, 'ICC', 'ratio', `${metric}-icc`, ({ spread }) => figure(spread?.[metric].icc)),
    deviation('SD within T', 'deviation', 'within-temperature'),
    deviation('SD of runs', 'deviationOfRuns', 'of-runs'),
    deviation('SD between T', 'betweenTemperatures', 'between-temperatures'),
  ].map((one) => ({ ...one, isDetail: true }))
})

export function varyingNotes(scopes: readonly Scope[]): Note[] {
  const group = 'Success: error over'
  return [
    [
      group,
      'Error: standard error of the mean in percentage points, from a two-way analysis of variance over tasks and seeds (components below 0 count as 0). ' +
        'Seeds: for other runs on the same tasks; Tasks: for other tasks of these kinds; Both: for both at once, the error to use for a claim about other tasks of these kinds. None of them applies to other kinds of tasks.',
    ],
    [
      group,
      'ICC: share of the variance between episodes that lies between tasks, 0 to 1. There is no figure with fewer than two seeds or tasks.',
    ],
    [
      group,
      'SD within T: sample standard deviation (n−1) over the seeds, within a temperature, as in the robustness table; SD of runs: over all runs, every seed at every temperature; SD between T: of the means at each temperature. All in points.',
    ],
    ...(scopes.some(({ spread }) => spread?.success.atMost ?? spread?.progress.atMost)
      ? ([
          [
            group,
            '<: no outcome differed, which does not prove that none would; the error is below this with 95 % confidence (exact binomial bound on the share of tasks, or for Seeds of episodes, that would differ).',
          ],
        ] as const)
      : []),
  ]
}
