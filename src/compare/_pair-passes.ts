import type { OutcomeCell } from './outcomes.js'
import type { NamePair } from './pair-names.js'

/** One seed at one temperature. */
export interface Pass {
  readonly temperature: number
  readonly seed: number
}

type Sides<Value> = Readonly<Record<keyof NamePair, Value>>

/**
 * The passes of one environment × model × agent × column on both sides at the temperatures that both have; `first` and `second` hold its cells, one for each
 * temperature. Where the seeds of both sides are the same, the passes of the second stand in the order of the first, and each is paired with its own; otherwise
 * each side keeps all of its passes, and only tasks are paired.
 */
export function pairPasses(first: readonly OutcomeCell[], second: readonly OutcomeCell[]) {
  const shared = (own: readonly OutcomeCell[], others: readonly OutcomeCell[]): OutcomeCell[] =>
    own.filter(({ temperature }) => others.some((other) => other.temperature === temperature))
  const [before, after] = [readPasses(shared(first, second)), readPasses(shared(second, first))]
  const isPaired = before.size === after.size && [...before.keys()].every((key) => after.has(key))
  const [one, other] = [
    [...before.values()],
    isPaired ? [...before.keys()].map((key) => after.get(key)!) : [...after.values()],
  ]
  const values = <Metric extends 'success' | 'progress'>(metric: Metric) => ({
    first: readValues(one, metric),
    second: readValues(other, metric),
  })
  return {
    pairedBy: isPaired ? ('seed' as const) : ('task' as const),
    passes: { first: one.map(passOf), second: other.map(passOf) } satisfies Sides<Pass[]>,
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

function readPasses(cells: readonly OutcomeCell[]): Map<string, PlacedPass> {
  return new Map(
    cells.flatMap((cell) =>
      cell.seeds.map((seed, place) => {
        const { temperature } = cell
        return [`${String(temperature)} ${String(seed)}`, { cell, temperature, seed, place }] as const
      }),
    ),
  )
}

function passOf({ temperature, seed }: PlacedPass): Pass {
  return { temperature, seed }
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
