import type { PackedIndex } from '../packed.js'
import { keyDigits } from '../packed.js'

/** The dimensions of a run's grid of episodes. */
export type Axis = 'seed' | 'temperature' | 'task' | 'column' | 'model' | 'agent'

/** Whether a success of the clean twin was lost, one was gained against it, or neither. */
export type Change = 'lost' | 'gained' | 'none'

/** The page's episodes in columnar form: one entry per row in each list. */
export interface EpisodeIndex {
  readonly packed: PackedIndex
  readonly count: number
  /** The index of each row's value in the packed lists. */
  readonly digits: Readonly<Record<Axis | 'environment', Uint32Array>>
  /** Ids of the tasks of all environments; their goals and kinds, which are empty where the run does not know them. */
  readonly tasks: readonly string[]
  readonly goals: readonly string[]
  readonly kinds: readonly string[]
  readonly changes: readonly Change[]
  /** The row of the clean twin; undefined for a clean episode, or if the twin is not listed. */
  twin(row: number): number | undefined
  /** The rows of the same task, seed, temperature, model and agent, one for each listed column. */
  siblings(row: number): number[]
  /** The row of a key or a prefix of one. */
  find(key: string): number | undefined
  keyOf(row: number): string
}

/** Opens a packed index. */
export function openIndex(packed: PackedIndex): EpisodeIndex {
  const count = packed.places.length
  const places = new Float64Array(count)
  packed.places.forEach((distance, row) => (places[row] = (places[row - 1] ?? -1) + distance))
  const tasks = packed.environments.flatMap((environment) => environment.tasks)
  const goals = packed.environments.flatMap((environment) => environment.goals)
  const kinds = packed.environments.flatMap((environment) => environment.kinds)
  const environmentOf = packed.environments.flatMap(({ tasks: { length } }, index) => Array<number>(length).fill(index))
  const bases = [
    ['column', packed.columns.length],
    ['task', tasks.length],
    ['temperature', packed.temperatures.length],
    ['seed', packed.seeds.length],
  ] as const
  const lists = Object.fromEntries(
    [...bases.map(([axis]) => axis), 'environment', 'model', 'agent'].map((axis) => [axis, new Uint32Array(count)]),
  )
  const digits = lists as Record<Axis | 'environment', Uint32Array>
  places.forEach((place, row) => {
    const pair = packed.pairs[place % packed.pairs.length]!
    ;[digits.model[row], digits.agent[row]] = pair
    let rest = Math.floor(place / packed.pairs.length)
    for (const [axis, base] of bases) {
      digits[axis][row] = rest % base
      rest = Math.floor(rest / base)
    }
    digits.environment[row] = environmentOf[digits.task[row]!]!
  })
  const inColumn = (row: number, column: number): number | undefined =>
    search(places, places[row]! + (column - digits.column[row]!) * packed.pairs.length)
  const twin = (row: number): number | undefined =>
    packed.clean === -1 || digits.column[row] === packed.clean ? undefined : inColumn(row, packed.clean)
  const endOf = (row: number): string => packed.outcomes[packed.outcome[row]!]!
  return {
    packed,
    count,
    digits,
    tasks,
    goals,
    kinds,
    changes: Array.from({ length: count }, (_, row) => {
      const other = twin(row)
      return other === undefined ? 'none' : changeBetween(endOf(other), endOf(row))
    }),
    twin,
    siblings: (row) => packed.columns.flatMap((_, column) => inColumn(row, column) ?? []),
    keyOf: (row) => packed.keys.slice(row * keyDigits, (row + 1) * keyDigits),
    find(key) {
      const start = key.slice(0, keyDigits)
      for (let at = packed.keys.indexOf(start); at !== -1; at = packed.keys.indexOf(start, at + 1)) {
        if (at % keyDigits === 0) return at / keyDigits
      }
      return undefined
    },
  }
}

function changeBetween(clean: string, perturbed: string): Change {
  if (clean.endsWith('-error') || perturbed.endsWith('-error')) return 'none'
  const [before, now] = [clean === 'success', perturbed === 'success']
  return before === now ? 'none' : before ? 'lost' : 'gained'
}

/** The index of a value in an ascending list. */
function search(ascending: Float64Array, value: number): number | undefined {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < value) low = middle + 1
    else high = middle
  }
  return ascending[low] === value ? low : undefined
}
