import { make, makeButton, titleOf } from './dom.js'
import { choice } from './report-table.js'

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

/** Tabs, one of which is selected; the arrow keys select the next and the previous. */
function tabList(names: readonly string[], choose: (name: string) => void): HTMLElement {
  const buttons = names.map((name, at) => makeButton(titleOf(name), () => select(at), { role: 'tab' }))
  const select = (at: number): void => {
    buttons.forEach((button, index) => {
      button.setAttribute('aria-selected', String(index === at))
      button.tabIndex = index === at ? 0 : -1
    })
    choose(names[at]!)
  }
  buttons.forEach((button, at) => {
    button.addEventListener('keydown', ({ key }) => {
      const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      if (by === 0) return
      const next = (at + by + buttons.length) % buttons.length
      select(next)
      buttons[next]!.focus()
    })
  })
  if (buttons.length > 0) select(0)
  return make('div', { role: 'tablist', class: 'tabs' }, buttons)
}
