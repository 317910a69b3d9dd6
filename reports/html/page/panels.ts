import { make, makeButton, titleOf } from './dom.js'
import { choice } from './report-table.js'
import { addRoving } from './roving.js'

/**
 * Lets a reader choose among the panels of a container (tables, charts): by environment if there are several, and one
 * at a time by tabs if the container has `data-tabs`. In print all of them are shown.
 */
export function choosePanels(container: HTMLElement): void {
  const panels = [...container.querySelectorAll<HTMLElement>(':scope > .panel')]
  const environments = namesOf(panels, 'environment')
  const names = container.hasAttribute('data-tabs') ? namesOf(panels, 'name') : []
  const select = environments.length > 1 ? choice('Environment', environments) : undefined
  let shown = names[0]
  const update = (): void => {
    for (const panel of panels) {
      const { environment = '', name = '' } = panel.dataset
      const fits = select === undefined || select.value === '' || environment === '' || environment === select.value
      panel.hidden = !fits || (shown !== undefined && name !== shown)
    }
  }
  const tabs = tabList(names, (name) => {
    shown = name
    update()
  })
  if (select !== undefined) {
    if (names.length > 0) select.value = environments[0]!
    select.addEventListener('input', update)
  }
  if (select !== undefined || names.length > 1) {
    container.prepend(make('div', { class: 'choose' }, select, names.length > 1 && tabs))
  }
  update()
  if (names.length > 0) for (const panel of panels) panel.setAttribute('role', 'tabpanel')
  container.classList.add('chosen')
}

function namesOf(panels: readonly HTMLElement[], field: 'environment' | 'name'): string[] {
  return [...new Set(panels.map(({ dataset }) => dataset[field] ?? ''))].filter((name) => name !== '')
}

/** Tabs, one of which is selected: the one that was focused last. */
function tabList(names: readonly string[], choose: (name: string) => void): HTMLElement {
  const buttons = names.map((name) => {
    const button = makeButton(titleOf(name), () => button.focus(), { role: 'tab' })
    button.addEventListener('focus', () => select(button, name))
    return button
  })
  const select = (selected: HTMLElement, name: string): void => {
    for (const button of buttons) button.setAttribute('aria-selected', String(button === selected))
    choose(name)
  }
  if (buttons.length > 0) select(buttons[0]!, names[0]!)
  const list = make('div', { role: 'tablist', class: 'tabs' }, buttons)
  addRoving(list)
  return list
}
