import seedrandom from 'seedrandom'
import { ShaketableError } from './errors.js'

/**
 * A stream of random numbers. It is always passed as an argument. The same seed and fork names give the same stream on
 * every machine.
 */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** A whole number in [0, below). */
  int(below: number): number
  /** One element of a list; the list must not be empty. */
  pick<T>(list: readonly T[]): T
  /** A shuffled copy. */
  shuffle<T>(list: readonly T[]): T[]
  /**
   * An independent stream, determined by this stream's seed and the name only, regardless of how much has been drawn.
   */
  fork(name: string): Random
}

/**
 * Creates the stream of a seed. Seeds are strings, since `seedrandom(1)` and `seedrandom('1')` differ and
 * `seedrandom(undefined)` would take its seed from the clock.
 * @throws ShaketableError `usage` if the seed is not a string
 */
export function createRandom(seed: string): Random {
  if (typeof seed !== 'string') {
    throw new ShaketableError('usage', `A seed must be a string, got ${typeof seed}. Write String(seed).`)
  }
  let generator: (() => number) | undefined
  const next = (): number => (generator ??= seedrandom(seed))()
  const int = (below: number): number => Math.floor(next() * below)
  return {
    next,
    int,
    pick(list) {
      if (list.length === 0)
        throw new ShaketableError('usage', 'pick() needs a list with at least one element, got none.')
      return list[int(list.length)]!
    },
    shuffle(list) {
      const copy = [...list]
      for (let last = copy.length - 1; last > 0; last--) {
        const other = int(last + 1)
        ;[copy[last], copy[other]] = [copy[other]!, copy[last]!]
      }
      return copy
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  }
}
