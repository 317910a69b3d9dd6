import { hashOf } from '../core/episode.js'
import { pairedDifference } from '../statistics/index.js'
import type { PairedDifference } from '../statistics/index.js'

/** A task with a seed, on which a draw is compared with the unperturbed task. */
export interface SearchPair {
  readonly task: string
  readonly seed: number
}

/**
 * Plays some draws and their clean twins on pairs; gives the clean success minus the perturbed one by draw and pair.
 */
type PlayDraws = (draws: readonly number[], pairs: readonly SearchPair[]) => Promise<readonly (readonly number[])[]>

/** A search for the worst draw. Harm is the loss of success, as a share of 1; NaN where a pair ended in an error. */
export interface Searched {
  /** The draw that lost most on the search half. */
  readonly worst: number
  /**
   * Its harm on the pairs of the search half that it was played on: too high on average, since it was chosen by them.
   */
  readonly searched: PairedDifference
  /** Its harm on tasks that the search did not use. */
  readonly heldOut: PairedDifference
}

/** Two halves of the tasks, by a hash of their ids: the same for every model and family. */
export function splitTasks(tasks: readonly string[]): {
  readonly search: readonly string[]
  readonly heldOut: readonly string[]
} {
  const byHash = [...tasks].sort((one, other) => (hashOf(['half', one]) < hashOf(['half', other]) ? -1 : 1))
  const middle = Math.ceil(tasks.length / 2)
  return { search: byHash.slice(0, middle), heldOut: byHash.slice(middle) }
}

/** Every task with a first seed, then with a second one, and so on, so that a beginning of the list is balanced. */
export function pairsOf(tasks: readonly string[], seeds: readonly number[]): readonly SearchPair[] {
  return seeds.flatMap((seed) => tasks.map((task) => ({ task, seed })))
}

/** Number of rounds in which draws are halved until one is left. */
export function countRounds(draws: number): number {
  return Math.max(1, Math.ceil(Math.log2(draws)))
}

/**
 * Looks for the draw that harms most by successive halving: each round plays the draws that are left on more pairs of
 * the search half and keeps the worse half of them, with an equal share of the budget for each round (Karnin, Koren and
 * Somekh, ICML 2013; Jamieson and Talwalkar, AISTATS 2016). The draw that is left is then played on the held-out half.
 * @param budget maximum number of perturbed episodes of the search half, at least one for each draw and round
 */
export async function searchWorst(
  draws: readonly number[],
  halves: { readonly search: readonly SearchPair[]; readonly heldOut: readonly SearchPair[] },
  budget: number,
  play: PlayDraws,
): Promise<Searched> {
  const rounds = countRounds(draws.length)
  const harms = new Map<number, number[]>(draws.map((draw) => [draw, []]))
  let left = draws
  let played = 0
  for (let round = 0; round < rounds; round++) {
    const more = Math.max(1, Math.floor(budget / rounds / left.length))
    const pairs = halves.search.slice(played, played + more)
    if (pairs.length > 0) (await play(left, pairs)).forEach((found, index) => harms.get(left[index]!)!.push(...found))
    played += pairs.length
    const worstFirst = [...left].sort((one, other) => meanOf(harms.get(other)!) - meanOf(harms.get(one)!))
    left = worstFirst.slice(0, Math.ceil(left.length / 2))
  }
  const worst = left[0]!
  const [heldOut] = await play([worst], halves.heldOut)
  return {
    worst,
    searched: pairedDifference(byTask(halves.search.slice(0, played), harms.get(worst)!)),
    heldOut: pairedDifference(byTask(halves.heldOut, heldOut!)),
  }
}

function meanOf(values: readonly number[]): number {
  const known = values.filter(Number.isFinite)
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length
}

function byTask(pairs: readonly SearchPair[], harms: readonly number[]): number[][] {
  const tasks = new Map<string, number[]>()
  pairs.forEach(({ task }, index) => tasks.set(task, [...(tasks.get(task) ?? []), harms[index]!]))
  return [...tasks.values()]
}
