import type { Aggregate } from '../aggregate/aggregate.js'
import { listWords } from '../../src/tables/words.js'
import type { Markup } from './markup.js'
import { element, untrusted } from './markup.js'
import { identityList, noticeList } from './overview/top.js'
import type { Section } from './page-sections.js'

/** The visible part of the page before its script runs. */
export function pageBody(aggregate: Aggregate, sections: readonly Section[]): readonly Markup[] {
  const link = ({ id, title }: Pick<Section, 'id' | 'title'>): Markup => element('a', { href: `#${id}` }, title)
  const skips = [
    { id: 'main', title: 'Skip to the results' },
    { id: 'episodes', title: 'Skip to the episodes' },
  ]
  return [
    element('nav', { class: 'skips', 'aria-label': 'Skip' }, skips.map(link)),
    element(
      'div',
      { id: 'page' },
      element(
        'header',
        { class: 'top' },
        element('h1', {}, 'Robustness on ', untrusted(listWords(aggregate.environments.map(({ name }) => name)))),
        identityList(aggregate),
        noticeList(aggregate),
      ),
      element(
        'nav',
        { class: 'top', 'aria-label': 'Sections' },
        element(
          'ul',
          { 'data-roving': true },
          sections.map((section) => element('li', {}, link(section))),
        ),
      ),
      element(
        'main',
        { id: 'main', tabindex: -1 },
        sections.map(({ id, title, parts }) =>
          element('section', { id, tabindex: -1 }, element('h2', {}, title), parts),
        ),
      ),
    ),
    element('main', { id: 'viewer', hidden: true }),
    element('footer', {}, `shaketable ${aggregate.version}, plan ${aggregate.plan}.`),
  ]
}
