import { figuresOf } from '../../src/tables/figures.js'
import type { Cell, Column, Figure, Row, Table } from '../../src/tables/table.js'
import { describeMarks } from '../../src/tables/table.js'
import { copyId } from './copies.js'
import type { Markup } from './markup.js'
import { element, untrusted } from './markup.js'

/** A table with more rows than this has filters. */
const maxRowsUnfiltered = 6

/** A report's table with every name in every row, so that it can be sorted; cells have their unrounded value. */
export function htmlTable(table: Table): Markup {
  const columns = columnsOf(table)
  const figures = figuresOf(table)
  const notes = [...table.notes, ...describeMarks(table, { best: 'Bold', heldIn: 'Underlined' })]
  return element(
    'figure',
    {
      class: 'table panel',
      'data-name': table.by === undefined ? table.name : `${table.name} by ${table.by}`,
      'data-environment': table.environment,
      'data-copy': copyId(table),
    },
    element('h3', {}, table.title),
    scrollFrame(
      table.title,
      element(
        'table',
        { class: 'grid', 'data-sortable': true, 'data-filters': table.rows.length > maxRowsUnfiltered },
        tableHead(table, columns),
        element(
          'tbody',
          {},
          table.rows.map((row, index) => tableRow(row, columns, figures[index]!)),
        ),
      ),
    ),
    element(
      'figcaption',
      {},
      element(
        'details',
        {},
        element('summary', {}, 'What is shown'),
        notes.map((note) => element('p', {}, note)),
      ),
    ),
  )
}

/** A table or a chart in a box that scrolls where it is wider or higher than the window. */
export function scrollFrame(name: string, content: Markup): Markup {
  return element(
    'div',
    { class: 'frame' },
    element('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': name }, content),
  )
}

/** A column, and whether it is the first of a group other than the first group. */
type PlacedColumn = Column & { readonly isFirst: boolean }

function columnsOf({ groups }: Table): PlacedColumn[] {
  return groups.flatMap(({ columns }, group) =>
    columns.map((column, index) => ({ ...column, isFirst: group > 0 && index === 0 })),
  )
}

function tableHead({ heads, groups }: Table, columns: readonly PlacedColumn[]): Markup {
  const row = element(
    'tr',
    {},
    heads.map((head) => element('th', { scope: 'col', 'data-choice': true }, head)),
    columns.map(({ title, shows, isFirst }) =>
      element('th', { scope: 'col', class: classOf({ shows, isFirst }) }, untrusted(title)),
    ),
  )
  if (groups.every(({ title }) => title === '')) return element('thead', {}, row)
  return element(
    'thead',
    {},
    element(
      'tr',
      { class: 'groups' },
      heads.map(() => element('td')),
      groups.map(({ title, columns: { length } }, group) =>
        element('th', { scope: 'colgroup', colspan: length, class: group > 0 && 'first' }, untrusted(title)),
      ),
    ),
    row,
  )
}

function tableRow(
  { heads, cells, published }: Row,
  columns: readonly PlacedColumn[],
  figures: readonly Figure[],
): Markup {
  return element(
    'tr',
    { class: published === undefined ? undefined : 'published' },
    heads.map((head) => element('th', { scope: 'row', 'data-value': head }, untrusted(head))),
    cells.map((cell, index) => figureCell(cell, columns[index]!, figures[index]!)),
  )
}

function figureCell(cell: Cell, { shows, isFirst }: PlacedColumn, { main, spread, short }: Figure): Markup {
  if (isText(shows)) return element('td', { class: classOf({ shows, isFirst }) }, untrusted(main))
  const text = withMinus(main)
  const bold = cell.best ? element('strong', {}, text) : text
  return element(
    'td',
    { class: classOf({ shows, isFirst }), 'data-value': valueOf(cell, shows) },
    cell.heldIn ? element('u', {}, bold) : bold,
    spread !== '' && [' ', element('span', { class: 'muted' }, withMinus(spread))],
    short && '†',
  )
}

/** The value by which the cell is sorted; undefined without a figure. */
function valueOf({ value, valid = 0, planned = 0 }: Cell, shows: Column['shows']): number | undefined {
  if (shows !== 'coverage') return value
  return planned === 0 ? undefined : valid / planned
}

function classOf({ shows, isFirst }: Pick<PlacedColumn, 'shows' | 'isFirst'>): string | undefined {
  const classes = [...(isText(shows) ? [] : ['number']), ...(isFirst ? ['first'] : [])]
  return classes.length === 0 ? undefined : classes.join(' ')
}

function isText(shows: Column['shows']): boolean {
  return shows === 'text'
}

function withMinus(text: string): string {
  return text.replaceAll('-', '−')
}
