import type { OpenedEpisode } from './chunks.js'
import { byId, failure, fill, make, makeButton, number, untrusted } from './dom.js'
import { outcomeBadge } from './episode-columns.js'
import type { Axis, EpisodeIndex } from './episode-index.js'
import type { EpisodeTable } from './episode-table.js'
import { toFirstDifference, viewEpisode } from './viewer.js'

/** The view of one episode, in place of the rest of the page. */
export interface EpisodePage {
  /** Shows a row's episode beside its clean twin. */
  show(row: number): void
  /** Shows that no episode on this page has a key. */
  showMissing(key: string): void
  /** Goes `by` episodes on in the list; the new one replaces this one in the browser's history. */
  go(by: number): void
  toFirstDifference(): void
}

/** Creates the view of single episodes, which are loaded when they are shown. */
export function createEpisodePage(
  index: EpisodeIndex,
  table: EpisodeTable,
  open: (row: number) => Promise<OpenedEpisode>,
): EpisodePage {
  const { packed, digits } = index
  const page = byId('viewer')
  let current = -1

  const show = async (row: number): Promise<void> => {
    current = row
    const heading = make('h2', { tabindex: -1 }, untrusted(index.tasks[digits.task[row]!]!))
    const body = make('div', {}, make('p', { class: 'muted' }, 'Loading …'))
    fill(page, controls(row), heading, facts(row), siblings(row), body)
    scrollTo(0, 0)
    heading.focus({ preventScroll: true })
    try {
      const twin = index.twin(row)
      const [clean, episode] = await Promise.all([twin === undefined ? undefined : open(twin), open(row)])
      if (current === row) fill(body, viewEpisode(index, clean && { ...clean, row: twin! }, { ...episode, row }))
    } catch (thrown) {
      fill(body, failure(thrown))
    }
  }
  const controls = (row: number): HTMLElement => {
    const step = (by: number, text: string): HTMLElement =>
      makeButton(text, () => go(by), { disabled: table.neighbour(row, by) === undefined })
    const position = table.positionOf(row)
    return make(
      'nav',
      { class: 'controls', 'aria-label': 'Episodes' },
      make('a', { href: table.address() }, '← All episodes'),
      make('span', { class: 'keys muted' }, 'Keys: ← → episodes, D first difference, Esc back'),
      make(
        'span',
        { class: 'muted number' },
        position !== undefined && `${number(position + 1)} of ${number(table.listed())}`,
      ),
      step(-1, 'Previous'),
      step(1, 'Next'),
    )
  }
  const facts = (row: number): HTMLElement => {
    const of = (names: readonly (string | number)[], axis: Axis | 'environment'): HTMLElement =>
      untrusted(String(names[digits[axis][row]!]!))
    const environments = packed.environments.map(({ name }) => name)
    return make(
      'p',
      { class: 'facts' },
      of(environments, 'environment'),
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
  const siblings = (row: number): HTMLElement =>
    make(
      'nav',
      { class: 'siblings', 'aria-label': 'The same task under each column' },
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
  const go = (by: number): void => {
    const next = table.neighbour(current, by)
    if (next === undefined) return
    // Set before the address changes, so that a key pressed twice quickly goes two episodes on.
    current = next
    location.replace(`#${index.keyOf(next)}`)
  }
  const showMissing = (key: string): void => {
    const message = `Expected the key of an episode on this page, got ${key}. Choose one from the list.`
    fill(page, make('p', {}, make('a', { href: table.address() }, '← All episodes')), failure(message))
  }
  return { show: (row) => void show(row), showMissing, go, toFirstDifference }
}
