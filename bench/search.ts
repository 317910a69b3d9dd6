import { createRandom } from '../src/core/random.js'
import { pairsOf, searchWorst, splitTasks } from '../src/run/search.js'
import { size } from './_size.js'

/** Mean bias of the harm of the draw that a search found, as shares of 1, over simulated searches. */
interface SearchFigures {
  readonly draws: number
  /** Harm of the found draw on the search half minus its true harm. */
  readonly searchBias: number
  /** The same on the held-out half, with the standard error of this mean. */
  readonly heldOutBias: number
  readonly standardError: number
  /** Share of the 95 % intervals of the held-out half that cover the true harm. */
  readonly coverage: number
  /** True harm of the found draw, and the largest of all draws. */
  readonly foundHarm: number
  readonly largestHarm: number
}

/** Searches over draws with true harms from 0 to `spread`, on 40 tasks of different difficulty with 3 seeds. */
export async function simulateSearch(draws: number, spread: number, replicates: number): Promise<SearchFigures> {
  const tasks = Array.from({ length: 40 }, (_, index) => `task ${String(index)}`)
  const halves = splitTasks(tasks)
  const [search, heldOut] = [pairsOf(halves.search, [0, 1, 2]), pairsOf(halves.heldOut, [0, 1, 2])]
  const sums = { search: 0, heldOut: 0, squares: 0, covered: 0, found: 0 }
  const harms = Array.from({ length: draws }, (_, index) => (spread * index) / (draws - 1))
  const meanRate = 0.75
  for (let replicate = 0; replicate < replicates; replicate++) {
    const random = createRandom(JSON.stringify(['search', draws, spread, replicate]))
    const rates = new Map(tasks.map((task) => [task, meanRate - 0.15 + 0.3 * random.next()]))
    const clean = new Map<string, number>()
    const found = await searchWorst([...harms.keys()], { search, heldOut }, 6 * search.length, (chosen, pairs) => {
      const solve = (rate: number): number => (random.next() < rate ? 1 : 0)
      for (const { task, seed } of pairs) {
        const key = JSON.stringify([task, seed])
        if (!clean.has(key)) clean.set(key, solve(rates.get(task)!))
      }
      const play = (draw: number): number[] =>
        pairs.map(
          (pair) => clean.get(JSON.stringify([pair.task, pair.seed]))! - solve(rates.get(pair.task)! - harms[draw]!),
        )
      return Promise.resolve(chosen.map(play))
    })
    const harm = harms[found.worst]!
    const [inSearch, inHeldOut] = [found.searched.mean! - harm, found.heldOut.mean! - harm]
    sums.search += inSearch
    sums.heldOut += inHeldOut
    sums.squares += inHeldOut ** 2
    sums.found += harm
    const { low, high } = found.heldOut.interval!
    if (low <= harm && harm <= high) sums.covered++
  }
  const heldOutBias = sums.heldOut / replicates
  return {
    draws,
    searchBias: sums.search / replicates,
    heldOutBias,
    standardError: Math.sqrt((sums.squares / replicates - heldOutBias ** 2) / replicates),
    coverage: sums.covered / replicates,
    foundHarm: sums.found / replicates,
    largestHarm: spread,
  }
}

/** Prints the bias of both halves, for draws that are alike and for draws that differ. */
export async function searches(replicates = size(1000, 2)): Promise<void> {
  for (const [draws, spread] of [
    [5, 0],
    [16, 0],
    [5, 0.2],
    [16, 0.2],
  ] as const) {
    const { searchBias, heldOutBias, standardError, coverage, foundHarm } = await simulateSearch(
      draws,
      spread,
      replicates,
    )
    const points = (share: number): string => (100 * share).toFixed(1)
    console.log(
      `search: ${String(draws)} draws with harms of 0 to ${points(spread)} points: the found draw harms by ${points(foundHarm)}; the search half says ${points(searchBias)} more, ` +
        `the held-out half ${points(heldOutBias)} ± ${points(standardError)}; its intervals cover ${points(coverage)} %`,
    )
  }
}
