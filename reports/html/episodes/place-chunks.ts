import { createHash } from 'node:crypto'
import type { PackedFile } from '../packed.js'
import type { Chunk } from './pack-chunks.js'

/** Where chunks went: into the page, or into files beside it. */
interface PlacedChunks {
  /** How many episodes each holds. */
  readonly episodes: readonly number[]
  /** Their texts; empty where they are in files. */
  readonly inline: readonly string[]
  readonly files?: readonly PackedFile[]
}

/** A file of the report. */
interface File {
  readonly file: string
  readonly text: string
}

/**
 * A page holds its episodes itself up to so many, and up to so many characters of chunks; beyond they go into files.
 */
const maxInline = { episodes: 10_000, characters: 24_000_000 }
/** A file is closed when it has as many characters as this. */
const fileCharacters = 4_000_000

/** Decides where chunks go, and gives the files as they become full. */
export function* placeChunks(
  chunks: Iterable<Chunk>,
  episodes: number,
  most = maxInline,
): Generator<File, PlacedChunks, undefined> {
  const counts: number[] = []
  const files: PackedFile[] = []
  const held: string[] = []
  let characters = 0
  let inFiles = episodes > most.episodes
  const close = (): File => {
    const texts: string[] = []
    for (let size = 0; held.length > 0 && size < fileCharacters; size += texts.at(-1)!.length) texts.push(held.shift()!)
    for (const { length } of texts) characters -= length
    const hash = createHash('sha256').update(texts.join(',')).digest('hex').slice(0, 16)
    const file = `report-episodes-${String(files.length + 1).padStart(4, '0')}.js`
    files.push({ file, hash, chunks: texts.length })
    return { file, text: scriptOf(hash, texts) }
  }
  for (const chunk of chunks) {
    counts.push(chunk.episodes)
    held.push(chunk.text)
    characters += chunk.text.length
    inFiles ||= characters > most.characters
    while (inFiles && characters >= fileCharacters) yield close()
  }
  if (!inFiles) return { episodes: counts, inline: held }
  if (held.length > 0) yield close()
  return { episodes: counts, inline: [], files }
}

/** Whether a file has a name of those that {@link placeChunks} gives. */
export function isSideFile(file: string): boolean {
  return /^report-episodes-\d{4,}\.js$/.test(file)
}

/** A script that hands its texts to the page; it holds nothing but base64, so that no text of an episode can be run. */
function scriptOf(hash: string, texts: readonly string[]): string {
  return `shaketableEpisodes(${JSON.stringify(hash)},${JSON.stringify(texts)})\n`
}
