import type { Markup } from './markup.js'
import { element, untrusted } from './markup.js'
import type { Cell, Column, Table } from '../tables/table.js'
import { cellText, columnsOf } from '../tables/table.js'

/** A report's table with every name in every row, so that it can be sorted; cells carry their unrounded value. */
export function htmlTable(table: Table): Markup {
  const columns = columnsOf(table)
  return element(
    'figure',
    { class: 'table' },
    element('h3', {}, table.title),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': table.title },
      element(
        'table',
        { class: 'grid', 'data-sortable': true, 'data-filters': table.rows.length > 8 },
        element(
          'thead',
          {},
          element(
            'tr',
            { class: 'groups' },
            table.heads.map(() => element('td')),
            table.groups.map(({ title, columns: { length } }) =>
              element('th', { scope: 'colgroup', colspan: length }, title),
            ),
          ),
          element(
            'tr',
            {},
            table.heads.map((head) => element('th', { scope: 'col', 'data-choice': true }, head)),
            columns.map(({ title }) => element('th', { scope: 'col', class: 'number' }, untrusted(title))),
          ),
        ),
        element(
          'tbody',
          {},
          table.rows.map(({ heads, cells }) =>
            element(
              'tr',
              {},
              heads.map((head) => element('th', { scope: 'row', 'data-value': head }, untrusted(head))),
              cells.map((cell, index) => figure(cell, columns[index]!)),
            ),
          ),
        ),
      ),
    ),
    element(
      'figcaption',
      {},
      [...table.notes].map((note) => element('p', {}, note)),
    ),
  )
}

function figure(cell: Cell, column: Column): Markup {
  const value = column.shows === 'coverage' ? (cell.planned ?? 0) && (cell.valid ?? 0) / cell.planned! : cell.value
  const text = cellText(cell, column).replaceAll('-', '−')
  const bracket = /^(.*?)( [([].*)$/.exec(text)
  return element(
    'td',
    { class: 'number', 'data-value': value },
    bracket === null ? text : [bracket[1], element('span', { class: 'muted' }, bracket[2])],
  )
}
