import type { Aggregate, Scope } from '../src/results/aggregate.js'
import { tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import type { Detail } from './tables/rows.js'
import { describeScope, figure, groupRows, groupsOn, rowHeads } from './tables/rows.js'
import type { Cell, Column, ColumnGroup, Table } from '../src/tables/table.js'

/** What may explain a drop: the agent's actions, how soon it adapted to the new wording, and how much was changed. */
export default defineTableReport({
  name: 'behaviour',
  summary:
    'grounding, memorised wording, repeats, format errors, adaptation, recovery, invalid actions, overhead, dose, coverage',
  source: 'Grounding accuracy: AgentBoard (arXiv 2401.13178); the others are measures of this testbed',
  tables: behaviourTables,
})

interface Measure extends Column {
  readonly group: string
  readonly cell: (scope: Scope) => Cell
}

const acting: readonly Measure[] = [
  measure('Episodes', 'Coverage', 'coverage', 'coverage', ({ coverage }) => coverage),
  measure('Episodes', 'Steps', 'number', 'steps', ({ behaviour }) => figure(behaviour.perEpisode?.steps)),
  measure('Actions', 'Grounding', 'percent', 'grounding', ({ behaviour }) => figure(behaviour.grounding)),
  measure('Actions', 'Memorised', 'percent', 'memorised-per-action', ({ behaviour }) =>
    figure(behaviour.memorisedPerAction),
  ),
  measure('Actions', 'Repeats', 'percent', 'repeats-per-action', ({ behaviour }) => figure(behaviour.repeatsPerAction)),
  measure('Actions', 'Format', 'percent', 'format-errors-per-action', ({ behaviour }) =>
    figure(behaviour.formatErrorsPerAction),
  ),
  measure('New wording', 'Adapted', 'percent', 'adapted-share', ({ behaviour }) => figure(behaviour.adaptedShare)),
  measure('New wording', 'At step', 'number', 'steps-to-adapt', ({ behaviour }) => figure(behaviour.stepsToAdapt)),
]
const recovering: readonly Measure[] = [
  measure('First understood', 'Episodes', 'percent', 'first-understood-share', ({ behaviour }) =>
    figure(behaviour.firstUnderstood?.share),
  ),
  measure('First understood', 'At step', 'number', 'first-understood-step', ({ behaviour }) =>
    figure(behaviour.firstUnderstood?.step),
  ),
  ...([1, 3] as const).map((steps) =>
    measure('Recovered', `In ${String(steps)}`, 'percent', `recovered-within-${String(steps)}`, ({ behaviour }) =>
      figure(behaviour.recovery?.[`within${steps}`]),
    ),
  ),
  ...(
    [
      ['Unparsable', 'unparsable'],
      ['Verb', 'unknown-verb'],
      ['Item', 'unknown-item'],
      ['State', 'wrong-state'],
    ] as const
  ).map(([heading, kind]) =>
    measure('Not understood', heading, 'percent', `${kind}-per-action`, ({ behaviour }) =>
      figure(behaviour.invalidPerAction?.[kind]),
    ),
  ),
  measure('Failures', 'Read', 'count', 'failures-read', ({ behaviour }) => figure(behaviour.failures?.read)),
  measure('Failures', 'Same', 'percent', 'failures-repeated', ({ behaviour }) => figure(behaviour.failures?.repeated)),
  measure('Failures', 'Any', 'percent', 'failures-recovered', ({ behaviour }) => figure(behaviour.failures?.recovered)),
  ...(['steps', 'tokens'] as const).map((part) =>
    measure('Overhead', part === 'steps' ? 'Steps' : 'Tokens', 'share', `${part}-overhead`, ({ difference }) => {
      const ratio = difference?.overhead?.[part]
      return { ...figure(ratio?.value), ...ratio?.interval }
    }),
  ),
]
const replying: readonly Measure[] = [
  measure('Replies', 'Empty', 'percent', 'empty-per-action', ({ behaviour }) =>
    figure(behaviour.faultsPerAction?.empty),
  ),
  measure('Replies', 'Cut off', 'percent', 'length-per-action', ({ behaviour }) =>
    figure(behaviour.faultsPerAction?.length),
  ),
  measure('Replies', 'Unclosed', 'percent', 'unclosed-per-action', ({ behaviour }) =>
    figure(behaviour.faultsPerAction?.['unclosed-reasoning']),
  ),
  measure('Replies', 'Too long', 'percent', 'too-long-per-action', ({ behaviour }) =>
    figure(behaviour.faultsPerAction?.['too-long']),
  ),
  measure('Calls', 'Tokens in', 'number', 'prompt-tokens', ({ behaviour }) =>
    figure(behaviour.perEpisode?.promptTokens),
  ),
  measure('Calls', 'Tokens out', 'number', 'completion-tokens', ({ behaviour }) =>
    figure(behaviour.perEpisode?.completionTokens),
  ),
  measure('Calls', 'History cut', 'number', 'history-cut', ({ behaviour }) => figure(behaviour.perEpisode?.cut)),
]
const trying: readonly Measure[] = [
  measure('Trials', 'Taken', 'number', 'trials', ({ behaviour }) => figure(behaviour.ownTrials?.taken)),
  measure('Progress', 'First', 'percent', 'first-trial-progress', ({ behaviour }) =>
    figure(behaviour.ownTrials?.first),
  ),
  measure('Progress', 'Last', 'percent', 'last-trial-progress', ({ behaviour }) => figure(behaviour.ownTrials?.last)),
  measure('Progress', 'Best', 'percent', 'best-trial-progress', ({ behaviour }) => figure(behaviour.ownTrials?.best)),
]
const dosing: readonly Measure[] = [
  measure('Mean per episode', 'Forms', 'number', 'dose-forms', ({ behaviour }) => figure(behaviour.dose?.forms)),
  measure('Mean per episode', 'Said', 'number', 'dose-commands-said', ({ behaviour }) =>
    figure(behaviour.dose?.commandsSaid),
  ),
  measure('Mean per episode', 'Seen', 'number', 'dose-commands-seen', ({ behaviour }) =>
    figure(behaviour.dose?.commandsSeen),
  ),
  measure('Mean per episode', 'Names', 'number', 'dose-names', ({ behaviour }) => figure(behaviour.dose?.names)),
  measure('Mean per episode', 'Characters', 'number', 'dose-characters', ({ behaviour }) =>
    figure(behaviour.dose?.characters),
  ),
  ...(
    [
      ['Views', 'views'],
      ['Listed', 'listed'],
      ['Failed', 'failed'],
      ['Messages', 'messages'],
    ] as const
  ).map(([heading, count]) =>
    measure('Mean per episode', heading, 'number', `dose-${count}`, ({ behaviour }) => figure(behaviour.dose?.[count])),
  ),
  measure('In all', 'Leaks', 'count', 'leaks', ({ behaviour }) => figure(behaviour.leaks)),
]
const seldomDosed: ReadonlySet<string> = new Set(['Views', 'Listed', 'Failed', 'Messages'])

/**
 * For each environment a table of behaviour and one of the dose, and one each of replies and calls and of trials where
 * the run has figures for them.
 */
function behaviourTables(aggregate: Aggregate, detail: Detail): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => [
    tableOf(aggregate, detail, environment, {
      name: 'behaviour',
      title: 'Behaviour',
      measures: acting,
      notes: [
        'Coverage: measurements / planned episodes; Steps: mean per episode.',
        'Grounding: mean over episodes of the share of actions understood; Memorised: actions refused for their old wording that the unperturbed ' +
          'environment would have accepted; Repeats: actions repeated right after they were not understood; Format: replies not of the expected ' +
          'layout; the last three in percent of an episode’s actions, mean over episodes.',
        'Adapted: episodes with an action understood in the new wording, in percent; At step: median over those of the step of the first such action.',
        ...missingNotes(aggregate, environment),
      ],
    }),
    ...recoveryTable(aggregate, detail, environment),
    ...callsTable(aggregate, detail, environment),
    ...trialsTable(aggregate, detail, environment),
    tableOf(aggregate, detail, environment, {
      name: 'dose',
      title: 'Dose',
      measures: dosing.filter(({ title, cell }) => !seldomDosed.has(title) || occurs(aggregate, environment, cell)),
      notes: [
        'How much was changed, mean per episode: action forms reworded, accepted actions and shown commands in the new wording, names replaced, ' +
          'characters in changed pieces. Leaks: total mentions of the old wording that the agent was shown.',
        ...(dosing.some(({ title, cell }) => seldomDosed.has(title) && occurs(aggregate, environment, cell))
          ? [
              'Views: turns whose observation was changed as a whole; Listed: commands of shown lists that were moved, hidden or added; Failed: ' +
                'actions that were made to fail, or whose answer was withheld; Messages: changed messages, counted in every turn.',
            ]
          : []),
      ],
    }),
  ])
}

