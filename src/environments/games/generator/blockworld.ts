import type { Random } from '../../../core/random.js'
import type { Situation } from './situation.js'
import { defineFamily, numbered, some } from './situation.js'

interface Size {
  readonly blocks: number
  /** The number of blocks that the goal requires on others. */
  readonly goals: number
}

/** The sizes of the benchmark's problems. */
const sizes: readonly Size[] = [
  { blocks: 3, goals: 2 },
  { blocks: 3, goals: 2 },
  { blocks: 5, goals: 2 },
  { blocks: 7, goals: 6 },
  { blocks: 7, goals: 6 },
  { blocks: 4, goals: 2 },
  { blocks: 4, goals: 3 },
  { blocks: 5, goals: 3 },
  { blocks: 6, goals: 2 },
  { blocks: 6, goals: 3 },
]

/** Blocks in towers, and pairs of blocks that should lie on each other. */
export const blockworld = defineFamily(5, sizes, draw)

function draw({ blocks, goals }: Size, random: Random): Situation | undefined {
  const names = numbered('block', blocks)
  const start = drawTowers(names, random)
  const lying = pairsOf(start)
  const isNew = (pair: Pair): boolean => !lying.some(({ block, under }) => block === pair.block && under === pair.under)
  const wanted = pairsOf(drawTowers(names, random)).filter(isNew)
  if (wanted.length < goals) return undefined
  return {
    objects: names,
    init: [
      'arm-empty',
      ...start.map(([bottom]) => `on-table ${bottom!}`),
      ...lying.map(({ block, under }) => `on ${block} ${under}`),
      ...start.map((tower) => `clear ${tower.at(-1)!}`),
    ],
    goal: some(wanted, goals, random).map(({ block, under }) => `on ${block} ${under}`),
    // All towers taken down, and the required ones built from the table.
    solutionLength: 2 * lying.length + 2 * goals,
  }
}

interface Pair {
  readonly block: string
  readonly under: string
}

/** Towers from bottom to top. */
function drawTowers(names: readonly string[], random: Random): string[][] {
  const towers: string[][] = []
  for (const name of random.shuffle(names)) {
    const place = random.int(towers.length + 1)
    if (place === towers.length) towers.push([name])
    else towers[place]!.push(name)
  }
  return towers
}

function pairsOf(towers: readonly (readonly string[])[]): Pair[] {
  return towers.flatMap((tower) => tower.slice(1).map((block, index) => ({ block, under: tower[index]! })))
}
