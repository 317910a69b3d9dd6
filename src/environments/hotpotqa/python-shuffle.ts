const size = 624
const mask32 = 0xffffffff

/**
 * `random.Random(seed).shuffle(list(range(count)))` of CPython 3: the Mersenne Twister MT19937 (Matsumoto and
 * Nishimura 1998) seeded by `init_by_array`, and Fisher and Yates' shuffle from the end with rejected draws.
 * @param seed a whole number from 0 to 2^53 − 1
 */
export function pythonShuffle(seed: number, count: number): number[] {
  const next = createTwister(seed >= 2 ** 32 ? [seed % 2 ** 32, Math.floor(seed / 2 ** 32)] : [seed])
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

/** The 32-bit words of MT19937 for a key. */
function createTwister(key: readonly number[]): () => number {
  const state = new Uint32Array(size)
  state[0] = 19650218
  const mixed = (index: number): number => state[index - 1]! ^ (state[index - 1]! >>> 30)
  for (let index = 1; index < size; index++) state[index] = Math.imul(1812433253, mixed(index)) + index
  let at = 1
  const step = (): void => {
    if (++at < size) return
    state[0] = state[size - 1]!
    at = 1
  }
  for (let turn = 0; turn < Math.max(size, key.length); turn++) {
    const place = turn % key.length
    state[at] = (state[at]! ^ Math.imul(mixed(at), 1664525)) + key[place]! + place
    step()
  }
  for (let turn = 1; turn < size; turn++) {
    state[at] = (state[at]! ^ Math.imul(mixed(at), 1566083941)) - at
    step()
  }
  state[0] = 0x80000000
  let drawn = size
  return () => {
    if (drawn === size) {
      for (let index = 0; index < size; index++) {
        const joined = (state[index]! & 0x80000000) | (state[(index + 1) % size]! & 0x7fffffff)
        state[index] = state[(index + 397) % size]! ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0)
      }
      drawn = 0
    }
    let word = state[drawn++]!
    word ^= word >>> 11
    word ^= (word << 7) & 0x9d2c5680
    word ^= (word << 15) & 0xefc60000
    return ((word ^ (word >>> 18)) & mask32) >>> 0
  }
}
