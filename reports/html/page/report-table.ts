import { visibleText } from '../visible.js'
import { fill, make } from './dom.js'
import type { Order } from './sort-headers.js'
import { addSortButtons, byName } from './sort-headers.js'

/** Makes a table that the page came with sortable, and filterable where it asks for it. */
export function enhanceTable(table: HTMLTableElement): void {
  const headers = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])]
  const body = table.tBodies[0]
  if (body === undefined || headers.length === 0) return
  const rows = [...body.rows]
  addSortButtons(headers, (order) => body.append(...sorted(rows, order)))
  if (table.hasAttribute('data-filters')) addFilters(table, headers, rows)
}

/** Rows by a column: figures by value, names by letters, what has no value last either way. */
function sorted(rows: readonly HTMLTableRowElement[], { column, descending }: Order): HTMLTableRowElement[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row.cells[column]) }))
  const sign = descending ? -1 : 1
  return keyed
    .sort(({ key: one }, { key: other }) => {
      if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
      if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
      return sign * byName.compare(String(one), String(other))
    })
    .map(({ row }) => row)
}

function keyOf(cell: HTMLTableCellElement | undefined): number | string | undefined {
  const isFigure = cell?.classList.contains('number') === true || cell?.classList.contains('interval') === true
  if (!isFigure) return textOf(cell)
  const value = cell.getAttribute('data-value')
  return value === null ? undefined : Number(value)
}

function textOf(cell: HTMLTableCellElement | undefined): string {
  return cell?.getAttribute('data-value') ?? cell?.textContent ?? ''
}

function addFilters(
  table: HTMLTableElement,
  headers: readonly HTMLTableCellElement[],
  rows: readonly HTMLTableRowElement[],
): void {
  const search = make('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'Filter rows by text' })
  const choices = headers.flatMap((header, column) => {
    const names = [...new Set(rows.map((row) => textOf(row.cells[column])))].sort(byName.compare)
    return header.hasAttribute('data-choice') && names.length > 1
      ? [{ column, select: choice(header.textContent, names) }]
      : []
  })
  const shown = make('output', { class: 'shown' })
  const update = (): void => {
    const words = search.value.toLowerCase().split(/\s+/)
    let count = 0
    for (const row of rows) {
      const fits =
        choices.every(({ column, select }) => select.value === '' || textOf(row.cells[column]) === select.value) &&
        words.every((word) => row.textContent.toLowerCase().includes(word))
      row.hidden = !fits
      if (fits) count++
    }
    fill(shown, count === rows.length ? `${String(count)} rows` : `${String(count)} of ${String(rows.length)} rows`)
  }
  for (const field of [search, ...choices.map(({ select }) => select)]) field.addEventListener('input', update)
  update()
  const bar = make(
    'div',
    { class: 'filters' },
    search,
    choices.map(({ select }) => select),
    shown,
  )
  const place = table.closest('.scroll') ?? table
  place.before(bar)
}

/** A list to choose from; the empty choice is everything. */
export function choice(title: string, names: readonly string[]): HTMLSelectElement {
  return make(
    'select',
    { 'aria-label': title },
    make('option', { value: '' }, `Every ${title.length > 1 ? title.toLowerCase() : title}`),
    names.map((name) => make('option', { value: name }, visibleText(name))),
  )
}
