import type { StoredRun } from 'shaketable'
import type { Aggregate } from '../aggregate/aggregate.js'
import type { Chart } from '../charts/index.js'
import { chartsOf } from '../charts/index.js'
import type { Table } from '../tables/table.js'
import { count, listWords } from '../words.js'
import type { EpisodeList } from './episodes/list-episodes.js'
import { htmlTable } from './html-table.js'
import type { Markup } from './markup.js'
import { element, trusted, untrusted } from './markup.js'
import { overviewCards } from './overview/cards.js'
import { changesTable } from './overview/changes.js'
import { findingsOf } from './overview/findings.js'
import { warningsOf } from './overview/warnings.js'
import { describeEpisodes } from './episodes/describe-episodes.js'

/** Everything that is seen of the page before its script runs. */
export function pageBody(
  aggregate: Aggregate,
  run: StoredRun,
  tables: readonly Table[],
  list: EpisodeList,
): readonly Markup[] {
  const subjects = findingsOf(aggregate)
  const charts = chartsOf(aggregate, { embedded: true })
  const warnings = warningsOf(aggregate)
  const sections: readonly (readonly [id: string, title: string, ...parts: readonly Markup[]] | false)[] = [
    ['overview', 'What broke', ...overviewCards(subjects)],
    subjects.some(({ findings }) => findings.length > 0) && [
      'changes',
      'Changes',
      element('p', { class: 'muted' }, changesNote(aggregate)),
      element(
        'div',
        { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Changes' },
        changesTable(aggregate, subjects),
      ),
    ],
    charts.length > 0 && ['charts', 'Charts', element('div', { class: 'charts panels' }, charts.map(chartFigure))],
    ['tables', 'Tables', element('div', { class: 'panels', 'data-tabs': true }, tables.map(htmlTable))],
    [
      'episodes',
      'Episodes',
      ...describeEpisodes(run, list).map((sentence) => element('p', { class: 'muted' }, sentence)),
      element(
        'div',
        { id: 'episode-list' },
        element(
          'noscript',
          {},
          element('p', { class: 'warning' }, 'The list of episodes needs JavaScript; everything above does not.'),
        ),
      ),
    ],
  ]
  const shown = sections.filter((section) => section !== false)
  return [
    element('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
    element(
      'div',
      { id: 'page' },
      element(
        'header',
        { class: 'top' },
        element('h1', {}, 'Robustness on ', untrusted(listWords(aggregate.environments.map(({ name }) => name)))),
        element('p', { class: 'muted' }, setting(aggregate)),
        warnings.length > 0 &&
          element(
            'ul',
            { class: 'warnings', 'aria-label': 'Read this first' },
            warnings.map((text) => element('li', {}, untrusted(text))),
          ),
      ),
      element(
        'nav',
        { class: 'top', 'aria-label': 'Sections' },
        element(
          'ul',
          {},
          shown.map(([id, title]) => element('li', {}, element('a', { href: `#${id}` }, title))),
        ),
      ),
      element(
        'main',
        { id: 'main' },
        shown.map(([id, title, ...parts]) => element('section', { id }, element('h2', {}, title), parts)),
      ),
    ),
    element('main', { id: 'viewer', hidden: true }),
    element('footer', {}, `shaketable ${aggregate.version}, plan ${aggregate.plan}.`),
  ]
}

function setting({ environments, models, seeds, temperatures, stepLimit }: Aggregate): string {
  const tasks = environments.reduce((sum, environment) => sum + environment.tasks, 0)
  return [
    count(models.length, 'model'),
    count(tasks, 'task'),
    count(seeds.length, 'seed'),
    `${temperatures.length === 1 ? 'temperature' : 'temperatures'} ${temperatures.join(', ')}`,
    `at most ${count(stepLimit, 'step')}`,
  ].join(' · ')
}

function changesNote({ groups }: Aggregate): string {
  const isTested = groups.some(({ pooled }) => pooled.difference?.tests !== undefined)
  return [
    'Success in percent, change in points: perturbed minus clean over pairs of one task, seed and temperature. The interval is 95 % with the task as the cluster.',
    ...(isTested ? ['p is two-sided and corrected over the columns (Holm).'] : []),
    'Holds: a drop of 5 points or more is ruled out. Lost and gained: pairs in which only the clean, or only the perturbed episode succeeded.',
  ].join(' ')
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
