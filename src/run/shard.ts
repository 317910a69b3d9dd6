import { usageError } from '../core/errors.js'
import type { Plan } from './plan.js'
import { type Cell, cells } from './cells.js'

/** One of several equal parts of a plan. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
}

const maxShards = 9999

/** Reads `3/16`. @throws ShaketableError `usage` for anything else */
export function readShard(text: string): Shard {
  const [, index, count] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []).map(Number)
  if (index !== undefined && count !== undefined && index <= count) return { index, count }
  throw usageError(
    `--shard: expected the number of a shard and of all shards, such as 3/16, the first from 1 to the second and the second at most ${maxShards.toLocaleString('en')}, got '${text.slice(0, 100)}'.`,
  )
}

/** `3 of 16` */
export function describeShard({ index, count }: Shard): string {
  return `${String(index)} of ${String(count)}`
}

/**
 * The cells of a shard: ascending indices in the order of play. The shards of a plan hold each cell once, and are the
 * same on every machine. A model's episodes of one task, seed and temperature stay together, and the tasks of each
 * model are dealt out in turn, so that shards are about equal. Seeds are outermost: those that are added later leave
 * the shards of earlier ones as they are.
 */
export function shardCells(plan: Plan, { index, count }: Shard): readonly number[] {
  const mine: number[] = []
  let dealt = 0
  for (const pass of groupBy(cells(plan), ({ seed, temperature }) => [seed, temperature])) {
    for (const played of groupBy(pass, ({ environment, model, agent }) => [environment.name, model.name, agent.name])) {
      for (const unit of groupBy(played, ({ task }) => [task.id])) {
        if (dealt++ % count === index - 1) mine.push(...unit.map((cell) => cell.index))
      }
    }
  }
  return mine.sort((one, other) => one - other)
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
