import { mersenneTwisterOf } from '../mersenne-twister.js'

/**
 * `random.Random(seed).shuffle(list(range(count)))` of CPython 3: Fisher and Yates' shuffle from the end, with the high
 * bits of a Mersenne Twister's words, drawn again while they are too large.
 * @param seed a whole number from 0 to 2^53 − 1
 */
export function pythonShuffle(seed: number, count: number): number[] {
  const next = mersenneTwisterOf(seed >= 2 ** 32 ? [seed % 2 ** 32, Math.floor(seed / 2 ** 32)] : [seed])
  const order = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const bits = 32 - Math.clz32(last + 1)
    let other: number
    do other = next() >>> (32 - bits)
    while (other > last)
    ;[order[last], order[other]] = [order[other]!, order[last]!]
  }
  return order
}
