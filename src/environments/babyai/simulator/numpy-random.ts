const mask32 = 0xffffffffn
const mask64 = 0xffffffffffffffffn
const mask128 = (1n << 128n) - 1n
const multiplier = 0x2360ed051fc65da44385df649fccf645n

/**
 * The words of numpy's SeedSequence for a seed (O'Neill's seed_seq; `numpy/random/bit_generator.pyx`), as unsigned
 * 64-bit numbers.
 * @param seed a whole number of any size, 0 or more
 */
function seedWords(seed: bigint, count: number): bigint[] {
  const entropy: number[] = []
  for (let rest = seed; rest > 0n || entropy.length === 0; rest >>= 32n) entropy.push(Number(rest & mask32))
  let constant = 0x43b0d7e5
  const hash = (word: number): number => {
    let value = (word ^ constant) >>> 0
    constant = Math.imul(constant, 0x931e8875) >>> 0
    value = Math.imul(value, constant) >>> 0
    return (value ^ (value >>> 16)) >>> 0
  }
  const mix = (x: number, y: number): number => {
    const mixed = (Math.imul(x, 0xca01f9dd) - Math.imul(y, 0x4973f715)) >>> 0
    return (mixed ^ (mixed >>> 16)) >>> 0
  }
  const pool = Array.from({ length: 4 }, (_, place) => hash(entropy[place] ?? 0))
  for (let from = 0; from < 4; from++) {
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mix(pool[to]!, hash(pool[from]!))
  }
  for (const extra of entropy.slice(4)) {
    for (let to = 0; to < 4; to++) pool[to] = mix(pool[to]!, hash(extra))
  }
  let output = 0x8b51f9dd
  const halves = Array.from({ length: 2 * count }, (_, index) => {
    let value = (pool[index % 4]! ^ output) >>> 0
    output = Math.imul(output, 0x58f38ded) >>> 0
    value = Math.imul(value, output) >>> 0
    return (value ^ (value >>> 16)) >>> 0
  })
  return Array.from(
    { length: count },
    (_, index) => BigInt(halves[2 * index]!) | (BigInt(halves[2 * index + 1]!) << 32n),
  )
}

/**
 * Opens the stream of numpy's `Generator(PCG64(SeedSequence(seed)))`, from which Gymnasium's environments draw.
 * @param seed a whole number of any size, 0 or more
 */
export function createNumpyRandom(seed: bigint) {
  const [high, low, incHigh, incLow] = seedWords(seed, 4) as [bigint, bigint, bigint, bigint]
  const inc = ((((incHigh << 64n) | incLow) << 1n) | 1n) & mask128
  let state = 0n
  let kept: number | undefined
  let last = 0
  const advance = (): void => {
    state = (state * multiplier + inc) & mask128
  }
  advance()
  state = (state + ((high << 64n) | low)) & mask128
  advance()
  const word = (): bigint => {
    advance()
    const folded = ((state >> 64n) ^ state) & mask64
    const turn = state >> 122n
    return ((folded >> turn) | (folded << (64n - turn))) & mask64
  }
  const half = (): number => {
    if (kept !== undefined) {
      const value = kept
      kept = undefined
      return value
    }
    const whole = word()
    last = Number(whole >> 32n)
    kept = last
    return Number(whole & mask32)
  }
  return {
    word,
    /** A number in [0, 1) with 53 bits; does not use a half word that is left. */
    float: () => Number(word() >> 11n) / 2 ** 53,
    /** A whole number below `to`, at most 2³² above `from`; draws nothing if only one is possible. */
    integer(from: number, to: number): number {
      const range = to - from
      if (range === 1) return from
      let product = multiply(half(), range)
      if (product.low < range) {
        const threshold = (2 ** 32 - range) % range
        while (product.low < threshold) product = multiply(half(), range)
      }
      return from + product.high
    },
    /** The state, with numpy's names: also whether half of a 64-bit word is left for the next draw, and that half. */
    state: () => ({ state, inc, hasUint32: kept !== undefined, uinteger: last }),
  }
}

/** See {@link createNumpyRandom}. */
export type NumpyRandom = ReturnType<typeof createNumpyRandom>

/** The product of two 32-bit numbers in two halves of 32 bits each. */
function multiply(a: number, b: number): { readonly high: number; readonly low: number } {
  const upper = (a >>> 16) * b
  const lower = (a & 0xffff) * b
  const middle = (upper % 65536) * 65536 + lower
  return { high: Math.floor(upper / 65536) + Math.floor(middle / 2 ** 32), low: middle % 2 ** 32 }
}
