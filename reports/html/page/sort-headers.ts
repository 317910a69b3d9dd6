import { make } from './dom.js'

/** In which order a table stands: by which of its columns, and whether the largest is first. */
export interface Order {
  readonly column: number
  readonly descending: boolean
}

/**
 * Turns the headers of a table into buttons that sort it. The first click on a column of figures puts the largest
 * first, on one of names the first in the alphabet; the next turns it around. `aria-sort` says how it stands.
 */
export function addSortButtons(headers: readonly HTMLTableCellElement[], sort: (order: Order) => void): void {
  let order: Order | undefined
  headers.forEach((header, column) => {
    const button = make('button', { type: 'button', class: 'sort' }, [...header.childNodes])
    header.replaceChildren(button)
    button.addEventListener('click', () => {
      const descending = order?.column === column ? !order.descending : header.classList.contains('number')
      order = { column, descending }
      for (const other of headers) other.removeAttribute('aria-sort')
      header.setAttribute('aria-sort', descending ? 'descending' : 'ascending')
      sort(order)
    })
  })
}

/** Compares names as people do: `task 9` before `task 10`. */
export const byName = new Intl.Collator('en', { numeric: true })
