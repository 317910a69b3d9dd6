import type { EpisodeRow } from '../define.js'
import { actionCharacters } from '../define.js'
import type { Interval } from '../statistics/index.js'
import { pairedDifference } from '../statistics/index.js'
import { meanOfKnown } from './differences.js'
import { placesOf } from './passes.js'
import { meanOverTasks, taskMean } from './rates.js'
import type { Paths } from './schema.js'
import type { Tally } from './tally.js'

type Said = Pick<EpisodeRow, 'opening' | 'actions' | 'dose'>

/** Compares episodes with their clean twins as rows come in, in any order; of each it keeps a few bytes a step. */
export function createTwins() {
  const clean = new Map<Tally, Map<number, Said>>()
  const waiting = new Map<Tally, Map<number, { readonly tally: Tally; readonly said: Said }[]>>()
  return {
    /** Takes the row of a measurement, with the tally of its clean twin. */
    add(twin: Tally, tally: Tally, slot: number, { opening, actions, dose }: EpisodeRow): void {
      if (opening === undefined && actions === undefined) return
      const said = { opening, actions, ...(dose && { dose }) } as Said
      if (tally === twin) {
        slotsOf(clean, twin).set(slot, said)
        for (const other of slotsOf(waiting, twin).get(slot) ?? []) compare(other.tally, slot, said, other.said)
        waiting.get(twin)!.delete(slot)
        return
      }
      const known = clean.get(twin)?.get(slot)
      if (known !== undefined) compare(tally, slot, known, said)
      else {
        const others = slotsOf(waiting, twin)
        others.set(slot, [...(others.get(slot) ?? []), { tally, said }])
      }
    },
  }
}

function slotsOf<Value>(of: Map<Tally, Map<number, Value>>, tally: Tally): Map<number, Value> {
  const known = of.get(tally) ?? new Map<number, Value>()
  of.set(tally, known)
  return known
}

/** A world with further objects is another one on purpose. */
function compare(tally: Tally, slot: number, clean: Said, { opening, actions, dose }: Said): void {
  if (clean.opening !== undefined && opening !== undefined && (dose?.objects ?? 0) === 0)
    tally.began[slot] = clean.opening === opening ? 1 : 2
  if (clean.actions === undefined || actions === undefined) return
  const { distance, divergence } = compareActions(clean.actions, actions)
  tally.distance[slot] = distance
  tally.divergence[slot] = divergence
}

/**
 * How far two action sequences (see `actionsOf`) are apart: the fewest insertions, deletions and replacements of
 * actions that make one the other (Levenshtein 1966) as a share of the longer one, and the number of the first step
 * that differs, from 1. Equal sequences differ after their last step.
 */
export function compareActions(one: string, other: string): { readonly distance: number; readonly divergence: number } {
  const split = (text: string): readonly string[] => text.match(actionPattern) ?? []
  const [first, second] = [split(one), split(other)]
  const longest = Math.max(first.length, second.length)
  let same = 0
  while (same < longest && first[same] === second[same]) same++
  const [rest, others] = [first.slice(same), second.slice(same)]
  let costs = Array.from({ length: others.length + 1 }, (_, place) => place)
  rest.forEach((action, row) => {
    const next = [row + 1]
    others.forEach((said, place) => {
      const replaced = costs[place]! + (action === said ? 0 : 1)
      next.push(Math.min(replaced, costs[place + 1]! + 1, next[place]! + 1))
    })
    costs = next
  })
  return { distance: longest === 0 ? 0 : costs.at(-1)! / longest, divergence: same + 1 }
}

const actionPattern = new RegExp(`.{${String(actionCharacters)}}`, 'g')

/**
 * The actions of perturbed episodes against those of their clean twins, over the draws of a family, and against the
 * same of clean repeats, where there are some. Undefined where no pair records its actions.
 */
export function pathsOf(draws: readonly Tally[], repeats: readonly Tally[]): Paths | undefined {
  // A later difference counts as one after the step limit, so that the figure has a known range.
  const steps = draws[0]!.stepLimit + 1
  const divergenceOf = ({ divergence }: Tally): Float64Array =>
    Float64Array.from(divergence, (step) => (step === 0 ? NaN : Math.min(step, steps) / steps))
  const far = describe(draws, repeats, ({ distance }) => distance)
  const first = describe(draws, repeats, divergenceOf, steps)
  return far && first && { distance: far, divergence: first }
}

function describe(
  draws: readonly Tally[],
  repeats: readonly Tally[],
  of: (tally: Tally) => Float64Array,
  unit = 1,
): Paths['distance'] | undefined {
  /** By task the mean over tallies of the means at each temperature; NaN where nothing is known. */
  const meansOf = (tallies: readonly Tally[]): number[] => {
    const known = tallies.map((tally) => ({ tally, values: of(tally) }))
    const { tasks, temperatures } = placesOf(tallies[0]?.shape)
    return tasks.map((task) =>
      meanOfKnown(
        known.flatMap(({ tally, values }) => temperatures.map((place) => taskMean(values, tally, [place], task))),
      ),
    )
  }
  const [own, clean] = [meansOf(draws), meansOf(repeats)]
  const { mean, overTasks } = meanOverTasks(own.filter((value) => !Number.isNaN(value)))
  if (mean === undefined) return undefined
  const ofClean = meanOfKnown(clean)
  const beyond = pairedDifference(own.map((value, task) => value - (clean[task] ?? NaN)))
  const scaled = (interval: Interval | undefined) =>
    interval && { interval: { low: unit * interval.low, high: unit * interval.high } }
  return {
    mean: unit * mean,
    ...scaled(overTasks),
    ...(beyond.mean !== undefined && {
      ofClean: unit * ofClean,
      beyond: { mean: unit * beyond.mean, ...scaled(beyond.interval) },
    }),
  }
}
