import { byId } from './dom.js'
import { readAddress, writeAddress } from './episode-filter.js'
import type { EpisodeIndex } from './episode-index.js'
import { isTaken, showKeys } from './episode-keys.js'
import type { EpisodePage } from './episode-page.js'
import type { EpisodeTable } from './episode-table.js'

/**
 * Shows what the address names: `#KEY?…` an episode, `#episodes?…` the list, each with the state of the list, anything
 * else a section of the page. Each episode opened from the list is an entry in the browser's history. Listens for keys.
 */
export function followAddress(index: EpisodeIndex, table: EpisodeTable, episodes: EpisodePage): void {
  const viewer = byId('viewer')
  const page = byId('page')
  let current: number | undefined
  /** What had the focus when an episode was opened. */
  let opener: Element | null = null
  let isFirst = true

  const follow = (): void => {
    const { key, filter, step = '' } = readAddress(location.hash) ?? {}
    const row = key === undefined ? undefined : index.find(key)
    const previous = current
    current = row
    if (viewer.hidden && key !== undefined) opener = document.activeElement
    viewer.hidden = key === undefined
    page.hidden = key !== undefined
    if (filter !== undefined && writeAddress(filter) !== table.address()) table.filter(filter)
    if (row !== undefined) episodes.show(row, step)
    else if (key === undefined) returnToPage(previous)
    else episodes.showMissing(key)
  }
  const returnToPage = (previous: number | undefined): void => {
    const section = document.getElementById(/^[^?]*/.exec(location.hash.slice(1))![0])
    if (previous !== undefined) section?.scrollIntoView()
    // The browser itself scrolls to a plain section when the address changes.
    else if (section !== null && (isFirst || location.hash.includes('?'))) land(section)
    if (previous === undefined) return
    const isElsewhere = opener !== document.body && opener?.closest('#episode-list') === null
    if (isElsewhere && opener?.isConnected === true) (opener as HTMLElement).focus()
    else table.focus(previous)
  }
  const search = (): void => {
    if (!viewer.hidden) {
      location.hash = table.address()
      follow()
    }
    table.focusSearch()
  }
  const press = (event: KeyboardEvent): void => {
    if (isTaken(event)) return
    const { key } = event
    const isEpisode = !viewer.hidden
    if (key === '?') showKeys()
    else if (key === '/') search()
    else if (key === 'j' || key === 'k') (isEpisode ? episodes : table).move(key === 'j' ? 1 : -1)
    else if (!isEpisode) return
    else if (key === 'ArrowLeft') episodes.go(-1)
    else if (key === 'ArrowRight') episodes.go(1)
    else if (key === 'Escape') location.hash = table.address()
    else if (key === 'd' || key === 'D') episodes.toFirstDifference()
    else return
    event.preventDefault()
  }

  addEventListener('hashchange', follow)
  addEventListener('keydown', press)
  follow()
  isFirst = false
}

/** How many frames {@link land} takes: charts get their height when they come near the window. */
const landingFrames = 30

/** Scrolls to a section, and again in each of the next frames until the reader scrolls, presses or follows a link. */
function land(section: HTMLElement): void {
  const reader = new AbortController()
  for (const type of ['wheel', 'keydown', 'pointerdown', 'hashchange'])
    addEventListener(type, () => reader.abort(), { signal: reader.signal })
  const scroll = (left: number): void => {
    if (left === 0) reader.abort()
    if (reader.signal.aborted) return
    section.scrollIntoView({ behavior: 'instant' })
    requestAnimationFrame(() => scroll(left - 1))
  }
  scroll(landingFrames)
}
