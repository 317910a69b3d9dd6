import { byId, fill, make, makeButton, number, titleOf } from './dom.js'
import { episodeColumns } from './episode-columns.js'
import type { EpisodeFilter, FilterField } from './episode-filter.js'
import { choicesOf, filterRows, noFilter, writeFilter } from './episode-filter.js'
import type { EpisodeIndex } from './episode-index.js'
import type { Order } from './report-table.js'
import { addSortButtons, choice } from './report-table.js'

/** The list of episodes on the page. */
export interface EpisodeTable {
  /** The number of rows listed now. */
  listed(): number
  /** A row's position in the list; undefined if it is not listed. */
  positionOf(row: number): number | undefined
  /** The row `by` positions after a row; undefined if there is none. */
  neighbour(row: number, by: number): number | undefined
  /** Applies another filter. */
  filter(filter: EpisodeFilter): void
  /** Scrolls to an episode and focuses it, if it is listed. */
  focus(row: number): void
  /** The address of the list with its current filter. */
  address(): string
}

const pageRows = 100

/** Creates the list of episodes in its section: filters, and a sortable table of a hundred rows at a time. */
export function createEpisodeTable(index: EpisodeIndex): EpisodeTable {
  const columns = episodeColumns(index)
  let current = noFilter
  let order: Order | undefined
  let rows: number[] = []
  let first = 0

  const search = make('input', {
    type: 'search',
    placeholder: 'Task, model, column or key',
    'aria-label': 'Filter episodes by text',
  })
  const selects = Object.entries(choicesOf(index))
    .filter(([, names]) => names.length > 1)
    .map(([field, names]) => ({
      field: field as FilterField,
      select: choice(titleOf(field), names),
    }))
  const shown = make('output', { class: 'shown' })
  const headers = columns.map(({ title, isFigure }) => make('th', { scope: 'col', class: isFigure && 'number' }, title))
  const body = make('tbody')
  const previous = makeButton('Previous', () => show(first - pageRows))
  const next = makeButton('Next', () => show(first + pageRows))
  const range = make('span', { class: 'number' })

  const list = (): void => {
    rows = [...filterRows(index, current)]
    if (order !== undefined) {
      const { column, descending } = order
      const value = columns[column]!.value
      const sign = descending ? -1 : 1
      rows.sort((one, other) => sign * (value(one) - value(other)) || one - other)
    }
    show(0)
  }
  const show = (from: number): void => {
    first = from
    const page = rows.slice(first, first + pageRows)
    fill(
      body,
      page.map((row) =>
        make(
          'tr',
          {},
          columns.map(({ isFigure, cell }) => make('td', { class: isFigure && 'number' }, cell(row))),
        ),
      ),
    )
    fill(shown, `${number(rows.length)} of ${number(index.count)} episodes`)
    fill(range, rows.length === 0 ? 'none' : `${number(first + 1)} to ${number(first + page.length)}`)
    previous.disabled = first === 0
    next.disabled = first + pageRows >= rows.length
  }
  const apply = (filter: EpisodeFilter): void => {
    current = filter
    search.value = filter.text
    for (const { field, select } of selects) select.value = filter[field]
    list()
  }
  const changed = (): void => {
    current = {
      ...noFilter,
      text: search.value,
      ...Object.fromEntries(selects.map(({ field, select }) => [field, select.value])),
    }
    history.replaceState(null, '', writeFilter(current))
    list()
  }

  for (const field of [search, ...selects.map(({ select }) => select)]) field.addEventListener('input', changed)
  addSortButtons(headers, (chosen) => {
    order = chosen
    list()
  })
  body.addEventListener('keydown', moveByArrows)
  search.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowDown') body.querySelector('a')?.focus()
  })
  fill(
    byId('episode-list'),
    make(
      'div',
      { class: 'filters' },
      search,
      selects.map(({ select }) => select),
      shown,
    ),
    make(
      'div',
      { class: 'scroll' },
      make('table', { class: 'grid' }, make('thead', {}, make('tr', {}, headers)), body),
    ),
    make('div', { class: 'pager' }, previous, range, next),
  )
  const positionOf = (row: number): number | undefined => {
    const position = rows.indexOf(row)
    return position === -1 ? undefined : position
  }
  list()
  return {
    listed: () => rows.length,
    positionOf,
    neighbour(row, by) {
      const position = positionOf(row)
      return position === undefined ? undefined : rows[position + by]
    },
    filter: apply,
    address: () => writeFilter(current),
    focus(row) {
      const at = positionOf(row)
      if (at === undefined) return
      show(at - (at % pageRows))
      body.rows[at % pageRows]?.querySelector('a')?.focus()
    },
  }
}

/** Arrow keys move from episode to episode. */
function moveByArrows(event: KeyboardEvent): void {
  const row = (event.target as Element).closest('tr')
  const next =
    event.key === 'ArrowDown'
      ? row?.nextElementSibling
      : event.key === 'ArrowUp'
        ? row?.previousElementSibling
        : undefined
  const link = next?.querySelector('a')
  if (link === null || link === undefined) return
  event.preventDefault()
  link.focus()
}
