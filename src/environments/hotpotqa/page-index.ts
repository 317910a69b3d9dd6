import type { MaybePromise } from '../../core/after.js'

/** What a search finds: the page of that title, or titles of pages that are similar. */
export type Found =
  | { readonly kind: 'page'; readonly title: string; readonly text: string }
  | { readonly kind: 'similar'; readonly titles: readonly string[] }

/** Where pages come from. `text` of a page has its paragraphs on lines of their own. */
export interface Search {
  /** @throws ShaketableError `environment` where a site does not answer */
  search(entity: string): MaybePromise<Found>
}

/** A page of a corpus; its paragraphs are on lines of their own. */
export interface Page {
  readonly title: string
  readonly text: string
}

/** Okapi BM25 with the usual constants (Robertson and Zaragoza 2009). */
const saturation = 1.2
const lengthShare = 0.75
/** A word of a title counts as much as this many words of the text. */
const titleWeight = 3
const maxQueryWords = 64
const maxQueryLength = 2000

/**
 * A full-text index in memory. A search whose words are a title gives that page, whatever letter case and underscores;
 * any other gives the titles of the best pages by BM25 over titles and texts, best first. See docs/decisions.md.
 */
export function indexPages(pages: readonly Page[], similar = 5): Search {
  const byTitle = new Map<string, Page>()
  for (const page of pages) {
    for (const key of [page.title, foldTitle(page.title)]) if (!byTitle.has(key)) byTitle.set(key, page)
  }
  const { words, starts, postings, weights, lengths } = buildPostings(pages)
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, pages.length)
  const norms = Float32Array.from(
    lengths,
    (length) => saturation * (1 - lengthShare + (lengthShare * length) / meanLength),
  )
  const scores = new Float32Array(pages.length)

  const rank = (query: string): readonly string[] => {
    scores.fill(0)
    for (const word of new Set(wordsIn(query.slice(0, maxQueryLength)).slice(0, maxQueryWords))) {
      const id = words.get(word)
      if (id === undefined) continue
      const [from, to] = [starts[id]!, starts[id + 1]!]
      const rarity = Math.log(1 + (pages.length - (to - from) + 0.5) / (to - from + 0.5))
      for (let at = from; at < to; at++) {
        const [page, weight] = [postings[at]!, weights[at]!]
        scores[page]! += (rarity * weight * (saturation + 1)) / (weight + norms[page]!)
      }
    }
    const best: number[] = []
    for (let page = 0; page < scores.length; page++) {
      const score = scores[page]!
      if (score === 0 || (best.length === similar && score <= scores[best.at(-1)!]!)) continue
      const place = best.findIndex((other) => score > scores[other]!)
      best.splice(place === -1 ? best.length : place, 0, page)
      if (best.length > similar) best.pop()
    }
    return best.map((page) => pages[page]!.title)
  }
  return {
    search(entity): Found {
      const page = byTitle.get(entity) ?? byTitle.get(foldTitle(entity))
      return page === undefined ? { kind: 'similar', titles: rank(entity) } : { kind: 'page', ...page }
    },
  }
}

/** A title without letter case, and with single blanks in place of underscores. */
function foldTitle(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/gu, ' ')
    .trim()
}

/** The words of a text in lower case without accents. */
function wordsIn(text: string): readonly string[] {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}+/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/**
 * Postings in typed arrays: those of word `id` are at `starts[id]` to `starts[id + 1]`, a page and the weighted number
 * of times each.
 */
function buildPostings(pages: readonly Page[]) {
  const words = new Map<string, number>()
  const lengths = new Float64Array(pages.length)
  let [ids, found, times] = [new Uint32Array(1 << 16), new Uint32Array(1 << 16), new Float32Array(1 << 16)]
  let size = 0
  pages.forEach(({ title, text }, page) => {
    const counts = new Map<number, number>()
    const add = (text: string, weight: number): void => {
      for (const word of wordsIn(text)) {
        let id = words.get(word)
        if (id === undefined) words.set(word, (id = words.size))
        counts.set(id, (counts.get(id) ?? 0) + weight)
        lengths[page]! += weight
      }
    }
    add(title, titleWeight)
    add(text, 1)
    for (const [id, count] of counts) {
      if (size === ids.length) [ids, found, times] = [grow(ids), grow(found), grow(times)]
      ids[size] = id
      found[size] = page
      times[size++] = count
    }
  })
  const starts = new Uint32Array(words.size + 1)
  for (let at = 0; at < size; at++) starts[ids[at]! + 1]!++
  for (let id = 0; id < words.size; id++) starts[id + 1]! += starts[id]!
  const next = starts.slice()
  const [postings, weights] = [new Uint32Array(size), new Float32Array(size)]
  for (let at = 0; at < size; at++) {
    const place = next[ids[at]!]!++
    postings[place] = found[at]!
    weights[place] = times[at]!
  }
  return { words, starts, postings, weights, lengths }
}

function grow<Numbers extends Uint32Array | Float32Array>(list: Numbers): Numbers {
  const larger = new (list.constructor as new (length: number) => Numbers)(2 * list.length)
  larger.set(list)
  return larger
}
