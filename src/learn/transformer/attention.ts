import type { Kernels } from './kernels.js'
import type { Shape } from './shape.js'
import { mixed } from './shape.js'

/** A sequence of tokens within rows; it starts at a multiple of 8 and is padded to one. */
export interface Stretch {
  readonly at: number
  readonly length: number
}

/** What attention computes, which its gradient is computed from. */
export interface KeptAttention {
  /** Queries, keys and values before they are mixed. */
  readonly unmixed: number
  readonly attend: number
  readonly probabilities: number
  readonly gathered: number
}

/** Rows of attention that are computed together. */
const block = 32
/** Pairs of numbers in each head's queries and keys that are rotated by the token's position; the rest is not. */
const rotatedPairs = 8
const slowestTurn = 1000

/** The most rows of a network, and the most of one sequence; both multiples of 8. */
export interface Limits {
  readonly rows: number
  readonly length: number
  /** Whether gradients will be computed. Otherwise there is room for one sequence only. */
  readonly isTrained: boolean
}

/** Takes floats of the memory. @returns the place of the first */
export type Take = (floats: number) => number

/**
 * Creates the attention of all layers: each token gathers values of the tokens up to it, by heads.
 * @param takeBack takes floats that only gradients need
 */
export function createAttention(
  floats: Float32Array,
  kernels: Kernels,
  { width, heads }: Shape,
  { rows: maxRows, length: maxLength, isTrained }: Limits,
  take: Take,
  takeBack: Take,
) {
  const headWidth = width / heads
  const tripled = 3 * width
  const scale = 1 / Math.sqrt(headWidth)
  const takeProbabilities = (): number =>
    take(isTrained ? heads * maxRows * (maxLength / 2 + block) : block * maxLength)
  const sharedProbabilities = isTrained ? 0 : takeProbabilities()
  const [keysPacked, valuesPacked] = [take(maxLength * headWidth), take(maxLength * headWidth)]
  const [attendBack, unmixedBack] = [takeBack(maxRows * tripled), takeBack(maxRows * tripled)]
  const [blockPacked, blockBack] = [takeBack(block * headWidth), takeBack(block * maxLength)]

  const pairs = Math.min(rotatedPairs, headWidth / 2)
  const cosines = new Float64Array(maxLength * pairs)
  const sines = new Float64Array(maxLength * pairs)
  for (let position = 0; position < maxLength; position++) {
    for (let pair = 0; pair < pairs; pair++) {
      const angle = position * Math.exp((-Math.log(slowestTurn) * pair) / pairs)
      cosines[position * pairs + pair] = Math.cos(angle)
      sines[position * pairs + pair] = Math.sin(angle)
    }
  }

  /** Rotates the first numbers of queries and keys by the position of their token. */
  function rotate(attend: number, sequences: readonly Stretch[], from: number, direction: 1 | -1): void {
    for (const { at, length } of sequences) {
      for (let position = from; position < length; position++) {
        for (let head = 0; head < 2 * heads; head++) {
          const place = attend + (at + position) * tripled + head * headWidth
          for (let pair = 0; pair < pairs; pair++) {
            const a = floats[place + pair]!
            const b = floats[place + pairs + pair]!
            const cosine = cosines[position * pairs + pair]!
            const sine = direction * sines[position * pairs + pair]!
            floats[place + pair] = a * cosine - b * sine
            floats[place + pairs + pair] = a * sine + b * cosine
          }
        }
      }
    }
  }

  /** Mixes each token's queries, keys and values with those of the tokens before it. */
  function mix(factors: number, kept: KeptAttention, sequences: readonly Stretch[], from: number): void {
    for (const { at, length } of sequences) {
      for (let position = from; position < length; position++) {
        const into = kept.attend + (at + position) * tripled
        const of = kept.unmixed + (at + position) * tripled
        kernels.setProduct(into, of, factors, tripled)
        for (let back = 1; back < mixed && back <= position; back++) {
          kernels.addProduct(into, of - back * tripled, factors + back * tripled, tripled)
        }
      }
    }
  }

  function mixBack(factors: number, factorsBack: number, kept: KeptAttention, sequences: readonly Stretch[]): void {
    for (const { at, length } of sequences) {
      for (let position = 0; position < length; position++) {
        const into = unmixedBack + (at + position) * tripled
        const source = kept.unmixed + (at + position) * tripled
        for (let ahead = 0; ahead < mixed && position + ahead < length; ahead++) {
          const of = attendBack + (at + position + ahead) * tripled
          const skip = ahead * tripled
          if (ahead === 0) kernels.setProduct(into, of, factors + skip, tripled)
          else kernels.addProduct(into, of, factors + skip, tripled)
          kernels.addProduct(factorsBack + skip, of, source, tripled)
        }
      }
    }
  }

  /** Attends to the tokens up to each token, by heads and blocks of rows. */
  function attend(kept: KeptAttention, sequences: readonly Stretch[], from: number): void {
    let probabilities = kept.probabilities
    for (const { at, length } of sequences) {
      for (let head = 0; head < heads; head++) {
        const queries = kept.attend + at * tripled + head * headWidth
        kernels.packTransposed(queries + width, tripled, headWidth, length, keysPacked, headWidth * 8)
        kernels.pack(queries + 2 * width, tripled, length, headWidth, valuesPacked, length * 8)
        for (let start = from; start < length; start += block) {
          const rows = Math.min(block, length - start)
          const columns = start + rows
          const query = queries + start * tripled
          kernels.multiply(probabilities, columns, query, tripled, keysPacked, headWidth * 8, rows, headWidth, columns)
          for (let row = 0; row < rows; row++) {
            const place = probabilities + row * columns
            const valid = start + row + 1
            const padded = Math.ceil(valid / 4) * 4
            floats.fill(-1e30, place + valid, place + padded)
            kernels.softmax(place, padded, scale)
            floats.fill(0, place + valid, place + columns)
          }
          const into = kept.gathered + (at + start) * width + head * headWidth
          kernels.multiply(into, width, probabilities, columns, valuesPacked, length * 8, rows, columns, headWidth)
          if (isTrained) probabilities += rows * columns
        }
      }
    }
  }

  function attendBackward(kept: KeptAttention, gatheredBack: number, sequences: readonly Stretch[]): void {
    let probabilities = kept.probabilities
    for (const { at, length } of sequences) {
      for (let head = 0; head < heads; head++) {
        const queries = kept.attend + at * tripled + head * headWidth
        const queriesBack = attendBack + at * tripled + head * headWidth
        kernels.packTransposed(queries + 2 * width, tripled, headWidth, length, valuesPacked, headWidth * 8)
        kernels.pack(queries + width, tripled, length, headWidth, keysPacked, length * 8)
        for (let start = 0; start < length; start += block) {
          const rows = Math.min(block, length - start)
          const columns = start + rows
          const back = gatheredBack + (at + start) * width + head * headWidth
          kernels.multiply(blockBack, columns, back, width, valuesPacked, headWidth * 8, rows, headWidth, columns)
          const addBlock = (into: number, source: number, from: number, stride: number): void => {
            kernels.pack(from, stride, rows, headWidth, blockPacked, rows * 8)
            kernels.multiplyTransposed(
              into,
              tripled,
              source,
              columns,
              blockPacked,
              rows * 8,
              columns,
              rows,
              headWidth,
              true,
            )
          }
          addBlock(queriesBack + 2 * width, probabilities, back, width)
          for (let row = 0; row < rows; row++) {
            const padded = Math.ceil((start + row + 1) / 4) * 4
            const place = blockBack + row * columns
            kernels.softmaxBack(probabilities + row * columns, place, padded, scale)
            floats.fill(0, place + padded, place + columns)
          }
          const into = queriesBack + start * tripled
          kernels.multiply(into, tripled, blockBack, columns, keysPacked, length * 8, rows, columns, headWidth)
          addBlock(queriesBack + width, blockBack, queries + start * tripled, tripled)
          probabilities += rows * columns
        }
      }
    }
  }

  return {
    keep: (): KeptAttention => ({
      unmixed: take(maxRows * tripled),
      attend: take(maxRows * tripled),
      probabilities: isTrained ? takeProbabilities() : sharedProbabilities,
      gathered: take(maxRows * width),
    }),
    /**
     * Computes `gathered` from `unmixed`, for the rows of each sequence from `from` on.
     * @param factors the place of the factors for mixing
     */
    forward(kept: KeptAttention, factors: number, sequences: readonly Stretch[], from: number): void {
      mix(factors, kept, sequences, from)
      rotate(kept.attend, sequences, from, 1)
      attend(kept, sequences, from)
    },
    /**
     * Computes the gradient before {@link forward}, and adds that of the factors.
     * @returns the place of the gradient of `unmixed`
     */
    backward(
      kept: KeptAttention,
      factors: number,
      factorsBack: number,
      gatheredBack: number,
      sequences: readonly Stretch[],
    ): number {
      const rows = sequences.reduce((sum, { length }) => sum + length, 0)
      floats.fill(0, attendBack, attendBack + rows * tripled)
      attendBackward(kept, gatheredBack, sequences)
      rotate(attendBack, sequences, 0, -1)
      mixBack(factors, factorsBack, kept, sequences)
      return unmixedBack
    },
  }
}
