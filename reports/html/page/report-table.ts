import { visibleText } from '../visible.js'
import { fill, make, makeButton } from './dom.js'
import { addRoving } from './roving.js'

/** Makes a table of the page sortable, and filterable if it has `data-filters`. */
export function enhanceTable(table: HTMLTableElement): void {
  const headers = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])]
  const body = table.tBodies[0]
  if (body === undefined || headers.length === 0) return
  const rows = [...body.rows]
  addSortButtons(headers, (order) => body.append(...sorted(rows, order)))
  addRoving(table)
  labelCells(table, headers, rows)
  if (table.hasAttribute('data-filters')) addFilters(table, headers, rows)
}

/** In a narrow window, where each row is a card, a cell shows the title of its column. */
const narrow = matchMedia('(max-width: 37.5rem)')

/** Labels the cells once the window is narrow and the table is visible. */
function labelCells(
  table: HTMLTableElement,
  headers: readonly HTMLTableCellElement[],
  rows: readonly HTMLTableRowElement[],
): void {
  const titles = titlesOf(table, headers)
  const seen = new IntersectionObserver((entries) => {
    if (!narrow.matches || !entries.some(({ isIntersecting }) => isIntersecting)) return
    seen.disconnect()
    for (const row of rows) {
      for (const cell of row.cells) cell.setAttribute('data-label', titles[cell.cellIndex] ?? '')
    }
    table.classList.add('labelled')
  })
  const look = (): void => {
    if (narrow.matches && !table.classList.contains('labelled')) seen.observe(table)
  }
  narrow.addEventListener('change', look)
  look()
}

/** The titles of all columns, after those of their groups. */
function titlesOf(table: HTMLTableElement, headers: readonly HTMLTableCellElement[]): string[] {
  const groups = [...(table.tHead?.querySelectorAll<HTMLTableCellElement>('.groups > *') ?? [])].flatMap((group) =>
    Array<string>(group.colSpan).fill(group.textContent),
  )
  return headers.map(({ textContent }, column) =>
    [groups[column] ?? '', textContent].filter((title) => title !== '').join(': '),
  )
}

/** Shows by a shadow on which sides a box that scrolls has more. */
export function addScrollShadows(): void {
  const update = (box: Element): void => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = box
    const sides = {
      'more-left': scrollLeft > 1,
      'more-right': scrollLeft + clientWidth < scrollWidth - 1,
      'more-above': scrollTop > 1,
      'more-below': scrollTop + clientHeight < scrollHeight - 1,
    }
    for (const [name, has] of Object.entries(sides)) box.parentElement!.classList.toggle(name, has)
  }
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target.closest('.scroll')!)
  })
  for (const box of document.querySelectorAll<HTMLElement>('.scroll')) {
    if (box.parentElement?.classList.contains('frame') !== true) {
      const frame = make('div', { class: 'frame' })
      box.before(frame)
      frame.append(box)
    }
    // What is in the box can be focused, and scrolls it.
    if (box.querySelector('a[href], button') !== null) box.removeAttribute('tabindex')
    box.addEventListener('scroll', () => update(box), { passive: true })
    sizes.observe(box)
    if (box.firstElementChild !== null) sizes.observe(box.firstElementChild)
  }
}

/** Rows by a column: figures by value, names alphabetically, rows without a value always last. */
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
  const place = table.closest('.frame') ?? table
  place.before(bar)
}

/** A drop-down list; the empty choice, `all`, selects everything. */
export function choice(
  title: string,
  names: readonly string[],
  all = `Every ${title.length > 1 ? title.toLowerCase() : title}`,
): HTMLSelectElement {
  return make(
    'select',
    { 'aria-label': title },
    make('option', { value: '' }, all),
    names.map((name) => make('option', { value: name }, visibleText(name))),
  )
}

/** The order of a table: the index of a column, and whether the largest value is first. */
interface Order {
  readonly column: number
  readonly descending: boolean
}

/**
 * Turns the headers of a table into buttons that sort it. The first click sorts figures in descending and names in
 * alphabetical order; the next reverses the order. `aria-sort` gives the current order.
 * @returns a function that marks an order of rows that were sorted otherwise; column −1 for none
 */
export function addSortButtons(
  headers: readonly HTMLTableCellElement[],
  sort: (order: Order) => void,
): (column: number, descending: boolean) => void {
  let order: Order | undefined
  const mark = (column: number, descending: boolean): void => {
    order = { column, descending }
    for (const header of headers) header.removeAttribute('aria-sort')
    headers[column]?.setAttribute('aria-sort', descending ? 'descending' : 'ascending')
  }
  headers.forEach((header, column) => {
    const click = (): void => {
      mark(column, order?.column === column ? !order.descending : header.classList.contains('number'))
      sort(order!)
    }
    header.replaceChildren(makeButton([...header.childNodes], click, { class: 'sort' }))
  })
  return mark
}

/** Compares names with numbers in numeric order: `task 9` before `task 10`. */
export const byName = new Intl.Collator('en', { numeric: true })
