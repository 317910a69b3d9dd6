import type { PackedIndex } from '../packed.js'
import { blockText, unpack } from './blocks.js'
import { createChunkLoader, receiveFiles } from './chunks.js'
import { byId, fill, make } from './dom.js'
import { openIndex } from './episode-index.js'
import { createEpisodeTable } from './episode-table.js'
import { enhanceTable } from './report-table.js'
import { followAddress } from './routes.js'

async function start(): Promise<void> {
  for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) enhanceTable(table)
  receiveFiles()
  const index = openIndex(await unpack<PackedIndex>(await blockText('index')))
  const table = createEpisodeTable(index)
  followAddress(index, table, createChunkLoader(index.packed))
  performance.mark('shaketable-ready')
}

start().catch((thrown: unknown) => {
  fill(byId('episode-list'), make('p', { class: 'warning' }, thrown instanceof Error ? thrown.message : String(thrown)))
})
