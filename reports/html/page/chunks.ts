import type { PackedChunk, PackedEpisode, PackedFile, PackedIndex, ShownMessage } from '../packed.js'

/** Decodes JSON in gzip and base64; the caller names its shape, as page and data are made together. */
export async function unpack<Shape>(text: string): Promise<Shape> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as Shape
}

/** The text of a data block of the page; waits for blocks that come after the script. */
export async function blockText(id: string): Promise<string> {
  if (document.getElementById(id) === null) await pageIsParsed()
  const text = document.getElementById(id)?.textContent
  if (text === null || text === undefined) {
    throw new Error(`Expected the block ${id} in this page, which may be truncated. Make the report again.`)
  }
  return text.slice(1, -1)
}

function pageIsParsed(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true })
  })
}

/** An episode with the messages that its prompt refers to. */
export interface OpenedEpisode {
  readonly episode: PackedEpisode
  readonly messages: readonly ShownMessage[]
}

/** The episodes of the page, which are read in chunks when they are needed. */
export interface EpisodeChunks {
  /** Reads the episode of a row; the chunks opened last are cached. */
  open(row: number): Promise<OpenedEpisode>
  /** The first row of each chunk. */
  readonly firsts: readonly number[]
  /** Reads a chunk, which is not cached. */
  read(chunk: number): Promise<PackedChunk>
}

/** Opens the chunks of an index, wherever they are. */
export function openChunks(index: PackedIndex): EpisodeChunks {
  const opened = new Map<number, Promise<PackedChunk>>()
  const read = async (chunk: number): Promise<PackedChunk> => unpack(await chunkText(index, chunk))
  const load = (chunk: number): Promise<PackedChunk> => {
    const cached = opened.get(chunk)
    if (cached !== undefined) return cached
    const loading = read(chunk)
    loading.catch(() => opened.delete(chunk))
    if (opened.size >= maxOpened) opened.delete(opened.keys().next().value!)
    opened.set(chunk, loading)
    return loading
  }
  return {
    async open(row) {
      const chunk = index.chunks.findLastIndex((first) => first <= row)
      const { episodes, messages } = await load(chunk)
      return { episode: episodes[row - index.chunks[chunk]!]!, messages }
    },
    firsts: index.chunks,
    read,
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

/** The files read last. */
const files = new Map<string, Promise<readonly string[]>>()
const maxFiles = 4

function readFile(file: PackedFile): Promise<readonly string[]> {
  const cached = files.get(file.file)
  if (cached !== undefined) return cached
  const read = new Promise<readonly string[]>((resolve, reject) => {
    const element = document.createElement('script')
    const fail = (reason: string): void => {
      files.delete(file.file)
      reject(
        new Error(
          `Expected ${file.file} beside this page, ${reason}. Copy the whole folder, or make the report again.`,
        ),
      )
    }
    element.addEventListener('error', () => fail('but it cannot be read'))
    element.addEventListener('load', () => {
      const texts = receivedTexts.get(file.hash)
      receivedTexts.delete(file.hash)
      element.remove()
      if (texts === undefined) fail('but it belongs to another report')
      else resolve(texts)
    })
    element.src = scriptAddress(file.file)
    document.head.append(element)
  })
  if (files.size >= maxFiles) files.delete(files.keys().next().value!)
  files.set(file.file, read)
  return read
}

/** Texts of files beside the page, by the hashes of the files. */
const receivedTexts = new Map<string, readonly string[]>()

/** Defines the function that each file calls with its texts. */
export function receiveFiles(): void {
  Object.assign(globalThis, {
    shaketableEpisodes: (hash: string, texts: readonly string[]) => receivedTexts.set(hash, texts),
  })
}

interface Policy {
  createScriptURL(address: string): string
}

let policy: Policy | undefined

/**
 * The address of a file of episodes; any other is an error. If the browser supports Trusted Types, the page's policy
 * allows no other either.
 */
function scriptAddress(file: string): string {
  const createScriptURL = (address: string): string => {
    if (/^report-episodes-\d{4,}\.js$/.test(address)) return address
    throw new Error(`Expected the name of a file of episodes, got ${address}. Make the report again.`)
  }
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
  if (trustedTypes === undefined) return createScriptURL(file)
  policy ??= trustedTypes.createPolicy('episodes', { createScriptURL })
  return policy.createScriptURL(file)
}
