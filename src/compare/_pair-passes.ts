import { shortList } from './check-panels.js'
import type { OutcomeCell } from './outcomes.js'

/** One seed at one temperature of a cell. */
interface Pass {
  readonly cell: OutcomeCell
  readonly seed: number
  /** Of the seed among the cell's. */
  readonly place: number
}

/** The cells of one environment × model × agent × column on both sides, one for each temperature, as passes that both have. */
export function pairPasses(first: readonly OutcomeCell[], second: readonly OutcomeCell[]) {
  const [before, after] = [passesOf(first), passesOf(second)]
  const common = [...before.keys()].filter((pass) => after.has(pass))
  const [one, other] = [before, after].map((passes) => common.map((pass) => passes.get(pass)!)) as [Pass[], Pass[]]
  return {
    passes: one.map(({ cell, seed }) => ({ temperature: cell.temperature, seed })),
    success: { first: readPasses(one, 'success'), second: readPasses(other, 'success') },
    progress: { first: readPasses(one, 'progress'), second: readPasses(other, 'progress') },
    onlyFirst: second.length === 0 ? [] : first.flatMap((cell) => seedsAlone(cell, after)),
    onlySecond: first.length === 0 ? [] : second.flatMap((cell) => seedsAlone(cell, before)),
  }
}

function passesOf(cells: readonly OutcomeCell[]): Map<string, Pass> {
  return new Map(
    cells.flatMap((cell) => cell.seeds.map((seed, place) => [keyOf(cell.temperature, seed), { cell, seed, place }])),
  )
}

/** Measurements by task, then by pass. */
function readPasses<Metric extends 'success' | 'progress'>(
  passes: readonly Pass[],
  metric: Metric,
): readonly (readonly OutcomeCell[Metric][number][number][])[] {
  const tasks = passes[0]?.cell[metric].length ?? 0
  return Array.from({ length: tasks }, (_, task) => passes.map(({ cell, place }) => cell[metric][task]![place]!))
}

/** The seeds of a temperature that the other side does not have; the temperature where it does not have that. */
function seedsAlone({ temperature, seeds }: OutcomeCell, others: ReadonlyMap<string, Pass>): string[] {
  const alone = seeds.filter((seed) => !others.has(keyOf(temperature, seed)))
  if (alone.length === 0) return []
  if (![...others.values()].some(({ cell }) => cell.temperature === temperature))
    return [`temperature ${String(temperature)}`]
  const list = shortList(alone.map(String), 12)
  return [`${alone.length === 1 ? 'seed' : 'seeds'} ${list} at temperature ${String(temperature)}`]
}

function keyOf(temperature: number, seed: number): string {
  return `${String(temperature)} ${String(seed)}`
}
