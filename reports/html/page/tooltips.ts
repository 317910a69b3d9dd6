import { fill, make, visibleParts } from './dom.js'

/**
 * Shows the titles of a chart's marks as tooltips, which browsers show late and never by keyboard: under the pointer,
 * and with the arrow keys in a focused chart.
 */
export function addTooltips(): void {
  const tip = make('div', { class: 'tip', role: 'status', hidden: true })
  document.body.append(tip)
  const hide = (): void => {
    tip.hidden = true
  }
  const show = (mark: Element, text: string): void => {
    fill(tip, visibleParts(text))
    tip.hidden = false
    const box = mark.getBoundingClientRect()
    const left = Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - margin)
    const above = box.top - tip.offsetHeight - margin
    tip.style.left = `${String(Math.max(margin, left) + scrollX)}px`
    tip.style.top = `${String((above < 0 ? box.bottom + margin : above) + scrollY)}px`
  }
  for (const chart of document.querySelectorAll<SVGSVGElement>('figure svg')) {
    const marks = marksOf(chart)
    if (marks.length > 0) listen(chart, marks, show, hide)
  }
}

const margin = 8

interface Mark {
  readonly element: Element
  readonly text: string
}

/** Marks with their titles, which become labels so that the browser does not show them a second time. */
function marksOf(chart: SVGSVGElement): Mark[] {
  return [...chart.querySelectorAll('title')].flatMap((title) => {
    const element = title.parentElement
    if (element === null || (element as Element) === chart) return []
    const text = title.textContent
    title.remove()
    element.setAttribute('aria-label', text)
    return [{ element, text }]
  })
}

function listen(
  chart: SVGSVGElement,
  marks: readonly Mark[],
  show: (mark: Element, text: string) => void,
  hide: () => void,
): void {
  const byElement = new Map(marks.map((mark) => [mark.element, mark]))
  let at = -1
  chart.setAttribute('tabindex', '0')
  chart.addEventListener('pointermove', ({ target }) => {
    for (
      let element = target as Element | null;
      element !== null && element !== chart;
      element = element.parentElement
    ) {
      const mark = byElement.get(element)
      if (mark === undefined) continue
      show(mark.element, mark.text)
      return
    }
    hide()
  })
  chart.addEventListener('pointerleave', hide)
  chart.addEventListener('blur', hide)
  chart.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (event.key === 'Escape') hide()
    if (by === 0) return
    event.preventDefault()
    at = (at + by + marks.length) % marks.length
    const { element, text } = marks[at]!
    show(element, text)
  })
}
