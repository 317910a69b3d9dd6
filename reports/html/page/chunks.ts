import type { PackedChunk, PackedEpisode, PackedFile, PackedIndex, ShownMessage } from '../packed.js'
import { blockText, unpack } from './blocks.js'

/** An episode with the messages that its prompt points to. */
export interface OpenedEpisode {
  readonly episode: PackedEpisode
  readonly messages: readonly ShownMessage[]
}

/** Makes a function that opens what is stored of a row, wherever it is; the chunks that were opened last are kept. */
export function createChunkLoader(index: PackedIndex): (row: number) => Promise<OpenedEpisode> {
  const opened = new Map<number, Promise<PackedChunk>>()
  const load = (chunk: number): Promise<PackedChunk> => {
    const known = opened.get(chunk)
    if (known !== undefined) return known
    const made = chunkText(index, chunk).then((text) => unpack<PackedChunk>(text))
    made.catch(() => opened.delete(chunk))
    if (opened.size >= maxOpened) opened.delete(opened.keys().next().value!)
    opened.set(chunk, made)
    return made
  }
  return async (row) => {
    const chunk = index.chunks.findLastIndex((first) => first <= row)
    const { episodes, messages } = await load(chunk)
    return { episode: episodes[row - index.chunks[chunk]!]!, messages }
  }
}

const maxOpened = 8

async function chunkText({ files }: PackedIndex, chunk: number): Promise<string> {
  if (files === undefined) return blockText(`chunk-${String(chunk)}`)
  let first = 0
  const file = files.find(({ chunks }) => (first += chunks) > chunk)!
  const texts = await readFile(file)
  return texts[chunk - (first - file.chunks)]!
}

const files = new Map<string, Promise<readonly string[]>>()

function readFile(file: PackedFile): Promise<readonly string[]> {
  const known = files.get(file.file)
  if (known !== undefined) return known
  const read = new Promise<readonly string[]>((resolve, reject) => {
    const element = document.createElement('script')
    const fail = (what: string): void => {
      files.delete(file.file)
      reject(
        new Error(`Expected ${file.file} beside this page, ${what}. Copy the whole folder, or make the report again.`),
      )
    }
    element.addEventListener('error', () => fail('but it cannot be read'))
    element.addEventListener('load', () => {
      const texts = handed.get(file.hash)
      handed.delete(file.hash)
      element.remove()
      if (texts === undefined) fail('but it belongs to another report')
      else resolve(texts)
    })
    element.src = scriptAddress(file.file)
    document.head.append(element)
  })
  files.set(file.file, read)
  return read
}

/** What files beside the page have handed over, by their hashes. */
const handed = new Map<string, readonly string[]>()

/** Lets files hand over their texts: they consist of one call of this. */
export function receiveFiles(): void {
  Object.assign(globalThis, {
    shaketableEpisodes: (hash: string, texts: readonly string[]) => handed.set(hash, texts),
  })
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): {
    createScriptURL(address: string): string
  }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/**
 * The address of a file of episodes and of nothing else; where a browser knows Trusted Types, the page's policy allows
 * no other.
 */
function scriptAddress(file: string): string {
  const createScriptURL = (address: string): string => {
    if (/^report-episodes-\d{4,}\.js$/.test(address)) return address
    throw new Error(`Expected the name of a file of episodes, got ${address}. Make the report again.`)
  }
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (trustedTypes === undefined) return createScriptURL(file)
  policy ??= trustedTypes.createPolicy('episodes', { createScriptURL })
  return policy.createScriptURL(file)
}
