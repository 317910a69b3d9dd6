import { fill, make, makeButton } from './dom.js'

/*
 * Keeps a page up to date that `shaketable report --live` serves: asks its server whether rows were added, and loads
 * the page again if they were. The address keeps the episode and the state of the list; the rest is kept in the
 * session.
 */

/** What the server answers. */
interface LiveState {
  /** Of the newest page. */
  readonly version: string
  /** State of the run in words. */
  readonly text: string
  /** Whether the run has ended and this is its last page. */
  readonly isOver: boolean
}

const pollMs = 2000
/** How long an answer may take: rendering a large run keeps the machine busy. */
const answerMs = 10_000

const version = document.querySelector<HTMLMetaElement>('meta[name=shaketable-live]')?.content ?? ''
const stored = 'shaketable-live'
const shown = make('span', { role: 'status' })
const bar = make('aside', { 'aria-label': 'Live' }, shown)

Object.assign(bar.style, {
  position: 'fixed',
  insetInline: '0',
  bottom: '0',
  zIndex: '5',
  padding: '.35rem 1rem',
  background: 'var(--raised)',
  color: 'var(--muted)',
  borderTop: '1px solid var(--line)',
  overflowWrap: 'anywhere',
})
document.body.append(bar)
document.body.style.paddingBottom = '3rem'

function tell(text: string, ...more: readonly HTMLElement[]): void {
  if (shown.textContent !== text || bar.childElementCount !== 1 + more.length) {
    fill(shown, text)
    bar.replaceChildren(shown, ...more)
  }
}

async function ask(): Promise<LiveState> {
  const answer = await fetch('state', { cache: 'no-store', signal: AbortSignal.timeout(answerMs) })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as LiveState
}

async function poll(): Promise<void> {
  if (!document.hidden) {
    try {
      const state = await ask()
      const isNew = state.version !== version
      if (isNew && !isReading()) {
        reload()
        return
      }
      const show = makeButton('Show them', reload)
      show.style.marginInlineStart = '.75rem'
      if (isNew) tell(`Live: ${state.text}. There are new episodes. `, show)
      else tell(`${state.isOver ? '' : 'Live: '}${state.text}.`)
    } catch {
      tell(
        'The server of this page has stopped, or does not answer: the page stays as it is. `shaketable report RUN --live` with the same --port continues it.',
      )
    }
  }
  setTimeout(() => void poll(), pollMs)
}

function reload(): void {
  keep()
  location.reload()
}

/** Whether a new page would interrupt its reader: an episode is open, text is selected, or a field is in use. */
function isReading(): boolean {
  return (
    document.getElementById('viewer')?.hidden === false ||
    document.querySelector('dialog[open]') !== null ||
    getSelection()?.isCollapsed === false ||
    document.activeElement?.matches('input, select, textarea') === true
  )
}

/** What is kept of a page: by position, since the next page has the same parts in the same order. */
interface Kept {
  readonly hash: string
  /** The section at the top of the window, and how far the window is below its top, in pixels. */
  readonly section: string
  readonly offset: number
  readonly open: readonly string[]
  readonly fields: readonly (readonly [place: string, value: string])[]
  readonly tabs: readonly string[]
  readonly sorted: readonly (readonly [place: string, order: string])[]
}

/** Elements by section and text, or position in the section. */
function placed<Type extends Element>(selector: string): [place: string, element: Type][] {
  const counts = new Map<string, number>()
  return [...document.querySelectorAll<Type>(`#page main section:not(#episodes) ${selector}`)].map((element) => {
    const name = `${element.closest('section[id]')?.id ?? ''} ${element.tagName}`
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return [`${name} ${String(count)}`, element]
  })
}

function keep(): void {
  const sections = [...document.querySelectorAll<HTMLElement>('#page section[id]')]
  const top = sections.findLast((section) => section.getBoundingClientRect().top <= 1)
  const kept: Kept = {
    hash: location.hash,
    section: top?.id ?? '',
    offset: top === undefined ? scrollY : -top.getBoundingClientRect().top,
    open: placed<HTMLDetailsElement>('details').flatMap(([place, { open }]) => (open ? [place] : [])),
    fields: placed<HTMLInputElement>(':is(input, select)').map(([place, { value }]) => [place, value]),
    tabs: placed('[role=tab]').flatMap(([place, tab]) => (tab.ariaSelected === 'true' ? [place] : [])),
    sorted: placed('th').flatMap(([place, { ariaSort }]) => (ariaSort === null ? [] : [[place, ariaSort] as const])),
  }
  history.scrollRestoration = 'manual'
  sessionStorage.setItem(stored, JSON.stringify(kept))
}

function restore(): void {
  const text = sessionStorage.getItem(stored)
  sessionStorage.removeItem(stored)
  if (text === null) return
  const { hash, section, offset, open, fields, tabs, sorted } = JSON.parse(text) as Kept
  if (hash !== location.hash) return
  for (const [place, details] of placed<HTMLDetailsElement>('details')) details.open = open.includes(place)
  for (const [place, tab] of placed<HTMLElement>('[role=tab]')) {
    if (!tabs.includes(place) || tab.ariaSelected === 'true') continue
    tab.focus({ preventScroll: true })
    tab.blur()
  }
  const values = new Map(fields)
  for (const [place, field] of placed<HTMLInputElement>(':is(input, select)')) {
    const value = values.get(place)
    if (value === undefined || value === field.value) continue
    field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const orders = new Map(sorted)
  for (const [place, head] of placed('th')) {
    for (let clicks = 0; clicks < 2 && orders.has(place) && head.ariaSort !== orders.get(place); clicks++)
      head.querySelector('button')?.click()
  }
  holdPlace(section, offset)
}

/** Frames during which the place is held: charts get their height when they come near the window. */
const holdFrames = 30

function holdPlace(section: string, offset: number): void {
  // Ends the landing on the section of the address, which a new page begins with.
  dispatchEvent(new Event('pointerdown'))
  const reader = new AbortController()
  for (const type of ['wheel', 'keydown', 'pointerdown', 'hashchange'])
    addEventListener(type, () => reader.abort(), { signal: reader.signal })
  const hold = (left: number): void => {
    if (left === 0) reader.abort()
    if (reader.signal.aborted) return
    const top = document.getElementById(section)?.getBoundingClientRect().top ?? -scrollY
    scrollTo({ top: scrollY + top + offset, behavior: 'instant' })
    requestAnimationFrame(() => hold(left - 1))
  }
  hold(holdFrames)
}

/** Calls back once the page's own script has finished. */
function whenReady(then: () => void): void {
  if (performance.getEntriesByName('shaketable-ready').length > 0) then()
  else setTimeout(() => whenReady(then), 20)
}

whenReady(() => {
  restore()
  void poll()
})
