import type { Measurements, Passes } from '../results/passes.js'
import type { Pairs } from '../results/pairs.js'
import { pairBySeed, pairByTask } from '../results/pairs.js'
import type { OutcomeCell } from './outcomes.js'
import type { Sides } from './pair-names.js'

/**
 * The passes of one environment × model × agent × column on both sides at the temperatures that both have; `first` and
 * `second` hold its cells, one for each temperature. Where both sides have the same seeds, they are paired. Otherwise
 * each side keeps all of its passes, and only tasks are paired, and a pass with the same play as an earlier one is left
 * out. Without a temperature that both have, `pairs` is absent.
 */
export function pairPasses(first: readonly OutcomeCell[], second: readonly OutcomeCell[]) {
  const temperaturesOf = (cells: readonly OutcomeCell[]): number[] => cells.map(({ temperature }) => temperature)
  const temperatures = temperaturesOf(first).filter((one) => temperaturesOf(second).includes(one))
  const temperaturesAlone = {
    first: second.length === 0 ? [] : temperaturesOf(first).filter((one) => !temperatures.includes(one)),
    second: first.length === 0 ? [] : temperaturesOf(second).filter((one) => !temperatures.includes(one)),
  }
  const cells = {
    first: temperatures.map((temperature) => first.find((cell) => cell.temperature === temperature)!),
    second: temperatures.map((temperature) => second.find((cell) => cell.temperature === temperature)!),
  }
  const seedsOf = (cells: readonly OutcomeCell[]): number[] => [...new Set(cells.flatMap(({ seeds }) => seeds))]
  const own = { first: seedsOf(cells.first), second: seedsOf(cells.second) }
  const both = [...new Set([...own.first, ...own.second])]
  const layOut = (seeds: Sides<readonly number[]>, isDistinct: boolean): Sides<Measurements> => ({
    first: measurementsOf(cells.first, seeds.first, isDistinct),
    second: measurementsOf(cells.second, seeds.second, isDistinct),
  })
  const paired = [false, true]
    .map((isDistinct) => layOut({ first: both, second: both }, isDistinct))
    .find((sides) => sides.first.planned.every((isPlanned, pass) => isPlanned === sides.second.planned[pass]))
  const sides = paired ?? layOut(own, true)
  const places = temperatures.map((_, place) => place)
  return {
    temperatures,
    temperaturesAlone,
    pairedBy: paired === undefined ? ('task' as const) : ('seed' as const),
    seeds: paired === undefined ? own : { first: both, second: both },
    sides,
    ...(temperatures.length > 0 && {
      pairs: (paired === undefined ? pairByTask : pairBySeed)(sides.first, sides.second, places) satisfies Pairs,
    }),
  }
}

/** Cells, one for each temperature, in the layout of results, with the passes of some seeds in this order. */
function measurementsOf(cells: readonly OutcomeCell[], seeds: readonly number[], isDistinct: boolean): Measurements {
  const tasks = cells[0]?.success.length ?? 0
  const passes = cells.length * seeds.length
  const [planned, sameAs] = [new Uint8Array(passes), new Uint32Array(passes)]
  const [state, success] = [new Uint8Array(passes * tasks), new Uint8Array(passes * tasks)]
  const progress = new Float64Array(passes * tasks)
  for (const [at, cell] of cells.entries()) {
    const firstOf = new Map<number, number>()
    for (const [seedAt, seed] of seeds.entries()) {
      const pass = at * seeds.length + seedAt
      const place = cell.seeds.indexOf(seed)
      const same = place < 0 ? -1 : (cell.sameAs?.[place] ?? place)
      sameAs[pass] = firstOf.get(same) ?? seedAt
      if (same < 0 || (isDistinct && same !== place)) continue
      if (!firstOf.has(same)) firstOf.set(same, seedAt)
      planned[pass] = 1
      for (let task = 0; task < tasks; task++) {
        const [one, slot] = [cell.success[task]![place]!, pass * tasks + task]
        if (one === null) continue
        state[slot] = 2
        success[slot] = one
        progress[slot] = cell.progress[task]![place]!
      }
    }
  }
  return {
    shape: { temperatures: cells.length, seeds: seeds.length, tasks },
    state,
    planned,
    sameAs,
    success,
    progress,
  }
}

/** The seeds of passes that are planned at a temperature or, without a place, at any. */
export function plannedSeeds({ planned }: Passes, seeds: readonly number[], temperature?: number): number[] {
  return seeds.filter((_, at) =>
    planned.some(
      (isPlanned, pass) =>
        isPlanned === 1 &&
        pass % seeds.length === at &&
        (temperature === undefined || Math.floor(pass / seeds.length) === temperature),
    ),
  )
}
