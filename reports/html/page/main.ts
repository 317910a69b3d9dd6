import type { PackedIndex } from '../packed.js'
import { blockText, openChunks, receiveFiles, unpack } from './chunks.js'
import { byId, failure, fill } from './dom.js'
import { followAddress } from './episode-address.js'
import { addExports } from './exports.js'
import { openIndex } from './episode-index.js'
import { createEpisodePage } from './episode-page.js'
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
  const chunks = openChunks(index.packed)
  const table = createEpisodeTable(index, chunks)
  followAddress(index, table, createEpisodePage(index, table, chunks))
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

start().catch((thrown: unknown) => {
  fill(byId('episode-list'), failure(thrown))
})
