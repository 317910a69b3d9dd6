import type { PackedIndex } from '../packed.js'
import { blockText, unpack } from './blocks.js'
import { createChunkLoader, receiveFiles } from './chunks.js'
import { byId, fill, make } from './dom.js'
import { openIndex } from './episode-index.js'
import { createEpisodePage } from './episode-page.js'
import { createEpisodeTable } from './episode-table.js'
import { choosePanels } from './panels.js'
import { enhanceTable } from './report-table.js'
import { followAddress } from './routes.js'
import { addTooltips } from './tooltips.js'

async function start(): Promise<void> {
  for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) enhanceTable(table)
  for (const panels of document.querySelectorAll<HTMLElement>('.panels')) choosePanels(panels)
  addTooltips()
  receiveFiles()
  const index = openIndex(await unpack<PackedIndex>(await blockText('index')))
  const table = createEpisodeTable(index)
  followAddress(index, table, createEpisodePage(index, table, createChunkLoader(index.packed)))
  performance.mark('shaketable-ready')
}

start().catch((thrown: unknown) => {
  fill(byId('episode-list'), make('p', { class: 'warning' }, thrown instanceof Error ? thrown.message : String(thrown)))
})
