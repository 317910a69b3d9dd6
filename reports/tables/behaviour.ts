import type { Aggregate, Scope } from '../../src/results/aggregate.js'
import type { Table, Cell } from '../../src/tables/table.js'
import { tableOn } from './captions.js'
import { defineTableReport } from './define-report.js'
import { measuredTables, measure, perMetric } from './measured.js'
import { actingMeasures, actingNotes } from './parts/acting.js'
import { wordingMeasures, wordingNotes } from './parts/wording.js'
import type { Detail } from './rows.js'
import { describeScope, groupsOn, nameRow, rowHeads, scopesOf } from './rows.js'
import { figure } from '../../src/tables/table.js'
import type { Trials } from '../../src/results/schema.js'
import { tries } from '../../src/results/trials.js'
import { count } from '../../src/tables/words.js'
import type { Measure, Note } from './measured.js'

/** What may explain a drop, and how far a score would differ: every measure of a model under a condition. */
export default defineTableReport({
  name: 'behaviour',
  summary:
    'grounding, memorised wording, repeats, recovery, replies, dose, preferred wording, tries (best of N, pass@k), errors over seeds and tasks',
  source:
    'Grounding accuracy: AgentBoard (arXiv 2401.13178). Best of N: AgentRefine (arXiv 2501.01702); pass@k: arXiv 2107.03374; pass^k: tau-bench (arXiv 2406.12045). ' +
    'Errors: two-way analysis of variance over tasks and seeds. Preference: continuations of one prompt compared per token, as in GPT-3 (arXiv 2005.14165); reliance after PIPE (arXiv 2602.01611)',
  tables: measureTables,
})

/** One table for each environment. */
function measureTables(aggregate: Aggregate, detail: Detail): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const rows = groupsOn(aggregate, environment).flatMap((group) =>
      scopesOf(aggregate, detail).map((named) => ({
        row: nameRow(aggregate, detail, named, { model: group.model, agent: group.agent, label: group.condition }),
        of: named.of(group) as TriedScope,
      })),
    )
    return measuredTables<TriedScope>(
      {
        ...tableOn(aggregate, environment, 'behaviour', 'Behaviour', 'measure'),
        heads: rowHeads(aggregate, detail, true),
      },
      rows,
      [...actingMeasures, ...wordingMeasures, ...tryingMeasures, ...varyingMeasures],
      [
        ...actingNotes,
        ...missingNotes(aggregate, environment),
        ...wordingNotes(aggregate),
        ...tryingNotes(aggregate),
        ...varyingNotes(),
        'Measures are over all episodes together; they have no standard deviation over seeds.',
        ...describeScope(aggregate, detail),
      ],
    )
  })
}

/** Which measures are missing because the environment does not report what they take. */
function missingNotes(aggregate: Aggregate, environment: string): string[] {
  const behaviours = groupsOn(aggregate, environment).map(({ pooled }) => pooled.behaviour)
  const reported = behaviours.flatMap(({ perEpisode }) => perEpisode ?? [])
  const understood = reported.some((one) => one.understood === undefined)
    ? [
        'The environment does not report which actions it understands, so Grounding, Memorised, Repeats, Adapted and At step are left out.',
      ]
    : reported.some((one) => one.memorised === undefined)
      ? ['The environment does not report which actions it would understand unperturbed, so Memorised is left out.']
      : []
  return behaviours.some(({ invalidPerAction }) => invalidPerAction !== undefined)
    ? understood
    : [
        ...understood,
        'Actions that were not understood are not split by reason: the environment does not report its action forms and items, or the run is of an older version.',
      ]
}

/** A scope that is one temperature has its seeds as tries at each task. */
type TriedScope = Scope & { readonly trials?: Trials }

const group = 'Tries'

/** Several tries at a task: the best of all seeds, and the probability that one or all of k tries succeed. */
const tryingMeasures: readonly Measure<TriedScope>[] = [
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

function tryingNotes({ seeds, temperatures }: Aggregate): Note[] {
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

/** How far runs scatter. */
const varyingMeasures: readonly Measure<Scope>[] = perMetric<Scope>((metric, title) => {
  const group = `${title}: scatter`
  const deviation = (title: string, of: 'deviation' | 'deviationOfRuns' | 'betweenTemperatures', name: string) =>
    measure<Scope>(group, title, 'error', `${metric}-deviation-${name}`, (scope) => figure(scope[metric][of]))
  return [
    deviation('SD within T', 'deviation', 'within-temperature'),
    deviation('SD of runs', 'deviationOfRuns', 'of-runs'),
    deviation('SD between T', 'betweenTemperatures', 'between-temperatures'),
  ].map((one) => ({ ...one, isDetail: true }))
})

function varyingNotes(): Note[] {
  const group = 'Success: scatter'
  return [
    [
      group,
      'SD within T: sample standard deviation (n−1) over the seeds, within a temperature, as in the robustness table; SD of runs: over all runs, every seed at every temperature; SD between T: of the means at each temperature. All in points.',
    ],
  ]
}
