import type { OutcomeCell } from './outcomes.js'
import type { NamePair } from './pair-names.js'

/** One seed at one temperature. */
export interface Pass {
  readonly temperature: number
  readonly seed: number
  /** The place of the first seed at this temperature that is the same play; its own where there is none. */
  readonly sameAs: number
}

type Sides<Value> = Readonly<Record<keyof NamePair, Value>>

/**
 * The passes of one environment × model × agent × column on both sides at the temperatures that both have; `first` and
 * `second` hold its cells, one for each temperature. Where the seeds of both sides are the same, the passes of the
 * second stand in the order of the first, and each is paired with its own; otherwise each side keeps all of its passes,
 * and only tasks are paired. A pair of which both halves are the same plays as those of an earlier pair is left out,
 * and so is a pass that is paired with none and the same play as an earlier one.
 */
export function pairPasses(first: readonly OutcomeCell[], second: readonly OutcomeCell[]) {
  const shared = (own: readonly OutcomeCell[], others: readonly OutcomeCell[]): OutcomeCell[] =>
    own.filter(({ temperature }) => others.some((other) => other.temperature === temperature))
  const planned: Sides<PlacedPass[]> = {
    first: readPasses(shared(first, second)),
    second: readPasses(shared(second, first)),
  }
  const distinct = { first: planned.first.filter(isDistinct), second: planned.second.filter(isDistinct) }
  const paired = pairBySeed(planned) ?? pairBySeed(distinct)
  const chosen = paired ?? distinct
  const values = <Metric extends 'success' | 'progress'>(metric: Metric) => ({
    first: readValues(chosen.first, metric),
    second: readValues(chosen.second, metric),
  })
  return {
    pairedBy: paired === undefined ? ('task' as const) : ('seed' as const),
    passes: { first: chosen.first.map(passOf), second: chosen.second.map(passOf) } satisfies Sides<Pass[]>,
    success: values('success'),
    progress: values('progress'),
    temperaturesAlone: {
      first: second.length === 0 ? [] : temperaturesAlone(first, second),
      second: first.length === 0 ? [] : temperaturesAlone(second, first),
    },
  }
}

interface PlacedPass extends Pass {
  readonly cell: OutcomeCell
  /** Of the seed among the cell's. */
  readonly place: number
}

/** The passes that a side was to play. */
function readPasses(cells: readonly OutcomeCell[]): PlacedPass[] {
  return cells.flatMap((cell) =>
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

/** Both sides in one order; undefined where they have not the same seeds. */
function pairBySeed({ first, second }: Sides<readonly PlacedPass[]>): Sides<PlacedPass[]> | undefined {
  const keyOf = ({ temperature, seed }: Pass): string => `${String(temperature)} ${String(seed)}`
  const others = new Map(second.map((pass) => [keyOf(pass), pass]))
  if (first.length !== second.length || !first.every((pass) => others.has(keyOf(pass)))) return undefined
  const seen = new Set<string>()
  const pairs = first.flatMap((one) => {
    const other = others.get(keyOf(one))!
    const play = [one.temperature, one.sameAs, other.sameAs].join(' ')
    if (seen.has(play)) return []
    seen.add(play)
    return [{ one, other }]
  })
  return { first: pairs.map(({ one }) => one), second: pairs.map(({ other }) => other) }
}

function passOf({ temperature, seed, sameAs }: PlacedPass): Pass {
  return { temperature, seed, sameAs }
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
