import type { OutcomeCell } from './outcomes.js'
import type { Sides } from './pair-names.js'

/** One seed at one temperature. */
export interface Pass {
  readonly temperature: number
  readonly seed: number
  /** The place of the first seed at this temperature with the same play, which may be its own. */
  readonly sameAs: number
}

/**
 * The passes of one environment × model × agent × column on both sides at the temperatures that both have; `first` and
 * `second` hold its cells, one for each temperature. Where both sides have the same seeds, the passes of the second are
 * in the order of the first, and each is paired with its own. Otherwise each side keeps all of its passes, and only
 * tasks are paired, and a pass with the same play as an earlier one is left out.
 */
export function pairPasses(first: readonly OutcomeCell[], second: readonly OutcomeCell[]) {
  const planned = { first: plannedPasses(first, second), second: plannedPasses(second, first) }
  const distinct = { first: planned.first.filter(isDistinct), second: planned.second.filter(isDistinct) }
  const paired = pairBySeed(planned) ?? pairBySeed(distinct)
  const chosen = paired ?? distinct
  const bySide = <Value>(read: (passes: readonly PlacedPass[]) => Value): Sides<Value> => ({
    first: read(chosen.first),
    second: read(chosen.second),
  })
  return {
    pairedBy: paired === undefined ? ('task' as const) : ('seed' as const),
    passes: bySide((passes) => passes.map(({ temperature, seed, sameAs }): Pass => ({ temperature, seed, sameAs }))),
    success: bySide((passes) => readValues(passes, 'success')),
    progress: bySide((passes) => readValues(passes, 'progress')),
    temperaturesAlone: {
      first: second.length === 0 ? [] : temperaturesAlone(first, second),
      second: first.length === 0 ? [] : temperaturesAlone(second, first),
    },
  }
}

interface PlacedPass extends Pass {
  readonly cell: OutcomeCell
  /** The place of the seed among those of the cell. */
  readonly place: number
}

/** The planned passes of one side, at the temperatures that the other side has too. */
function plannedPasses(own: readonly OutcomeCell[], others: readonly OutcomeCell[]): PlacedPass[] {
  const shared = own.filter(({ temperature }) => others.some((other) => other.temperature === temperature))
  return shared.flatMap((cell) =>
    cell.seeds
      .map((seed, place) => ({
        cell,
        temperature: cell.temperature,
        seed,
        place,
        sameAs: cell.sameAs?.[place] ?? place,
      }))
      .filter(({ sameAs }) => sameAs >= 0),
  )
}

function isDistinct({ place, sameAs }: PlacedPass): boolean {
  return sameAs === place
}

/** Both sides in one order; undefined where their seeds differ. */
function pairBySeed({ first, second }: Sides<readonly PlacedPass[]>): Sides<PlacedPass[]> | undefined {
  const keyOf = ({ temperature, seed }: Pass): string => `${String(temperature)} ${String(seed)}`
  const others = new Map(second.map((pass) => [keyOf(pass), pass]))
  if (first.length !== second.length || !first.every((pass) => others.has(keyOf(pass)))) return undefined
  return { first: [...first], second: first.map((pass) => others.get(keyOf(pass))!) }
}

/** Measurements by task, then by pass. */
function readValues<Metric extends 'success' | 'progress'>(
  passes: readonly PlacedPass[],
  metric: Metric,
): readonly (readonly OutcomeCell[Metric][number][number][])[] {
  const tasks = passes[0]?.cell[metric].length ?? 0
  return Array.from({ length: tasks }, (_, task) => passes.map(({ cell, place }) => cell[metric][task]![place]!))
}

function temperaturesAlone(own: readonly OutcomeCell[], others: readonly OutcomeCell[]): number[] {
  const known = others.map(({ temperature }) => temperature)
  return own.map(({ temperature }) => temperature).filter((temperature) => !known.includes(temperature))
}
