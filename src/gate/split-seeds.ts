import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import type { Random } from '../core/random.js'

/**
 * Two halves of the repeats of a run, as places in its list of seeds. Both are of one size; with an odd number of seeds
 * one is left out.
 */
export interface Split {
  readonly first: readonly number[]
  readonly second: readonly number[]
}

/** The splits that a self-test looks at. */
export interface Splits {
  readonly splits: readonly Split[]
  /** Whether they are all that there are. */
  readonly all: boolean
}

/**
 * Every split in two ordered halves of so many seeds where there are at most `most` of them, otherwise as many as
 * `most`, drawn at random.
 */
export function chooseSplits(seeds: number, most: number, random: Random): Splits {
  const half = Math.floor(seeds / 2)
  const places = Array.from({ length: seeds }, (_, place) => place)
  if (choose(seeds, half) * choose(seeds - half, half) <= most) {
    const splits = subsets(places, half).flatMap((first) => {
      const rest = places.filter((place) => !first.includes(place))
      return subsets(rest, half).map((second) => ({ first, second }))
    })
    return { splits, all: true }
  }
  const splits = Array.from({ length: most }, () => {
    const shuffled = random.shuffle(places)
    return { first: shuffled.slice(0, half), second: shuffled.slice(half, 2 * half) }
  })
  return { splits, all: false }
}

/** One half of a run, its seeds numbered from 0 so that the halves pair. */
export function takeSeeds(outcomes: Outcomes, places: readonly number[]): Outcomes {
  const take = <Value>(byTask: readonly (readonly Value[])[]): Value[][] =>
    byTask.map((values) => places.map((place) => values[place]!))
  return {
    ...outcomes,
    cells: outcomes.cells.map((cell): OutcomeCell => {
      const success = take(cell.success)
      return {
        ...cell,
        seeds: places.map((_, seed) => seed),
        ...(cell.sameAs && { sameAs: places.map((place) => firstLike(cell.sameAs!, places, place)) }),
        success,
        progress: take(cell.progress),
        // Which of a task's seeds broke is not known; what is left out of a half is either that or missing.
        broken: cell.broken.map((count, task) =>
          Math.min(count, success[task]!.filter((value) => value === null).length),
        ),
      }
    }),
  }
}

/**
 * The place within a half of its first seed that is the same play as one of its seeds; −1 where that was not to be
 * played.
 */
function firstLike(sameAs: readonly number[], places: readonly number[], place: number): number {
  return sameAs[place] === -1 ? -1 : places.findIndex((other) => sameAs[other] === sameAs[place])
}

function choose(from: number, count: number): number {
  let ways = 1
  for (let taken = 0; taken < count; taken++) ways = (ways * (from - taken)) / (taken + 1)
  return Math.round(ways)
}

function subsets(places: readonly number[], size: number): number[][] {
  if (size === 0) return [[]]
  return places.flatMap((place, index) => subsets(places.slice(index + 1), size - 1).map((rest) => [place, ...rest]))
}
