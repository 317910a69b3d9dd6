import { createRandom } from '../src/core/random.js'
import { indexPages } from '../src/environments/hotpotqa/page-index.js'
import { size } from './_size.js'

/** Speed of the full-text index on one core. */
export interface HotpotqaFigures {
  readonly pages: number
  readonly indexMs: number
  /** Time of a search that finds no title, by the number of its words. */
  readonly searches: readonly { readonly words: number; readonly medianMs: number; readonly worstMs: number }[]
}

const pages = size(100_000, 1000)
const wordsPerPage = 70
const vocabulary = size(200_000, 2000)
const searches = 100

/**
 * Measures the index on paragraphs of random words whose frequencies fall with their rank, as in natural text (Zipf).
 */
export function hotpotqa(): HotpotqaFigures {
  const random = createRandom('bench/hotpotqa')
  const word = (): string => `w${Math.floor(vocabulary ** random.next()).toString(36)}`
  const words = (count: number): string => Array.from({ length: count }, word).join(' ')
  const corpus = Array.from({ length: pages }, () => ({ title: words(2), text: words(wordsPerPage) }))
  const begun = performance.now()
  const index = indexPages(corpus)
  const indexMs = performance.now() - begun
  for (let time = 0; time < 20; time++) void index.search(words(8))
  const figures = [2, 8, 15].map((count) => {
    const times = Array.from({ length: searches }, () => {
      const query = `${words(count)} ?`
      const started = performance.now()
      void index.search(query)
      return performance.now() - started
    }).sort((a, b) => a - b)
    return { words: count, medianMs: times[searches / 2]!, worstMs: times.at(-1)! }
  })
  const shown = figures.map(
    (one) => `${String(one.words)} words ${one.medianMs.toFixed(1)} ms (at most ${one.worstMs.toFixed(1)})`,
  )
  console.log(
    `hotpotqa: ${pages.toLocaleString('en')} paragraphs indexed in ${(indexMs / 1000).toFixed(1)} s; a search of ${shown.join(', of ')}`,
  )
  return { pages, indexMs, searches: figures }
}
