import type { PackedChunk, PackedIndex, ShownEpisode } from '../packed.js'

/**
 * Reads a data block of the page, JSON in gzip and base64; the caller names its shape, as page and data are made
 * together.
 */
export async function readBlock<Shape>(id: string): Promise<Shape> {
  const text = document.getElementById(id)?.textContent
  if (text === undefined) {
    throw new Error(`Expected the block ${id} in this page, which may be truncated. Make the report again.`)
  }
  const bytes = Uint8Array.from(atob(text.slice(1, -1)), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as Shape
}

/** The episodes of the page, which are read in chunks when they are needed. */
export interface EpisodeChunks {
  /** The first episode of each chunk. */
  readonly firsts: readonly number[]
  read(chunk: number): Promise<PackedChunk>
  /** Reads the episode of a place. */
  open(place: number): Promise<ShownEpisode>
}

/** Opens the chunks of an index. */
export function openChunks({ chunks: firsts }: PackedIndex): EpisodeChunks {
  const cached = new Map<number, Promise<PackedChunk>>()
  const read = (chunk: number): Promise<PackedChunk> => {
    const reading = cached.get(chunk) ?? readBlock<PackedChunk>(`chunk-${String(chunk)}`)
    cached.set(chunk, reading)
    return reading
  }
  return {
    firsts,
    read,
    async open(place) {
      const chunk = firsts.findLastIndex((first) => first <= place)
      return openEpisode(await read(chunk), place - firsts[chunk]!)
    },
  }
}

/** An episode of a chunk with its messages. */
export function openEpisode({ messages, episodes }: PackedChunk, at: number): ShownEpisode {
  const { said, ...rest } = episodes[at]!
  return { ...rest, said: said && { ...said, prompt: said.prompt.map((message) => messages[message]!) } }
}
