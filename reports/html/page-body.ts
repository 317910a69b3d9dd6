import type { Aggregate } from '../../src/results/aggregate.js'
import { listFirst, listWords } from '../../src/tables/words.js'
import type { Markup } from './markup.js'
import { element, untrusted } from './markup.js'
import { controlNote, identityList, noticeList } from './overview/top.js'
import type { Section } from './page-sections.js'

/** `tuned-8b: robustness of tuned and base on household`, without the name of a run that is that of its environment. */
export function headingOf({ name, environments, models }: Aggregate): string {
  const places = environments.map((one) => one.name)
  const title = name === undefined || places.includes(name) ? '' : name
  const what = `obustness of ${listFirst(
    models.map((model) => model.name),
    3,
  )} on ${listWords(places)}`
  return title === '' ? `R${what}` : `${title}: r${what}`
}

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
        element('h1', {}, untrusted(headingOf(aggregate))),
        identityList(aggregate),
        controlNote(aggregate),
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
