/** What a tokenizer learned from texts. */
export interface TokenizerData {
  /** Words that stood before numbers; they are never merged with their neighbours, so that names can be copied. */
  readonly nouns: readonly string[]
  /** Pairs of tokens that are merged, in this order; a merge's token is its index after the marks and bytes. */
  readonly merges: readonly (readonly [number, number])[]
  /** The tokens of merges that texts still contain after all merges; only these get a number in the end. */
  readonly kept: readonly number[]
}

/** Text as numbers and back. */
export interface Tokenizer {
  /** The number of tokens, marks included. */
  readonly size: number
  encode(text: string): readonly number[]
  /** Unknown tokens and marks are left out. */
  decode(tokens: readonly number[]): string
}

/** Tokens that are no text: what follows is the list of actions, the goal, an observation, an action. */
export const marks = { forms: 0, goal: 1, observation: 2, action: 3 } as const
export const markCount = 4
const firstMerge = markCount + 256

const parts = / ?[A-Za-z]{1,40}| ?\d{1,2}| ?\{[^{}]{0,40}\}| ?[^\sA-Za-z\d{}]{1,40}|\s|[{}]/gu
const name = /(?<![A-Za-z])([A-Za-z]{1,40})[ _-]?\d/g
const maxPiece = 80
/** The most different pieces that merges are learned from, to bound the time. */
const maxPieces = 4000
export const maxNouns = 4096
export const maxMerges = 1500
/** Rarer tokens are not worth a number. */
const minCount = 3

/** Cuts a text into pieces: nouns, numbers and slots by themselves, what stands between them up to punctuation. */
function cut(text: string, nouns: ReadonlySet<string>): string[] {
  const pieces: string[] = []
  let between = ''
  const end = (): void => {
    if (between !== '') pieces.push(between)
    between = ''
  }
  for (const [part] of ` ${text}`.matchAll(parts)) {
    const word = part.trimStart()
    if (nouns.has(word) || /^[\d{]/.test(word)) {
      end()
      pieces.push(part)
      continue
    }
    between += part
    if (/[.;:!?\n]$/.test(part) || between.length > maxPiece) end()
  }
  end()
  return pieces
}

const bytesOf = (piece: string): number[] => [...Buffer.from(piece)].map((byte) => byte + markCount)
const pairOf = (a: number, b: number): number => a * 65_536 + b

/** Learns nouns and merges (byte-pair encoding) from texts. Equal texts give equal results. */
export function learnTokenizer(texts: readonly string[]): TokenizerData {
  const nouns = findNouns(texts)
  const known = new Set(nouns)
  const counts = new Map<string, number>()
  for (const text of texts) for (const piece of cut(text, known)) counts.set(piece, (counts.get(piece) ?? 0) + 1)
  const pieces = mostFrequent(counts, maxPieces).map((piece) => ({ tokens: bytesOf(piece), count: counts.get(piece)! }))
  const merges: [number, number][] = []
  while (merges.length < maxMerges) {
    const pairs = new Map<number, number>()
    for (const { tokens, count } of pieces) {
      for (let at = 1; at < tokens.length; at++) {
        const pair = pairOf(tokens[at - 1]!, tokens[at]!)
        pairs.set(pair, (pairs.get(pair) ?? 0) + count)
      }
    }
    let [best, most] = [-1, minCount - 1]
    for (const [pair, count] of pairs) if (count > most || (count === most && pair < best)) [best, most] = [pair, count]
    if (best === -1) break
    const merge: [number, number] = [Math.floor(best / 65_536), best % 65_536]
    for (const { tokens } of pieces) mergePair(tokens, merge, firstMerge + merges.length)
    merges.push(merge)
  }
  const kept = new Set(pieces.flatMap(({ tokens }) => tokens).filter((token) => token >= firstMerge))
  return { nouns, merges, kept: [...kept].sort((a, b) => a - b) }
}

function findNouns(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const match of text.matchAll(name)) counts.set(match[1]!, (counts.get(match[1]!) ?? 0) + 1)
  }
  return mostFrequent(counts, maxNouns)
}

/** The most frequent of those that occur often enough, sorted by themselves. */
function mostFrequent(counts: ReadonlyMap<string, number>, most: number): string[] {
  const often = [...counts].filter(([, count]) => count >= minCount)
  return often
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
    .slice(0, most)
    .map(([text]) => text)
    .sort()
}

function mergePair(tokens: number[], [a, b]: readonly [number, number], merged: number): void {
  for (let at = 1; at < tokens.length; at++) {
    if (tokens[at - 1] === a && tokens[at] === b) tokens.splice(at - 1, 2, merged)
  }
}

/** The number of tokens, marks included. */
export const tokenCount = ({ kept }: TokenizerData): number => firstMerge + kept.length

/** The most bytes of a token; a piece is never longer. */
const maxTokenBytes = 512

/** Whether each merge is of tokens before it, tokens are of bounded length, and kept ones exist, in order. */
export function isTokenizer({ merges, kept }: TokenizerData): boolean {
  const lengths = new Array<number>(firstMerge).fill(1)
  for (const [a, b] of merges) {
    const length = Math.min(a, b) < markCount ? Infinity : (lengths[a] ?? Infinity) + (lengths[b] ?? Infinity)
    if (length > maxTokenBytes) return false
    lengths.push(length)
  }
  return kept.every((token, at) => token < lengths.length && token >= (at === 0 ? firstMerge : kept[at - 1]! + 1))
}

const maxCached = 20_000

/** Creates a tokenizer from what was learned. Tokens that were not kept are given as their bytes. */
export function createTokenizer({ nouns, merges, kept }: TokenizerData): Tokenizer {
  const known = new Set(nouns)
  const ranks = new Map(merges.map(([a, b], rank) => [pairOf(a, b), rank]))
  const bytes: (readonly number[])[] = Array.from({ length: firstMerge }, (_, token) =>
    token < markCount ? [] : [token - markCount],
  )
  for (const [a, b] of merges) bytes.push([...bytes[a]!, ...bytes[b]!])
  const numbers = new Map(kept.map((token, at) => [token, firstMerge + at]))
  const texts = [...bytes.slice(0, firstMerge), ...kept.map((token) => bytes[token]!)]
  const cache = new Map<string, readonly number[]>()
  const encodePiece = (piece: string): readonly number[] => {
    const cached = cache.get(piece)
    if (cached !== undefined) return cached
    const tokens = bytesOf(piece)
    for (;;) {
      let [rank, place] = [Infinity, -1]
      for (let at = 1; at < tokens.length; at++) {
        const found = ranks.get(pairOf(tokens[at - 1]!, tokens[at]!)) ?? Infinity
        if (found < rank) [rank, place] = [found, at - 1]
      }
      if (place === -1) break
      tokens.splice(place, 2, firstMerge + rank)
    }
    const numbered = tokens.flatMap((token) =>
      token < firstMerge ? [token] : (numbers.get(token) ?? bytes[token]!.map((byte) => byte + markCount)),
    )
    if (cache.size > maxCached) cache.clear()
    cache.set(piece, numbered)
    return numbered
  }
  return {
    size: texts.length,
    encode: (text) => (text === '' ? [] : cut(text, known).flatMap(encodePiece)),
    decode: (tokens) => Buffer.from(tokens.flatMap((token) => texts[token] ?? [])).toString(),
  }
}
