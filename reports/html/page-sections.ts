import type { StoredRun } from 'shaketable'
import type { Aggregate } from '../aggregate/aggregate.js'
import type { Chart } from '../charts/chart.js'
import type { EpisodeList } from './episodes/list-episodes.js'
import { fittingCharts, fittingTables } from './fitting.js'
import { htmlTable } from './html-table.js'
import type { Markup } from './markup.js'
import { element, trusted } from './markup.js'
import { count, grouped } from '../../src/tables/words.js'
import { overviewCards } from './overview/cards.js'
import { changesTable } from './overview/changes.js'
import { speaksOf } from '../tables/captions.js'
import type { Subject } from '../summary/findings.js'
import { findingsOf } from '../summary/findings.js'

/** A section of the page. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly parts: readonly (Markup | false)[]
}

/**
 * The sections for which a run has figures: what broke, how certain that is, charts, every figure, every episode.
 */
export function pageSections(aggregate: Aggregate, run: StoredRun, list: EpisodeList): Section[] {
  const subjects = findingsOf(aggregate)
  const { shown, note: leftOut } = fittingCharts(aggregate)
  return [
    { id: 'overview', title: 'What broke', parts: [...profiles(shown), ...overviewCards(subjects)] },
    ...(subjects.some(({ findings }) => findings.length > 0) ? [changes(aggregate, subjects)] : []),
    ...charts(
      shown.filter((chart) => !isOfOverview(chart)),
      leftOut,
    ),
    tables(aggregate, run),
    episodes(run, list),
  ]
}

function changes(aggregate: Aggregate, subjects: readonly Subject[]): Section {
  const table = changesTable(aggregate, subjects)
  return {
    id: 'changes',
    title: 'Changes',
    parts: [
      note(changesNote(aggregate)),
      element('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Changes' }, table),
    ],
  }
}

function changesNote({ groups }: Aggregate): string {
  const isTested = groups.some(({ pooled }) => pooled.difference?.tests !== undefined)
  return [
    'Success in percent, change in points: perturbed minus clean over pairs of one task, seed and temperature. The interval is 95 % with the task as the cluster. ' +
      speaksOf.tasks,
    ...(isTested ? ['p is two-sided and corrected over the columns (Holm).'] : []),
    'Holds: a drop of 5 points or more is ruled out. Lost and gained: pairs in which only the clean or only the perturbed episode succeeded.',
  ].join(' ')
}

/** The robustness profiles, which come first on the page. */
function profiles(shown: readonly Chart[]): Markup[] {
  const first = shown.filter(isOfOverview)
  return first.length === 0 ? [] : [element('div', { class: 'charts panels' }, first.map(chartFigure))]
}

function isOfOverview({ name }: Chart): boolean {
  return name === 'robustness-profile' || name === 'family-heat-map'
}

function charts(shown: readonly Chart[], leftOut: string | undefined): Section[] {
  if (shown.length === 0) return []
  const figures = element('div', { class: 'charts panels' }, shown.map(chartFigure))
  return [{ id: 'charts', title: 'Charts', parts: [figures, leftOut !== undefined && note(leftOut)] }]
}

function chartFigure({ name, environment, title, caption, svg, file }: Chart): Markup {
  return element(
    'figure',
    { id: `chart-${file}`, class: 'panel', 'data-name': name, 'data-environment': environment },
    element('h3', {}, title),
    trusted(svg),
    element(
      'figcaption',
      {},
      element(
        'details',
        {},
        element('summary', {}, 'What is shown'),
        caption.map((sentence) => element('p', {}, sentence)),
      ),
    ),
  )
}

function tables(aggregate: Aggregate, { published }: StoredRun): Section {
  const { shown, note: leftOut } = fittingTables(aggregate, published)
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
