import type { Random } from '../src/define.js'

/** When something fails. */
interface Schedule {
  /** Expected share of failing turns, 0 to 1. */
  readonly share: number
  /** How many turns in a row fail at least. */
  readonly burst: number
  /** How many turns of an episode fail at most. */
  readonly max: number
}

/**
 * Whether a turn, from 1, fails. It depends on the stream's seed alone, so that all models meet the same failures; a
 * larger share fails in every turn in which a smaller one does, up to `max`.
 */
export function createSchedule(random: Random, { share, burst, max }: Schedule): (turn: number) => boolean {
  const fails: boolean[] = [false]
  let count = 0
  return (turn) => {
    for (let next = fails.length; next <= turn; next++) {
      const begins = Array.from({ length: burst }, (_, back) => next - back).some(
        (start) => start > 0 && random.fork(String(start)).next() < share / burst,
      )
      fails.push(begins && count < max)
      if (fails[next]!) count++
    }
    return fails[turn]!
  }
}
