const margin = 8

/**
 * Shows titles as tooltips, which browsers show late and never by keyboard or touch: under the pointer, at the focus
 * and after a touch.
 */
export function addTooltips(): void {
  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.role = 'status'
  tip.hidden = true
  document.body.append(tip)
  const hide = (): void => {
    tip.hidden = true
  }
  const show = ({ target }: Event): void => {
    const mark = target instanceof Element ? target.closest('[title], [data-tip]') : null
    if (mark === null) return hide()
    const title = mark.getAttribute('title')
    if (title !== null) {
      // It becomes a description, so that the browser does not show it a second time.
      mark.setAttribute('data-tip', title)
      mark.setAttribute('aria-description', title)
      mark.removeAttribute('title')
    }
    tip.textContent = mark.getAttribute('data-tip')
    tip.hidden = tip.textContent === ''
    const box = mark.getBoundingClientRect()
    const left = Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - margin)
    const above = box.top - tip.offsetHeight - margin
    tip.style.left = `${String(Math.max(margin, left) + scrollX)}px`
    tip.style.top = `${String((above < 0 ? box.bottom + margin : above) + scrollY)}px`
  }
  for (const kind of ['pointerover', 'focusin', 'click']) document.addEventListener(kind, show)
  document.addEventListener('focusout', hide)
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide()
  })
}
