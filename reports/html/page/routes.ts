import type { OpenedEpisode } from './chunks.js'
import { byId, fill, make } from './dom.js'
import { outcomeBadge } from './episode-columns.js'
import { readFilter } from './episode-filter.js'
import type { EpisodeIndex } from './episode-index.js'
import type { EpisodeTable } from './episode-table.js'
import { number } from './episode-table.js'
import { untrusted } from './untrusted.js'
import { viewEpisode } from './viewer.js'

/**
 * Shows what the address says: `#KEY` an episode, `#episodes?…` the list by a filter, anything else a section of the page. The browser's own way back works,
 * as every episode that is opened from the list is a place in its history.
 */
export function followAddress(
  index: EpisodeIndex,
  table: EpisodeTable,
  open: (row: number) => Promise<OpenedEpisode>,
): void {
  const viewer = byId('viewer')
  const overview = byId('main')
  let current: number | undefined

  const follow = (): void => {
    const key = /^#([0-9a-f]{12,20})$/.exec(location.hash)?.[1]
    const row = key === undefined ? undefined : index.find(key)
    if (row === undefined) leave()
    else void enter(row)
  }
  const leave = (): void => {
    const left = current
    current = undefined
    viewer.hidden = true
    overview.hidden = false
    const filter = readFilter(location.hash)
    if (filter !== undefined) table.filter(filter)
    if (filter !== undefined || location.hash === '#episodes') byId('episodes').scrollIntoView()
    else if (left !== undefined) document.getElementById(location.hash.slice(1))?.scrollIntoView()
    if (left !== undefined) table.focus(left)
  }
  const enter = async (row: number): Promise<void> => {
    current = row
    viewer.hidden = false
    overview.hidden = true
    const heading = make('h2', { tabindex: -1 }, untrusted(index.tasks[index.digits.task[row]!]!))
    const body = make('div', {}, make('p', { class: 'muted' }, 'Opening …'))
    fill(viewer, controls(row), heading, facts(row), siblings(row), body)
    scrollTo(0, 0)
    heading.focus()
    try {
      const twin = index.twin(row)
      const [clean, episode] = await Promise.all([twin === undefined ? undefined : open(twin), open(row)])
      if (current !== row) return
      fill(body, viewEpisode(index, clean && { ...clean, row: twin! }, { ...episode, row }))
      body.querySelector('#to-parting')?.addEventListener('click', toParting)
    } catch (thrown) {
      fill(body, make('p', { class: 'warning' }, thrown instanceof Error ? thrown.message : String(thrown)))
    }
  }
  const neighbour = (row: number, by: number): number | undefined => {
    const rows = Array.from(table.rows())
    const at = rows.indexOf(row)
    return at === -1 ? undefined : rows[at + by]
  }
  const controls = (row: number): HTMLElement => {
    const rows = Array.from(table.rows())
    const at = rows.indexOf(row)
    const step = (by: number, text: string): HTMLElement => {
      const button = make('button', { type: 'button' }, text)
      button.disabled = neighbour(row, by) === undefined
      button.addEventListener('click', () => go(by))
      return button
    }
    return make(
      'nav',
      { class: 'controls', 'aria-label': 'Episodes' },
      make('a', { href: table.address() }, 'All episodes'),
      step(-1, 'Previous'),
      step(1, 'Next'),
      make('span', { class: 'muted number' }, at === -1 ? '' : `${number(at + 1)} of ${number(rows.length)}`),
      make('span', { class: 'keys muted' }, 'Keys: ← → episodes, D first difference, Esc back'),
    )
  }
  const facts = (row: number): HTMLElement => {
    const { packed, digits } = index
    const of = (names: readonly (string | number)[], axis: keyof typeof digits): HTMLElement =>
      untrusted(String(names[digits[axis][row]!]!))
    return make(
      'p',
      { class: 'facts' },
      untrusted(packed.environments[digits.environment[row]!]!.name),
      ' · ',
      of(packed.models, 'model'),
      ' with ',
      of(packed.agents, 'agent'),
      ' · temperature ',
      of(packed.temperatures, 'temperature'),
      ' · seed ',
      of(packed.seeds, 'seed'),
    )
  }
  const siblings = (row: number): HTMLElement => {
    const { packed, digits } = index
    return make(
      'nav',
      { class: 'siblings', 'aria-label': 'The same task under other columns' },
      index
        .siblings(row)
        .map((other) =>
          make(
            'a',
            { href: `#${index.keyOf(other)}`, 'aria-current': other === row && 'page' },
            untrusted(packed.columns[digits.column[other]!]!),
            ' ',
            outcomeBadge(packed.outcomes[packed.outcome[other]!]!),
          ),
        ),
    )
  }
  const go = (by: number): void => {
    const next = current === undefined ? undefined : neighbour(current, by)
    if (next !== undefined) location.replace(`#${index.keyOf(next)}`)
  }
  const toParting = (): void => {
    const parting = document.getElementById('parting')
    parting?.scrollIntoView({ block: 'center' })
    parting?.focus({ preventScroll: true })
  }
  const press = (event: KeyboardEvent): void => {
    if (current === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return
    if (event.key === 'ArrowLeft') go(-1)
    else if (event.key === 'ArrowRight') go(1)
    else if (event.key === 'Escape') location.hash = table.address()
    else if (event.key === 'd') toParting()
    else return
    event.preventDefault()
  }

  addEventListener('hashchange', follow)
  addEventListener('keydown', press)
  follow()
}
