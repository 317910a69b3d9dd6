/**
 * Makes elements one stop of the Tab key: the arrow keys (← → , and ↑ ↓ if `isVertical`), Home and End move among them.
 * @param first the index of the one that the Tab key reaches first
 * @returns a function that focuses the element `by` places after the one that the Tab key reaches
 */
export function rove(elements: readonly HTMLElement[], isVertical = false, first = 0): (by: number) => void {
  const [back, forth] = isVertical ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight']
  let reached = first
  const reach = (at: number): void => {
    elements[reached]!.tabIndex = -1
    reached = at
    elements[at]!.tabIndex = 0
  }
  const move = (to: number): void => {
    if (to >= 0 && to < elements.length) elements[to]!.focus()
  }
  elements.forEach((element, at) => {
    element.tabIndex = at === first ? 0 : -1
    element.addEventListener('focus', () => reach(at))
    element.addEventListener('keydown', (event) => {
      const to = { [back!]: at - 1, [forth!]: at + 1, Home: 0, End: elements.length - 1 }[event.key]
      if (to === undefined || event.target !== element) return
      event.preventDefault()
      event.stopPropagation()
      move(to)
    })
  })
  return (by) => move(elements.includes(document.activeElement as HTMLElement) ? reached + by : reached)
}
