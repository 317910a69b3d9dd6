import { visibleText } from '../visible.js'
import type { EpisodeChunks } from './chunks.js'
import { byId, failure, fill, make, makeButton, number, untrusted } from './dom.js'
import { outcomeBadge, taskNames } from './episode-columns.js'
import type { Axis, EpisodeIndex } from './episode-index.js'
import { keysButton } from './episode-keys.js'
import type { EpisodeTable } from './episode-table.js'
import { addRoving } from './roving.js'
import { toFirstDifference, toStep, viewEpisode } from './viewer.js'

/** The view of one episode, in place of the rest of the page. */
export interface EpisodePage {
  /** Shows a row's episode beside its clean twin, and one of its steps unless `step` is empty. */
  show(row: number, step: string): void
  /** Shows that no episode on this page has a key. */
  showMissing(key: string): void
  /** Goes `by` episodes on in the list; the new one replaces this one in the browser's history. */
  go(by: number): void
  /** Focuses the step `by` steps after the one that the Tab key reaches. */
  move(by: number): void
  toFirstDifference(): void
}

/** Milliseconds from a change of the step until the address has it: browsers limit how often it may change. */
const addressAfter = 250

/** Creates the view of single episodes, which are loaded when they are shown. */
export function createEpisodePage(index: EpisodeIndex, table: EpisodeTable, { open }: EpisodeChunks): EpisodePage {
  const { packed, digits } = index
  const page = byId('viewer')
  let current = -1
  let moveStep: ((by: number) => void) | undefined

  const show = async (row: number, step: string): Promise<void> => {
    current = row
    moveStep = undefined
    const { title, id } = taskNames(index, row)
    const heading = make(
      'h2',
      { tabindex: -1 },
      untrusted(title),
      id !== undefined && [' ', make('span', { class: 'task-id' }, untrusted(id))],
    )
    const body = make('div', {}, make('p', { class: 'muted' }, 'Loading …'))
    fill(page, controls(), heading, facts(row), siblings(row), body)
    scrollTo(0, 0)
    heading.focus({ preventScroll: true })
    try {
      const twin = index.twin(row)
      const [clean, episode] = await Promise.all([twin === undefined ? undefined : open(twin), open(row)])
      if (current !== row) return
      fill(body, viewEpisode(index, clean && { ...clean, row: twin! }, { ...episode, row }))
      const steps = [...body.querySelectorAll<HTMLElement>('.steps > li')]
      moveStep = addRoving(body, '.steps > li', 'vertical')
      followSteps(row, steps)
      if (step !== '') toStep(steps.find(({ dataset }) => dataset['step'] === step) ?? null)
    } catch (thrown) {
      if (current === row) fill(body, failure(thrown))
    }
  }
  /** Marks the step that has the focus, and keeps it in the address. */
  const followSteps = (row: number, steps: readonly HTMLElement[]): void => {
    let timer: ReturnType<typeof setTimeout> | undefined
    for (const step of steps) {
      step.addEventListener('focusin', () => {
        for (const other of steps) other.removeAttribute('aria-current')
        step.setAttribute('aria-current', 'step')
        clearTimeout(timer)
        timer = setTimeout(() => {
          if (current === row && step.isConnected && !page.hidden) {
            history.replaceState(null, '', table.address(row, step.dataset['step']))
          }
        }, addressAfter)
      })
    }
  }
  const copyLink = async (): Promise<void> => {
    const link = byId('copied')
    try {
      await navigator.clipboard.writeText(location.href)
      fill(link, 'Copied')
    } catch {
      const field = make('input', { readonly: true, 'aria-label': 'Link to this episode', value: location.href })
      fill(link, field)
      field.select()
    }
  }
  const position = make('span', { class: 'muted number' })
  const previous = makeButton('Previous', () => go(-1))
  const next = makeButton('Next', () => go(1))
  const place = (): void => {
    const at = table.positionOf(current)
    fill(position, at !== undefined && `${number(at + 1)} of ${number(table.listed())}`)
    previous.disabled = table.neighbour(current, -1) === undefined
    next.disabled = table.neighbour(current, 1) === undefined
  }
  table.whenListed(place)
  const controls = (): HTMLElement => {
    place()
    return make(
      'nav',
      { class: 'controls', 'aria-label': 'Episodes' },
      make('a', { href: table.address() }, '← All', make('span', { class: 'wide' }, ' episodes')),
      keysButton(),
      makeButton('Copy link', () => void copyLink()),
      make('span', { id: 'copied', class: 'muted', role: 'status' }),
      position,
      previous,
      next,
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
      index.kinds[digits.task[row]!] !== '' && [' · ', of(index.kinds, 'task')],
    )
  }
  const siblings = (row: number): HTMLElement => {
    const links = index.siblings(row).map((other) =>
      make(
        'a',
        {
          href: table.address(other),
          title: visibleText(packed.rules[digits.column[other]!]!),
          'aria-current': other === row && 'page',
        },
        untrusted(packed.columns[digits.column[other]!]!),
        ' ',
        outcomeBadge(packed.outcomes[packed.outcome[other]!]!),
      ),
    )
    const nav = make('nav', { class: 'siblings', 'aria-label': 'The same task under each column' }, links)
    addRoving(nav)
    return nav
  }
  const go = (by: number): void => {
    const next = table.neighbour(current, by)
    if (next === undefined) return
    // Set before the address changes, so that a key pressed twice quickly goes two episodes on.
    current = next
    location.replace(table.address(next))
  }
  const showMissing = (key: string): void => {
    const message = `Expected the key of an episode on this page, got ${key}. Choose one from the list.`
    fill(page, make('p', {}, make('a', { href: table.address() }, '← All episodes')), failure(message))
  }
  return {
    show: (row, step) => void show(row, step),
    showMissing,
    go,
    move: (by) => moveStep?.(by),
    toFirstDifference,
  }
}
