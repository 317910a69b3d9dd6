import { ShaketableError } from '../core/errors.js'
import type { Plan } from './plan.js'
import type { Cell } from './cells.js'
import { cells } from './cells.js'

/** One of several equal parts of a plan. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
}

/** The most shards of a plan. */
const maxShards = 9999
/** A division is even enough where the largest shard is at most this many times the mean. */
const evenRatio = 1.25

/** Reads `3/16`. @throws ShaketableError `usage` for anything else */
export function readShard(text: string): Shard {
  const [, index, count] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []).map(Number)
  if (index !== undefined && count !== undefined && index <= count) return { index, count }
  throw new ShaketableError(
    'usage',
    `--shard: expected the number of a shard and of all shards, such as 3/16, the first from 1 to the second and the second at most ${maxShards.toLocaleString('en')}, got '${text.slice(0, 100)}'.`,
  )
}

/** `3 of 16` */
export function describeShard({ index, count }: Shard): string {
  return `${String(index)} of ${String(count)}`
}

/** What the cells of a unit that is played by one shard have in common, beside task, seed and temperature. */
type Division = (cell: Cell) => readonly string[]

/** Ways to divide the cells of a task, seed and temperature, the coarsest first. */
const divisions: readonly Division[] = [
  () => [],
  ({ model, agent }) => [model.name, agent.name],
  ({ model, agent, column }) => [model.name, agent.name, column.label],
]

/** A division of a plan, with the cells of one of its shards. */
interface Dealt {
  readonly own: number[]
  /** Cost of the costliest shard over their mean. */
  readonly ratio: number
  readonly isAnyEmpty: boolean
}

/**
 * The cells of a shard: ascending indices in the order of play. The shards of a plan hold each cell once, and are the
 * same on every machine. All cells of a task, seed and temperature stay together where that divides the cost evenly;
 * else those of one model and agent do; else none. Within each pass over the tasks the costliest are dealt out first,
 * each to the shard with the least so far, so that all shards are about equally far in the seeds.
 * @param expectedCalls calls that an episode is expected to take, the same for all shards
 */
export function shardCells(plan: Plan, shard: Shard, expectedCalls: (cell: Cell) => number): readonly number[] {
  const costs = new Map<Cell['environment'], number[]>()
  const costOf = (cell: Cell): number => {
    const known = costs.get(cell.environment) ?? []
    costs.set(cell.environment, known)
    return (known[cell.combination] ??= expectedCalls(cell))
  }
  let best: Dealt | undefined
  for (const divide of divisions) {
    const dealt = deal(plan, shard, divide, costOf)
    if (best === undefined || best.isAnyEmpty || dealt.ratio < best.ratio) best = dealt
    if (best.ratio <= evenRatio && !best.isAnyEmpty) break
  }
  return best!.own.sort((one, other) => one - other)
}

function deal(plan: Plan, { index, count }: Shard, divide: Division, costOf: (cell: Cell) => number): Dealt {
  const loads = new Float64Array(count)
  const isUsed = new Uint8Array(count)
  const own: number[] = []
  for (const pass of groupBy(cells(plan), ({ seed, temperature }) => [seed, temperature])) {
    const units = groupBy(pass, (cell) => [cell.environment.name, cell.task.id, ...divide(cell)]).map((unit) => ({
      unit,
      cost: sumOf(unit.map(costOf)),
    }))
    for (const { unit, cost } of units.sort((one, other) => other.cost - one.cost)) {
      let least = 0
      for (let shard = 1; shard < count; shard++) if (loads[shard]! < loads[least]!) least = shard
      loads[least]! += cost
      isUsed[least] = 1
      if (least === index - 1) own.push(...unit.map((cell) => cell.index))
    }
  }
  const mean = sumOf(loads) / count
  return { own, ratio: mean === 0 ? 1 : Math.max(...loads) / mean, isAnyEmpty: isUsed.includes(0) }
}

/** Cells with the same values together, in the order of the first of each group. */
function groupBy(all: readonly Cell[], valuesOf: (cell: Cell) => readonly (string | number)[]): Cell[][] {
  const groups = new Map<string, Cell[]>()
  for (const cell of all) {
    const name = JSON.stringify(valuesOf(cell))
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [cell])
    else group.push(cell)
  }
  return [...groups.values()]
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const one of numbers) sum += one
  return sum
}
