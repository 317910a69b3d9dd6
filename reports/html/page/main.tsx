import { render } from 'preact'
import type { PackedIndex } from '../packed.js'
import { type SearchProgress, EpisodeList } from './episode-list.js'
import { EpisodeView } from './episode-view.js'
import { type Episode, type EpisodeChunks, openChunks, openIndex, readBlock } from './episodes.js'
import { type EpisodeFilter, filterEpisodes, noFilter, readAddress, writeAddress } from './filter.js'
import { byId, Failure } from './parts.js'
import { readQuery, searchEpisodes } from './search.js'

async function start(): Promise<void> {
  showCharts(await readBlock<Readonly<Record<string, string>>>('drawings'))
  const index = await readBlock<PackedIndex>('index')
  showEpisodes(openIndex(index), openChunks(index))
  performance.mark('shaketable-ready')
}

/** Puts each chart into its figure as a picture, which can run no script and load nothing. */
function showCharts(charts: Readonly<Record<string, string>>): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-file]')) {
    const drawing = charts[figure.dataset['file']!]!
    const [, width, height] = /^<svg [^>]*?width="(\d+)" height="(\d+)"/.exec(drawing)!
    const picture = new Image(Number(width), Number(height))
    picture.alt = figure.querySelector('summary')!.textContent
    picture.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`
    figure.querySelector('figcaption')!.before(picture)
  }
}

/** Milliseconds from the last change of a filter to the search. */
const searchAfter = 150

/**
 * Shows what the address names: `#KEY?…` an episode, `#episodes?…` the list, each with the state of the list, anything
 * else a section of the page. Each episode opened from the list is an entry in the browser's history.
 */
function showEpisodes(all: readonly Episode[], chunks: EpisodeChunks): void {
  const [page, viewer, list] = [byId('page'), byId('viewer'), byId('episode-list')]
  let filter = noFilter
  /** The episodes that the filter selects, and those of them that are listed. */
  let selected = all
  let listed = all
  /** The search that was begun last. */
  let search: SearchProgress | undefined
  let key: string | undefined
  let step = ''

  const address = (episode?: Episode, at = ''): string => writeAddress(filter, episode?.key.slice(0, 12), at)
  const opened = (): Episode | undefined =>
    key === undefined ? undefined : all.find((episode) => episode.key.startsWith(key!))
  const draw = (): void => {
    const hits = search?.found
    listed = hits === undefined ? selected : selected.filter(({ place }) => hits.has(place))
    render(<EpisodeList {...{ all, filter, listed, search, address, change }} />, list)
    const episode = opened()
    const missing = `Expected the key of an episode on this page, got ${String(key)}. Choose one from the list.`
    if (key === undefined) render(null, viewer)
    else if (episode === undefined)
      render([<a href={address()}>← All episodes</a>, <Failure thrown={missing} />], viewer)
    else render(<EpisodeView key={episode.key} {...{ chunks, episode, step, listed, address, replace }} />, viewer)
  }
  const replace = (episode: Episode | undefined): void => {
    if (episode !== undefined) location.replace(address(episode))
  }
  const find = async (query: RegExp): Promise<void> => {
    const own: SearchProgress = { of: selected.length, searched: 0, isRunning: true, found: new Map() }
    search = own
    await new Promise((resolve) => setTimeout(resolve, searchAfter))
    try {
      for await (const part of searchEpisodes(chunks, query, selected)) {
        if (search !== own) return
        for (const [place, line] of part.found) own.found.set(place, line)
        own.searched += part.searched
        draw()
        // The browser draws, and reads what was typed.
        await new Promise((resolve) => setTimeout(resolve))
      }
    } catch (thrown) {
      own.thrown = thrown
    }
    own.isRunning = false
    if (search === own) draw()
  }
  const apply = (next: EpisodeFilter): void => {
    const isOther = writeAddress({ ...next, page: '' }) !== writeAddress({ ...filter, page: '' })
    filter = next
    if (!isOther) return
    selected = filterEpisodes(all, filter)
    const query = readQuery(filter.find)
    search = undefined
    if (query !== undefined) void find(query)
  }
  const change = (fields: Partial<EpisodeFilter>): void => {
    apply({ ...filter, page: '', ...fields })
    history.replaceState(null, '', address())
    draw()
  }
  const follow = (): void => {
    const before = opened()
    const named = readAddress(location.hash)
    key = named?.key
    step = named?.step ?? ''
    page.hidden = key !== undefined
    viewer.hidden = key === undefined
    apply(named?.filter ?? filter)
    draw()
    if (key !== undefined) return
    const link = list.querySelector<HTMLElement>(`[data-place="${String(before?.place)}"]`)
    if (link !== null) link.focus()
    else document.getElementById(/^[^?]*/.exec(location.hash.slice(1))![0])?.scrollIntoView()
  }
  const press = ({ key: pressed, target, ctrlKey, altKey, metaKey }: KeyboardEvent): void => {
    if (viewer.hidden || ctrlKey || altKey || metaKey || (target as Element).closest('input, select') !== null) return
    const at = listed.indexOf(opened()!)
    if (pressed === 'Escape') location.hash = address()
    if (pressed === 'ArrowLeft') replace(listed[at - 1])
    if (pressed === 'ArrowRight' && at !== -1) replace(listed[at + 1])
  }
  addEventListener('hashchange', follow)
  addEventListener('keydown', press)
  follow()
}

start().catch((thrown: unknown) => {
  render(<Failure thrown={thrown} />, byId('episode-list'))
})
