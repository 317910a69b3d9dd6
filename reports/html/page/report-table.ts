import { byName } from './filter.js'

/**
 * Makes a table of the page sortable by its heads. The first click sorts figures in descending and names in alphabetical
 * order; the next reverses the order.
 */
export function enhanceTable(table: HTMLTableElement): void {
  const headers = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])]
  const body = table.tBodies[0]!
  const rows = [...body.rows]
  headers.forEach((header, column) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sort'
    button.append(...header.childNodes)
    header.append(button)
    button.addEventListener('click', () => {
      const isFigure = header.classList.contains('number')
      const before = header.getAttribute('aria-sort')
      const isDescending = before === null ? isFigure : before === 'ascending'
      for (const other of headers) other.removeAttribute('aria-sort')
      header.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending')
      body.append(...sorted(rows, column, isDescending ? -1 : 1))
    })
  })
}

/** Rows by a column: figures by value, names alphabetically, rows without a value always last. */
function sorted(rows: readonly HTMLTableRowElement[], column: number, sign: 1 | -1): HTMLTableRowElement[] {
  return rows
    .map((row) => ({ row, key: keyOf(row.cells[column]!) }))
    .sort(({ key: one }, { key: other }) => {
      if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
      if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
      return sign * byName.compare(String(one), String(other))
    })
    .map(({ row }) => row)
}

function keyOf(cell: HTMLTableCellElement): number | string | undefined {
  if (!cell.matches('.number')) return cell.textContent
  const value = cell.getAttribute('data-value')
  return value === null ? undefined : Number(value)
}