/** Which measures are missing because the environment does not report which actions it understands. */
function missingNotes({ groups }: Aggregate, environment: string): string[] {
  const reported = groups.flatMap(({ environment: name, pooled: { behaviour } }) =>
    name === environment && behaviour.perEpisode !== undefined ? [behaviour.perEpisode] : [],
  )
  if (reported.some(({ understood }) => understood === undefined)) {
    return [
      'The environment does not report which actions it understands, so Grounding, Memorised, Repeats, Adapted and At step are left out.',
    ]
  }
  return reported.some(({ memorised }) => memorised === undefined)
    ? ['The environment does not report which actions it would understand unperturbed, so Memorised is left out.']
    : []
}

function occurs(aggregate: Aggregate, environment: string, cell: Measure['cell']): boolean {
  return groupsOn(aggregate, environment).some(({ pooled }) => (cell(pooled).value ?? 0) > 0)
}

/** Only measures that some group of the environment has a figure for have a column. */
function recoveryTable(aggregate: Aggregate, detail: Detail, environment: string): Table[] {
  const groups = groupsOn(aggregate, environment)
  const measures = recovering.filter(({ cell }) => groups.some(({ pooled }) => cell(pooled).value !== undefined))
  if (measures.length === 0) return []
  const has = (group: string): boolean => measures.some((one) => one.group === group)
  const notes: readonly (readonly [group: string, note: string])[] = [
    [
      'First understood',
      'First understood: episodes with an understood action in any wording, in percent, and the mean over those of the step of the first one.',
    ],
    [
      'Recovered',
      'Recovered: of the episodes with an action that was not understood and a step after it, those in which an action was understood within 1 and within 3 steps after the first such action, in percent.',
    ],
    [
      'Not understood',
      'Not understood, in percent of an episode’s actions, mean over episodes: Unparsable: the reply was incomplete or not of the expected layout; Verb: the action begins like no action form; Item: it begins like one, but what follows is not items of the episode; State: a form with items of the episode that was not possible then.',
    ],
    [
      'Failures',
      'Failures: actions that a perturbation let fail and that the agent read, since a step followed, and the share after which the same action, or any, was understood and did not fail within 3 steps, in percent.',
    ],
    [
      'Overhead',
      'Overhead: perturbed over clean in percent, of pairs in which both succeed, with the 95 % interval over tasks by the test of the changes, relative to the largest number of steps or tokens, over all temperatures together.',
    ],
  ]
  return [
    tableOf(aggregate, detail, environment, {
      name: 'recovery',
      title: 'Recovery, actions that were not understood, and overhead',
      measures,
      notes: [
        ...notes.filter(([group]) => has(group)).map(([, note]) => note),
        ...(has('Not understood')
          ? []
          : [
              'Actions that were not understood are not split by reason: the environment does not report its action forms and items, or the run is of an older version.',
            ]),
      ],
    }),
  ]
}

