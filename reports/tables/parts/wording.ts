import { figure } from '../../../src/tables/table.js'
import type { Aggregate, Scope } from '../../../src/results/aggregate.js'
import type { Cell } from '../../../src/tables/table.js'
import type { Measure, Note } from '../measured.js'
import { measure } from '../measured.js'

/**
 * Which wording of its actions a model finds likelier (runs with `logprobs: true`), and which of two accepted ones it
 * uses (conditions in mode `alias`). Both are measurable at the floor and the ceiling of success too.
 */
export const wordingMeasures: readonly Measure<Scope>[] = [
  measure('Said', 'Action', 'nats', 'logprob-action', ({ logprobs }) => figure(logprobs?.perActionToken)),
  measure('Wordings', 'Present', 'nats', 'logprob-present', ({ logprobs }) => figure(logprobs?.wordings?.present)),
  measure('Wordings', 'Original', 'nats', 'logprob-original', ({ logprobs }) => figure(logprobs?.wordings?.original)),
  measure('Wordings', 'Difference', 'nats', 'logprob-difference', ({ logprobs }) =>
    meanCell(logprobs?.wordings?.difference),
  ),
  measure('Wordings', 'Preferred', 'share', 'present-preferred', ({ logprobs }) =>
    meanCell(logprobs?.wordings?.preferred),
  ),
  measure('Wordings', 'Differ', 'count', 'steps-with-two-wordings', ({ logprobs }) =>
    figure(logprobs && (logprobs.wordings?.steps ?? 0)),
  ),
  measure('Wordings', 'Scored', 'coverage', 'steps-scored', ({ logprobs }) =>
    logprobs ? { valid: logprobs.wordings?.scored ?? 0, planned: logprobs.wordings?.asked ?? 0 } : {},
  ),
  measure('Alias', 'Original first', 'share', 'original-if-original-first', ({ reliance }) =>
    figure(reliance?.originalFirst),
  ),
  measure('Alias', 'Alias first', 'share', 'original-if-alias-first', ({ reliance }) => figure(reliance?.aliasFirst)),
  measure('Alias', 'Reliance', 'share', 'interface-reliance', ({ reliance }) => meanCell(reliance?.reliance)),
  measure('Alias', 'Order bias', 'change', 'order-bias', ({ reliance }) => meanCell(reliance?.orderBias)),
  measure('Alias', 'Choices', 'count', 'wording-choices', ({ reliance }) => figure(reliance?.choices)),
]

export function wordingNotes(aggregate: Aggregate): Note[] {
  return [
    ['Said', 'Log-probabilities in nats, mean per token. Action: over the tokens of the actions that the model chose.'],
    [
      'Wordings',
      'Present, Original: of the same action in the wording of the condition and in the original wording of its form, both after the same prompt and the thought before the action; Difference: present minus original, above 0 where the model prefers the present wording; Preferred: steps in which it does, in percent.',
    ],
    [
      'Wordings',
      "Means over tasks of each task's mean over its episodes, in brackets the 95 % interval over tasks. Differ: steps whose action has two wordings; Scored: those with both log-probabilities, of those in which they were requested.",
    ],
    ...(aggregate.groups.some(({ pooled }) => pooled.logprobs?.wordings !== undefined)
      ? []
      : ([['Wordings', 'No condition of this run rewords actions, so there is no wording to prefer.']] as const)),
    ...describeMethods(aggregate).map((sentence): Note => ['Wordings', sentence]),
    [
      'Alias',
      'Alias: two wordings of each action are listed and accepted; which one comes first is counterbalanced over tasks and seeds. Original first, Alias first: share of executed actions in the original wording where it is listed first, and where the other one is, in percent. Reliance: mean of both, 50 without a preference, 100 where only the original wording is used. Order bias: share of actions in the wording listed first minus 50, in points, 50 where it is always taken.',
    ],
    [
      'Alias',
      'Means over tasks of the mean over their episodes, in brackets the 95 % interval over other tasks. Choices: executed actions whose two wordings differ; those that mix both count half for each.',
    ],
  ]
}

/** How the wordings of each model were scored. */
function describeMethods({ models }: Aggregate): string[] {
  const asked = models.filter(({ settings }) => settings['logprobs'] !== undefined).map(({ name }) => name)
  return [
    ...(asked.length === 0
      ? []
      : [
          `${asked.join(', ')}: only the first token in which the wordings differ is compared, among the likeliest tokens that came with the reply; steps in which one of the two is not among them are not scored, which leaves out the strongest preferences.`,
        ]),
  ]
}

function meanCell(given: { readonly mean: number; readonly overTasks?: Pick<Cell, 'low' | 'high'> } | undefined): Cell {
  return given === undefined ? {} : { value: given.mean, ...given.overTasks }
}
