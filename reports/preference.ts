import type { Aggregate } from '../src/results/aggregate.js'
import type { WordingPreference } from '../src/results/schema.js'
import { tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import type { Detail } from './tables/rows.js'
import { describeScope, figure, groupRows, groupsOn, rowHeads } from './tables/rows.js'
import type { Cell, Table } from '../src/tables/table.js'

/**
 * Which wording of its actions a model finds likelier. It is measurable at the floor and the ceiling of success too.
 */
export default defineTableReport({
  name: 'preference',
  summary: 'log-probabilities of actions, and of both wordings of an action (runs with --logprobs)',
  source:
    'Two continuations of one prompt compared by log-probability per token, as multiple choice is scored (GPT-3, arXiv 2005.14165)',
  tables: preferenceTables,
})

/** One table for each environment with log-probabilities. */
function preferenceTables(aggregate: Aggregate, detail: Detail): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const groups = groupsOn(aggregate, environment).filter(({ pooled }) => pooled.logprobs !== undefined)
    if (groups.length === 0) return []
    const isReworded = groups.some(({ pooled }) => pooled.logprobs?.wordings !== undefined)
    return {
      ...tableOn(aggregate, environment, 'preference', 'Preference between wordings'),
      notes: [
        'Log-probabilities in nats, mean per token. Action: over the tokens of the actions that the model chose.',
        ...(isReworded
          ? [
              'Present, Original: of the same action in the wording of the condition and in the original wording of its form, both after the same prompt and the thought before the action; Difference: present minus original, above 0 where the model prefers the present wording; Preferred: steps in which it does, in percent.',
              "Means over tasks of each task's mean over its episodes, in brackets the 95 % interval over tasks. Differ: steps whose action has two wordings; Scored: those with both log-probabilities, of those in which they were requested.",
              ...describeMethods(aggregate, [...new Set(groups.map(({ model }) => model))]),
            ]
          : ['No condition of this run rewords actions, so there is no wording to prefer.']),
        ...describeScope(aggregate, detail),
      ],
      heads: rowHeads(aggregate, detail, true),
      groups: [
        { title: 'Said', columns: [{ title: 'Action', shows: 'nats', metric: 'logprob-action' }] },
        {
          title: 'Wordings',
          columns: [
            { title: 'Present', shows: 'nats', metric: 'logprob-present' },
            { title: 'Original', shows: 'nats', metric: 'logprob-original' },
            { title: 'Difference', shows: 'nats', metric: 'logprob-difference' },
            { title: 'Preferred', shows: 'share', metric: 'present-preferred' },
          ],
        },
        {
          title: 'Steps',
          columns: [
            { title: 'Differ', shows: 'count', metric: 'steps-with-two-wordings' },
            { title: 'Scored', shows: 'coverage', metric: 'steps-scored' },
          ],
        },
      ],
      rows: groupRows(aggregate, detail, groups, ({ logprobs: { perActionToken, wordings } = {} }) => [
        figure(perActionToken),
        figure(wordings?.present),
        figure(wordings?.original),
        withInterval(wordings?.difference),
        withInterval(wordings?.preferred),
        figure(wordings?.steps ?? 0),
        { valid: wordings?.scored ?? 0, planned: wordings?.asked ?? 0 },
      ]),
    }
  })
}

function withInterval(given: WordingPreference['preferred']): Cell {
  return given === undefined ? {} : { value: given.mean, ...given.overTasks }
}

/** How the wordings of each model were scored. */
function describeMethods({ models }: Aggregate, shown: readonly string[]): string[] {
  const by = (method: string): string =>
    models
      .filter(({ name, settings }) => shown.includes(name) && settings['logprobs'] === method)
      .map(({ name }) => name)
      .join(', ')
  const [whole, first] = [by('continuations'), by('top')]
  return [
    ...(whole === '' ? [] : [`${whole}: the server scored both wordings in full, in a few steps of each episode.`]),
    ...(first === ''
      ? []
      : [
          `${first}: only the first token in which the wordings differ is compared, among the likeliest tokens that came with the reply; steps in which one of the two is not among them are not scored, which leaves out the strongest preferences.`,
        ]),
  ]
}
