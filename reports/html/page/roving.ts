/**
 * Makes a group of buttons and links one stop of the Tab key: the arrow keys move within it, Home and End to its first
 * and last. In a table, ↑ and ↓ stay in their column. Items may be added later.
 */
export function addRoving(group: HTMLElement, selector = 'a[href], button'): void {
  const items = (): HTMLElement[] =>
    [...group.querySelectorAll<HTMLElement>(selector)].filter((item) => item.checkVisibility())
  const choose = (chosen: HTMLElement): void => {
    for (const item of group.querySelectorAll<HTMLElement>(selector)) item.tabIndex = item === chosen ? 0 : -1
  }
  const [first] = group.querySelectorAll<HTMLElement>(selector)
  if (first === undefined) return
  choose(first)
  group.addEventListener('focusin', ({ target }) => {
    const item = (target as Element).closest<HTMLElement>(selector)
    if (item !== null && group.contains(item)) choose(item)
  })
  group.addEventListener('keydown', (event) => {
    const from = (event.target as Element).closest<HTMLElement>(selector)
    if (from === null || event.ctrlKey || event.altKey || event.metaKey) return
    const next = nextItem(event.key, from, items())
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    next.focus()
  })
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
