import type { StoredRun } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import type { Chart } from '../charts/chart.js'
import { copyId } from './copies.js'
import type { EpisodeList } from './episodes/list-episodes.js'
import type { Fitting } from './fitting.js'
import { scrollFrame, htmlTable } from './html-table.js'
import type { Markup } from './markup.js'
import { element, trusted } from './markup.js'
import { count, grouped } from '../../src/tables/words.js'
import type { Table } from '../../src/tables/table.js'
import { modelCards } from './overview/cards.js'
import { changesTable } from './overview/changes.js'
import { conditionsStrip } from './overview/conditions.js'
import type { Affected } from './overview/effects.js'
import { examplesOf } from './overview/examples.js'
import { affectedBy } from './overview/effects.js'
import { robustnessTable } from './overview/robustness-table.js'
import { headlineList } from './overview/top.js'
import type { PageThoughts } from './thoughts.js'
import { speaksOf } from '../tables/captions.js'

/** A section of the page. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly parts: readonly (Markup | false)[]
}

/** The parts of a page that have to fit on it. */
interface Shown {
  readonly charts: Fitting<Chart>
  readonly tables: Fitting<Table>
  readonly thoughts?: PageThoughts | undefined
}

/** The tables of the report from which the tables above the charts are copied. */
export const copiedTables = {
  robustness: { name: 'changes', by: 'family' },
  changes: { name: 'changes', by: 'condition' },
} as const

/**
 * The sections for which a run has figures: what broke, what was perturbed, each model, each condition, charts,
 * thoughts, every figure, every episode.
 */
export function pageSections(aggregate: Aggregate, run: StoredRun, list: EpisodeList, shown: Shown): Section[] {
  const subjects = affectedBy(aggregate)
  const conditions = conditionsStrip(aggregate, examplesOf(run))
  return [
    { id: 'overview', title: 'What broke', parts: overview(aggregate, subjects) },
    ...(conditions === undefined ? [] : [{ id: 'conditions', title: 'What was perturbed', parts: [conditions] }]),
    { id: 'models', title: 'Model by model', parts: modelCards(aggregate, subjects) },
    ...(subjects.some(({ findings }) => findings.length > 0) ? [changes(aggregate, subjects)] : []),
    ...charts(shown.charts),
    ...thoughts(shown.thoughts),
    tables(shown.tables),
    episodes(run, list),
  ]
}

function overview(aggregate: Aggregate, subjects: readonly Affected[]): Markup[] {
  const table = robustnessTable(aggregate, subjects)
  return [
    ...headlineList(aggregate, subjects),
    ...(table === undefined
      ? []
      : [
          element(
            'figure',
            { class: 'table', 'data-copy': copyId(copiedTables.robustness) },
            element('h3', {}, 'Change of success by family of perturbations, in points'),
            scrollFrame('Robustness', table),
            element(
              'figcaption',
              {},
              note(
                'The most harmed model and the most harmful family first, controls last. Clean: success in percent without perturbation. ' +
                  'Bold: significant (Holm over all models and families; controls are not tested). Middle dot: changed nothing on any task. Point at a figure, or focus it, for its interval; it links to the episodes.',
              ),
            ),
          ),
        ]),
  ]
}

function changes(aggregate: Aggregate, subjects: readonly Affected[]): Section {
  return {
    id: 'changes',
    title: 'Changes',
    parts: [
      element(
        'figure',
        { class: 'table', 'data-copy': copyId(copiedTables.changes) },
        scrollFrame('Changes', changesTable(aggregate, subjects)),
        element('figcaption', {}, note(changesNote(aggregate))),
      ),
    ],
  }
}

function changesNote({ groups }: Aggregate): string {
  const isTested = groups.some(({ pooled }) => pooled.difference?.tests !== undefined)
  return [
    'Success in percent, change in points: perturbed minus clean over pairs of one task, seed and temperature. The interval is 95 % with the task as the cluster. ' +
      speaksOf.tasks,
    ...(isTested
      ? [
          'Holm p is two-sided and adjusted over the columns of a model, each model at 5 %; intervals are not adjusted, and controls are not tested.',
        ]
      : []),
    'Holds: a drop of 5 points or more is ruled out. Lost and gained: pairs in which only the clean or only the perturbed episode succeeded.',
  ].join(' ')
}

function charts({ shown, note: leftOut }: Fitting<Chart>): Section[] {
  if (shown.length === 0) return []
  const figures = element('div', { class: 'charts panels', 'data-tabs': true }, shown.map(chartFigure))
  return [{ id: 'charts', title: 'Charts', parts: [figures, leftOut !== undefined && note(leftOut)] }]
}

function chartFigure({ name, environment, title, notes, svg, file }: Chart): Markup {
  return element(
    'figure',
    { id: `chart-${file}`, class: 'panel', 'data-name': name, 'data-environment': environment, 'data-file': file },
    element('h3', {}, title),
    scrollFrame(title, trusted(svg)),
    element(
      'figcaption',
      {},
      notes.map((sentence) => element('p', {}, sentence)),
    ),
  )
}

function thoughts(shown: PageThoughts | undefined): Section[] {
  if (shown === undefined) return []
  return [{ id: 'thoughts', title: 'Thoughts', parts: [...shown.tables.map(htmlTable), ...shown.notes.map(note)] }]
}

function tables({ shown, note: leftOut }: Fitting<Table>): Section {
  const figures = element('div', { class: 'panels', 'data-tabs': true }, shown.map(htmlTable))
  return { id: 'tables', title: 'Tables', parts: [leftOut !== undefined && note(leftOut), figures] }
}

function episodes(run: StoredRun, list: EpisodeList): Section {
  const needsScript = element(
    'p',
    { class: 'warning' },
    'The list of episodes needs JavaScript; everything above does not.',
  )
  return {
    id: 'episodes',
    title: 'Episodes',
    parts: [
      ...describeEpisodes(run, list).map(note),
      element('div', { id: 'episode-list' }, element('noscript', {}, needsScript)),
    ],
  }
}

function note(text: string): Markup {
  return element('p', { class: 'muted' }, text)
}

/** The sentences above the list of episodes: what is listed, and what is not. */
export function describeEpisodes(run: StoredRun, { episodes, stored, everyNth }: EpisodeList): string[] {
  return [
    'Open an episode to see it step by step beside its clean twin: the same task, seed and temperature without the perturbation.',
    ...(everyNth === undefined
      ? []
      : [
          `This page lists ${grouped(episodes.length)} of ${count(stored, 'episode')}: those that ended differently from their clean twin, and the twins` +
            `${everyNth === 1 ? '' : `, of every ${ordinal(everyNth)} task, seed and temperature with such an episode`}. ` +
            'The tables and charts cover all of them.',
        ]),
    ...(run.trajectories === undefined ? ['This page does not include the trajectories of the episodes.'] : []),
  ]
}

function ordinal(number: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', many: 'th', zero: 'th' }
  return `${String(number)}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`
}
