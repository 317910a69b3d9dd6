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
  const { postings, lengths } = buildPostings(pages)
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, pages.length)
  const norms = Float32Array.from(
    lengths,
    (length) => saturation * (1 - lengthShare + (lengthShare * length) / meanLength),
  )
  const scores = new Float32Array(pages.length)

  const rank = (query: string): readonly string[] => {
    scores.fill(0)
    for (const word of new Set(wordsIn(query.slice(0, maxQueryLength)).slice(0, maxQueryWords))) {
      const posting = postings.get(word)
      if (posting === undefined) continue
      const count = posting.length / 2
      const rarity = Math.log(1 + (pages.length - count + 0.5) / (count + 0.5))
      for (let at = 0; at < posting.length; at += 2) {
        const [page, weight] = [posting[at]!, posting[at + 1]!]
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

/** For each word the pages that have it, each followed by the weighted number of times. */
function buildPostings(pages: readonly Page[]) {
  const postings = new Map<string, number[]>()
  const lengths = new Float64Array(pages.length)
  pages.forEach(({ title, text }, page) => {
    const counts = new Map<string, number>()
    const add = (text: string, weight: number): void => {
      for (const word of wordsIn(text)) {
        counts.set(word, (counts.get(word) ?? 0) + weight)
        lengths[page]! += weight
      }
    }
    add(title, titleWeight)
    add(text, 1)
    for (const [word, count] of counts) {
      const known = postings.get(word)
      if (known === undefined) postings.set(word, [page, count])
      else known.push(page, count)
    }
  })
  return { postings, lengths }
}
