import { fill, make, visibleParts } from './dom.js'

/**
 * Shows titles as tooltips, which browsers show late and never by keyboard or touch: under the pointer, at the focus,
 * after a touch, and with the arrow keys in a focused chart. A name of a condition has what it changes as its title,
 * wherever it stands.
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
    if (marks.length > 0) addArrowKeys(chart, marks, show, hide)
  }
  const titleOf = titles(conditionTexts())
  const showFor = ({ target }: Event): void => {
    if (!(target instanceof Element) || tip.contains(target)) return
    const found = titleOf(target)
    if (found === undefined) hide()
    else show(found.element, found.text)
  }
  for (const kind of ['pointerover', 'focusin', 'click']) document.addEventListener(kind, showFor)
  document.addEventListener('focusout', hide)
  document.documentElement.addEventListener('pointerleave', hide)
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide()
  })
}

const margin = 8

/** What each condition and family changes, from the strip that lists them. */
function conditionTexts(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const one of document.querySelectorAll<HTMLElement>('.conditions > [data-labels]')) {
    const text = [...one.querySelectorAll('dd p')].map(({ textContent }) => textContent).join('; ')
    for (const label of JSON.parse(one.dataset['labels']!) as string[]) texts.set(label, text)
  }
  return texts
}

interface Titled {
  readonly element: Element
  readonly text: string
}

/**
 * The title that applies to an element: its own or that of what surrounds it. It becomes a description, so that the
 * browser does not show it a second time.
 */
function titles(conditions: ReadonlyMap<string, string>): (target: Element) => Titled | undefined {
  return (target) => {
    const element = target.closest('[title], [data-tip], svg [aria-label]')
    if (element !== null) {
      const title = element.getAttribute('title')
      if (title !== null) {
        element.setAttribute('data-tip', title)
        element.setAttribute('aria-description', title)
        element.removeAttribute('title')
      }
      const text = element.getAttribute('data-tip') ?? element.getAttribute('aria-label')!
      return text === '' ? undefined : { element, text }
    }
    if (target.closest('.conditions') !== null) return undefined
    const named = target.closest('bdi, text') ?? target.closest('a, button')?.querySelector('bdi')
    const text = named && conditions.get(named.textContent)
    return text === null || text === undefined || text === '' ? undefined : { element: named!, text }
  }
}

/** Marks of a chart with their titles, which become labels so that the browser does not show them a second time. */
function marksOf(chart: SVGSVGElement): Titled[] {
  return [...chart.querySelectorAll('title')].flatMap((title) => {
    const element = title.parentElement
    if (element === null || (element as Element) === chart) return []
    const text = title.textContent
    title.remove()
    element.setAttribute('aria-label', text)
    return [{ element, text }]
  })
}

/** The arrow keys go from mark to mark of a focused chart. */
function addArrowKeys(
  chart: SVGSVGElement,
  marks: readonly Titled[],
  show: (mark: Element, text: string) => void,
  hide: () => void,
): void {
  let at = -1
  chart.setAttribute('tabindex', '0')
  chart.addEventListener('blur', hide)
  chart.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    at = (at + by + marks.length) % marks.length
    const { element, text } = marks[at]!
    show(element, text)
  })
}
