/** A Mersenne Twister: each call returns the next 32 bits as an unsigned number. */
export type Twister = () => number

const length = 624
const distance = 397

/** MT19937 (Matsumoto and Nishimura 1998) from one word, as numpy's legacy `RandomState` seeds it. */
export function mersenneTwister(seed: number): Twister {
  return drawFrom(spread(seed))
}

/** MT19937 from a list of words, by `init_by_array`, as CPython's `random.Random` seeds it. */
export function mersenneTwisterOf(key: readonly number[]): Twister {
  const words = spread(19650218)
  const mixed = (index: number): number => words[index - 1]! ^ (words[index - 1]! >>> 30)
  let at = 1
  const step = (): void => {
    if (++at < length) return
    words[0] = words[length - 1]!
    at = 1
  }
  for (let turn = 0; turn < Math.max(length, key.length); turn++) {
    const place = turn % key.length
    words[at] = (words[at]! ^ Math.imul(mixed(at), 1664525)) + key[place]! + place
    step()
  }
  for (let turn = 1; turn < length; turn++) {
    words[at] = (words[at]! ^ Math.imul(mixed(at), 1566083941)) - at
    step()
  }
  words[0] = 0x80000000
  return drawFrom(words)
}

/** The state that one word gives (`init_genrand`). */
function spread(seed: number): Uint32Array {
  const words = new Uint32Array(length)
  words[0] = seed
  for (let index = 1; index < length; index++) {
    const previous = words[index - 1]!
    words[index] = Math.imul(1812433253, previous ^ (previous >>> 30)) + index
  }
  return words
}

function drawFrom(words: Uint32Array): Twister {
  let next = length
  const renew = (): void => {
    for (let index = 0; index < length; index++) {
      const joined = (words[index]! & 0x80000000) | (words[(index + 1) % length]! & 0x7fffffff)
      const twist = (joined & 1) === 0 ? 0 : 0x9908b0df
      words[index] = words[(index + distance) % length]! ^ (joined >>> 1) ^ twist
    }
    next = 0
  }
  return () => {
    if (next === length) renew()
    let word = words[next++]!
    word ^= word >>> 11
    word ^= (word << 7) & 0x9d2c5680
    word ^= (word << 15) & 0xefc60000
    word ^= word >>> 18
    return word >>> 0
  }
}