/** Only measures above 0 in some group of the environment have a column. */
function callsTable(aggregate: Aggregate, detail: Detail, environment: string): Table[] {
  const measures = replying.filter(({ cell }) => occurs(aggregate, environment, cell))
  if (measures.length === 0) return []
  const notes = [
    'Incomplete replies, in percent of an episode’s actions, mean over episodes; they do not count as format errors. Empty: no text; Cut off: the token limit was ' +
      'reached; Unclosed: the reasoning never ended; Too long: more than is kept of a reply, and cut.',
    'Calls, mean per episode: Tokens in and out: as the server counts them; History cut: parts of the history left out so that the prompts fit.',
  ]
  const isShown = (group: string): boolean => measures.some((one) => one.group === group)
  return [
    tableOf(aggregate, detail, environment, {
      name: 'calls',
      title: 'Replies and calls',
      measures,
      notes: notes.filter((_, index) => isShown(['Replies', 'Calls'][index]!)),
    }),
  ]
}

/** Only for agents that may try a task more than once. */
function trialsTable(aggregate: Aggregate, detail: Detail, environment: string): Table[] {
  if (groupsOn(aggregate, environment).every(({ pooled }) => pooled.behaviour.ownTrials === undefined)) return []
  return [
    tableOf(aggregate, detail, environment, {
      name: 'trials',
      title: 'Trials of an episode',
      measures: trying,
      notes: [
        'Agents that may try a task more than once, mean per episode: Taken: trials until one succeeded or none was left; First, Last, Best: progress of that trial, in ' +
          'percent. First is what the agent reaches without further trials.',
      ],
    }),
  ]
}

function tableOf(
  aggregate: Aggregate,
  detail: Detail,
  environment: string,
  of: { readonly measures: readonly Measure[] } & Pick<Table, 'name' | 'title' | 'notes'>,
): Table {
  return {
    ...tableOn(aggregate, environment, of.name, of.title),
    notes: [
      ...of.notes,
      'Figures are over all episodes together; there is no standard deviation over seeds.',
      ...describeScope(aggregate, detail),
    ],
    heads: rowHeads(aggregate, detail, true),
    groups: columnGroups(of.measures),
    rows: groupRows(aggregate, detail, groupsOn(aggregate, environment), (scope) =>
      of.measures.map(({ cell }) => cell(scope)),
    ),
  }
}

function measure(
  group: string,
  title: string,
  shows: Column['shows'],
  metric: string,
  cell: (scope: Scope) => Cell,
): Measure {
  return { group, title, shows, metric, cell }
}

function columnGroups(measures: readonly Measure[]): ColumnGroup[] {
  return [...new Set(measures.map(({ group }) => group))].map((title) => ({
    title,
    columns: measures
      .filter(({ group }) => group === title)
      .map(({ title, shows, metric }) => ({ title, shows, metric })),
  }))
}
