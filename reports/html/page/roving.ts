/**
 * Makes the items of a group one stop of the Tab key, at first the one with `aria-current`, or else the first: the
 * arrow keys move among them, Home and End to the first and last. In a table, ↑ and ↓ stay in their column. Items may
 * be added later.
 * @param keys the arrow keys that move; ← and → of a vertical group keep their other meaning
 * @returns a function that focuses the item `by` places after the one with the focus; without one, the one that the Tab
 * key reaches
 */
export function addRoving(
  group: HTMLElement,
  selector = 'a[href], button',
  keys: 'all' | 'vertical' = 'all',
): (by: number) => void {
  const all = (): HTMLElement[] => [...group.querySelectorAll<HTMLElement>(selector)]
  const shown = (): HTMLElement[] => all().filter((item) => item.checkVisibility())
  let reached = all().find((item) => item.hasAttribute('aria-current')) ?? all()[0]
  const choose = (chosen: HTMLElement | undefined): void => {
    reached = chosen
    for (const item of all()) item.tabIndex = item === chosen ? 0 : -1
  }
  choose(reached)
  group.addEventListener('focusin', ({ target }) => {
    const item = (target as Element).closest<HTMLElement>(selector)
    if (item !== null && group.contains(item)) choose(item)
  })
  group.addEventListener('keydown', (event) => {
    const from = event.target as HTMLElement
    if (!from.matches(selector) || event.ctrlKey || event.altKey || event.metaKey) return
    if (keys === 'vertical' && ['ArrowLeft', 'ArrowRight'].includes(event.key)) return
    const next = nextItem(event.key, from, shown())
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    next.focus()
  })
  return (by) => {
    const items = shown()
    const at = reached === undefined ? -1 : items.indexOf(reached)
    if (at !== -1) items[group.contains(document.activeElement) ? at + by : at]?.focus()
  }
}

function nextItem(key: string, from: HTMLElement, items: readonly HTMLElement[]): HTMLElement | undefined {
  const at = items.indexOf(from)
  const cell = from.closest<HTMLTableCellElement>('td, th')
  switch (key) {
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
    case 'ArrowLeft':
      return items[at - 1]
    case 'ArrowRight':
      return items[at + 1]
    case 'ArrowDown':
      return cell === null ? items[at + 1] : items.slice(at + 1).find((item) => isBelow(item, cell))
    case 'ArrowUp':
      return cell === null ? items[at - 1] : items.slice(0, Math.max(0, at)).findLast((item) => isBelow(item, cell))
    default:
      return undefined
  }
}

/** Whether an item is in a cell's column, in another row. */
function isBelow(item: HTMLElement, cell: HTMLTableCellElement): boolean {
  const other = item.closest<HTMLTableCellElement>('td, th')
  return other !== null && other.cellIndex === cell.cellIndex && other.parentElement !== cell.parentElement
}
