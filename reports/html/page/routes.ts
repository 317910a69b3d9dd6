import { byId } from './dom.js'
import { readFilter } from './episode-filter.js'
import type { EpisodeIndex } from './episode-index.js'
import type { EpisodePage } from './episode-page.js'
import type { EpisodeTable } from './episode-table.js'

/**
 * Shows what the address says: `#KEY` an episode, `#episodes?…` the list by a filter, anything else a section of the
 * page. The browser's own way back works, as every episode that is opened from the list is a place in its history.
 */
export function followAddress(index: EpisodeIndex, table: EpisodeTable, episodes: EpisodePage): void {
  const viewer = byId('viewer')
  const page = byId('page')
  let current: number | undefined

  const follow = (): void => {
    const key = /^#([0-9a-f]{8,20})$/.exec(location.hash)?.[1]
    const row = key === undefined ? undefined : index.find(key)
    const left = current
    current = row
    viewer.hidden = key === undefined
    page.hidden = key !== undefined
    if (row !== undefined) episodes.show(row)
    else if (key === undefined) comeBack(left)
    else episodes.miss(key)
  }
  const comeBack = (left: number | undefined): void => {
    const filter = readFilter(location.hash)
    if (filter !== undefined) table.filter(filter)
    if (filter !== undefined) byId('episodes').scrollIntoView()
    else if (left !== undefined) document.getElementById(location.hash.slice(1))?.scrollIntoView()
    if (left !== undefined) table.focus(left)
  }
  const press = (event: KeyboardEvent): void => {
    const { key, target } = event
    if (viewer.hidden || event.ctrlKey || event.altKey || event.metaKey) return
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
    if (key === 'ArrowLeft') episodes.go(-1)
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
