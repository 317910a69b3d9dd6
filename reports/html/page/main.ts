import type { PackedIndex } from '../packed.js'
import { blockText, createChunkLoader, receiveFiles, unpack } from './chunks.js'
import { byId, failure, fill } from './dom.js'
import { addExports } from './exports.js'
import { readFilter } from './episode-filter.js'
import type { EpisodeIndex } from './episode-index.js'
import { openIndex } from './episode-index.js'
import type { EpisodePage } from './episode-page.js'
import { createEpisodePage } from './episode-page.js'
import type { EpisodeTable } from './episode-table.js'
import { createEpisodeTable } from './episode-table.js'
import { choosePanels } from './panels.js'
import { addScrollShadows, enhanceTable } from './report-table.js'
import { addRoving } from './roving.js'
import { addTooltips } from './tooltips.js'

async function start(): Promise<void> {
  for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) enhanceTable(table)
  for (const panels of document.querySelectorAll<HTMLElement>('.panels')) choosePanels(panels)
  for (const group of document.querySelectorAll<HTMLElement>('[data-roving], .cards')) addRoving(group)
  addExports()
  addTooltips()
  openForPrint()
  receiveFiles()
  const index = openIndex(await unpack<PackedIndex>(await blockText('index')))
  const table = createEpisodeTable(index)
  followAddress(index, table, createEpisodePage(index, table, createChunkLoader(index.packed)))
  addScrollShadows()
  performance.mark('shaketable-ready')
}

/** What is folded is on paper too. */
function openForPrint(): void {
  let folded: HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>('#page details:not([open])')]
    for (const one of folded) one.open = true
  })
  addEventListener('afterprint', () => {
    for (const one of folded) one.open = false
  })
}

/**
 * Shows what the address names: `#KEY` an episode, `#episodes?…` the list with a filter, anything else a section of the
 * page. Each episode opened from the list is an entry in the browser's history.
 */
function followAddress(index: EpisodeIndex, table: EpisodeTable, episodes: EpisodePage): void {
  const viewer = byId('viewer')
  const page = byId('page')
  let current: number | undefined

  const follow = (): void => {
    const key = /^#([0-9a-f]{8,20})$/.exec(location.hash)?.[1]
    const row = key === undefined ? undefined : index.find(key)
    const previous = current
    current = row
    viewer.hidden = key === undefined
    page.hidden = key !== undefined
    if (row !== undefined) episodes.show(row)
    else if (key === undefined) returnToPage(previous)
    else episodes.showMissing(key)
  }
  const returnToPage = (previous: number | undefined): void => {
    const filter = readFilter(location.hash)
    if (filter !== undefined) table.filter(filter)
    if (filter !== undefined) byId('episodes').scrollIntoView()
    else if (previous !== undefined) document.getElementById(location.hash.slice(1))?.scrollIntoView()
    if (previous !== undefined) table.focus(previous)
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

start().catch((thrown: unknown) => {
  fill(byId('episode-list'), failure(thrown))
})
