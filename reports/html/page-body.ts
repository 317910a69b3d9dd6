import type { StoredRun } from 'shaketable'
import type { Aggregate } from '../aggregate/aggregate.js'
import { count, grouped, listWords } from '../../src/tables/words.js'
import type { EpisodeList } from './episodes/list-episodes.js'
import type { Markup } from './markup.js'
import { element, untrusted } from './markup.js'
import { describeExperiment } from '../tables/captions.js'
import { pageSections } from './page-sections.js'

/** The visible part of the page before its script runs. */
export function pageBody(aggregate: Aggregate, run: StoredRun, list: EpisodeList): readonly Markup[] {
  const warnings = warningsOf(aggregate)
  const sections = pageSections(aggregate, run, list)
  return [
    element('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
    element(
      'div',
      { id: 'page' },
      element(
        'header',
        { class: 'top' },
        element('h1', {}, 'Robustness on ', untrusted(listWords(aggregate.environments.map(({ name }) => name)))),
        element('p', { class: 'muted' }, describeSettings(aggregate)),
        element(
          'details',
          { class: 'experiment' },
          element('summary', {}, 'The experiment'),
          describeExperiment(aggregate).map((text) => element('p', {}, untrusted(text))),
        ),
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
          sections.map(({ id, title }) => element('li', {}, element('a', { href: `#${id}` }, title))),
        ),
      ),
      element(
        'main',
        { id: 'main' },
        sections.map(({ id, title, parts }) => element('section', { id }, element('h2', {}, title), parts)),
      ),
    ),
    element('main', { id: 'viewer', hidden: true }),
    element('footer', {}, `shaketable ${aggregate.version}, plan ${aggregate.plan}.`),
  ]
}

function describeSettings({ environments, models, seeds, temperatures, stepLimit, experiment }: Aggregate): string {
  const tasks = environments.reduce((sum, environment) => sum + environment.tasks, 0)
  return [
    count(models.length, 'model'),
    count(tasks, 'task'),
    count(seeds.length, 'seed'),
    `${temperatures.length === 1 ? 'temperature' : 'temperatures'} ${temperatures.join(', ')}`,
    `at most ${count(stepLimit, 'step')} and ${count(experiment.maxReplyTokens, 'token')} a reply`,
  ].join(' · ')
}

/**
 * What a reader must know before any figure: notices, then what was left out. Empty for a complete run without leaks.
 */
export function warningsOf({ notices, omitted }: Aggregate): string[] {
  return [
    ...notices.map(({ text }) => text),
    ...omitted.slice(0, maxOmitted),
    ...(omitted.length > maxOmitted
      ? [`And ${grouped(omitted.length - maxOmitted)} more; report.json has all of them.`]
      : []),
  ]
}

const maxOmitted = 12
