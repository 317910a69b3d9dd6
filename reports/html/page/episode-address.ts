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
    else if (key === undefined) returnToPage(previous, filter !== undefined)
    else episodes.showMissing(key)
  }
  const returnToPage = (previous: number | undefined, isFiltered: boolean): void => {
    if (isFiltered) byId('episodes').scrollIntoView()
    else if (previous !== undefined) document.getElementById(location.hash.slice(1))?.scrollIntoView()
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
}
