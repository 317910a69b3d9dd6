import { byId, fill, make } from './dom.js'
import { episodeColumns } from './episode-columns.js'
import type { EpisodeFilter, FilterField } from './episode-filter.js'
import { choicesOf, filterRows, noFilter, writeFilter } from './episode-filter.js'
import type { EpisodeIndex } from './episode-index.js'
import { choice } from './report-table.js'
import type { Order } from './sort-headers.js'
import { addSortButtons } from './sort-headers.js'

/** The list of episodes on the page. */
export interface EpisodeTable {
  /** How many rows are listed now. */
  listed(): number
  /** A row's place in the list, and the row so many places after it; undefined where there is none. */
  placeOf(row: number): number | undefined
  neighbour(row: number, by: number): number | undefined
  /** Wants other episodes. */
  filter(filter: EpisodeFilter): void
  /** Moves to an episode and gives it the focus; nothing where it is not listed. */
  focus(row: number): void
  /** The address of the list as it is now. */
  address(): string
}

const pageRows = 100

/** Builds the list of episodes into the page's section: filters, a table that sorts, a hundred rows at a time. */
export function createEpisodeTable(index: EpisodeIndex): EpisodeTable {
  const columns = episodeColumns(index)
  let wanted = noFilter
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
      select: choice(field === 'change' ? 'Change' : title(field), names),
    }))
  const shown = make('output', { class: 'shown' })
  const headers = columns.map(({ title: name, isFigure }) =>
    make('th', { scope: 'col', class: isFigure ? 'number' : undefined }, name),
  )
  const body = make('tbody')
  const back = make('button', { type: 'button' }, 'Previous')
  const on = make('button', { type: 'button' }, 'Next')
  const place = make('span', { class: 'number' })

  const list = (): void => {
    rows = [...filterRows(index, wanted)]
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
          columns.map(({ isFigure, cell }) => make('td', { class: isFigure ? 'number' : undefined }, cell(row))),
        ),
      ),
    )
    fill(shown, `${number(rows.length)} of ${number(index.count)} episodes`)
    fill(place, rows.length === 0 ? 'none' : `${number(first + 1)} to ${number(first + page.length)}`)
    back.disabled = first === 0
    on.disabled = first + pageRows >= rows.length
  }
  const apply = (filter: EpisodeFilter): void => {
    wanted = filter
    search.value = filter.text
    for (const { field, select } of selects) select.value = filter[field]
    list()
  }
  const changed = (): void => {
    wanted = {
      ...noFilter,
      text: search.value,
      ...Object.fromEntries(selects.map(({ field, select }) => [field, select.value])),
    }
    history.replaceState(null, '', writeFilter(wanted))
    list()
  }

  for (const field of [search, ...selects.map(({ select }) => select)]) field.addEventListener('input', changed)
  back.addEventListener('click', () => show(first - pageRows))
  on.addEventListener('click', () => show(first + pageRows))
  addSortButtons(headers, (next) => {
    order = next
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
    make('div', { class: 'pager' }, back, place, on),
  )
  const placeOf = (row: number): number | undefined => {
    const place = rows.indexOf(row)
    return place === -1 ? undefined : place
  }
  list()
  return {
    listed: () => rows.length,
    placeOf,
    neighbour(row, by) {
      const place = placeOf(row)
      return place === undefined ? undefined : rows[place + by]
    },
    filter: apply,
    address: () => writeFilter(wanted),
    focus(row) {
      const at = placeOf(row)
      if (at === undefined) return
      show(at - (at % pageRows))
      body.rows[at % pageRows]?.querySelector('a')?.focus()
    },
  }
}

/** The arrows go up and down from episode to episode. */
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

/** A whole number with its thousands set apart. */
export function number(value: number): string {
  return value.toLocaleString('en')
}

function title(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1)
}
