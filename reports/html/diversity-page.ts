import type { Table } from '../../src/tables/table.js'
import { htmlTable } from './html-table.js'
import { element } from './markup.js'
import { pageDocument } from './page-document.js'
import { pageStyle } from './style.js'

/** What a page on the diversity of data sets shows. */
export interface DiversityPage {
  readonly thoughts: readonly Table[]
  readonly environments: readonly Table[]
  readonly version: string
}

/** One HTML file without a script that needs no network. */
export function renderDiversityPage({ thoughts, environments, version }: DiversityPage): string {
  const section = (id: string, title: string, ...parts: Parameters<typeof element>[2][]) =>
    element('section', { id }, element('h2', {}, title), parts)
  return pageDocument({
    title: 'Diversity of training data · shaketable',
    body: [
      element(
        'div',
        { id: 'page' },
        element('header', { class: 'top' }, element('h1', {}, 'Diversity of training data')),
        element(
          'main',
          { id: 'main' },
          section('thoughts', 'Thoughts', thoughts.map(htmlTable)),
          section('environments', 'Environments', environments.map(htmlTable)),
        ),
      ),
      element('footer', {}, `shaketable ${version}.`),
    ],
    style: pageStyle,
    script: '',
    blocks: { first: [], later: [] },
    hasFiles: false,
  })
}
