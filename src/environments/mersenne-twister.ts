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

/**
 * A copy shuffled as by CPython 3's `random.Random(seed).shuffle`, which draws with the high bits of a word.
 * @param seed a whole number from 0 to 2^53 − 1
 */
export function pythonShuffle<T>(list: readonly T[], seed: number): T[] {
  const next = mersenneTwisterOf(seed >= 2 ** 32 ? [seed % 2 ** 32, Math.floor(seed / 2 ** 32)] : [seed])
  return shuffle(list, (place) => next() >>> Math.clz32(place + 1))
}

/** A copy shuffled as by numpy's legacy `RandomState(seed).shuffle`, which draws with the low bits of a word. */
export function legacyShuffle<T>(list: readonly T[], seed: number): T[] {
  const next = mersenneTwister(seed)
  return shuffle(list, (place) => (next() & (2 ** (32 - Math.clz32(place)) - 1)) >>> 0)
}

/** Fisher and Yates' shuffle from the end: each is swapped with one drawn up to its place, drawn again if beyond. */
function shuffle<T>(list: readonly T[], draw: (place: number) => number): T[] {
  const shuffled = [...list]
  for (let place = shuffled.length - 1; place > 0; place--) {
    let partner: number
    do partner = draw(place)
    while (partner > place)
    ;[shuffled[place], shuffled[partner]] = [shuffled[partner]!, shuffled[place]!]
  }
  return shuffled
}
