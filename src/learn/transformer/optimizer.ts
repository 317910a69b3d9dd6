import type { Kernels, SharedMemory } from './kernels.js'
import type { Parameters, Shape, Tensor } from './shape.js'

/** The two threads that share training; each updates its own part of the parameters. */
export type Side = 0 | 1

/** Places in the memory, in floats. */
export interface OptimizerPlaces {
  readonly weights: number
  /** The gradients of both sides, whose sum is used. */
  readonly gradients: readonly [number, number]
  /** Two numbers for each parameter. */
  readonly moments: number
  readonly work: number
}

const [momentum, firstDecay, secondDecay, weightDecay] = [0.95, 0.9, 0.98, 0.1]
/** Coefficients of the iteration that makes the singular values of a matrix nearly equal (Jordan et al. 2024, Muon). */
const [linear, cubic, quintic] = [3.4445, -4.775, 2.0315]
const iterations = 5

/** The number of floats that an optimizer needs to work. */
export const optimizerWork = ({ width, inner }: Shape): number => 3 * width * Math.max(width, inner) + 3 * width * width

/** A square or longer part of a tensor that is updated as one matrix. */
interface Matrix {
  readonly at: number
  readonly rows: number
  readonly columns: number
  readonly stride: number
}

/**
 * Creates the optimizer of one side: Muon for matrices, Adam for embedding, gains and mixing factors. It is called once
 * a step with the learning rate.
 */
export function createOptimizer(
  memory: SharedMemory,
  kernels: Kernels,
  shape: Shape,
  { all, layers, size }: Parameters,
  { weights, gradients, moments, work }: OptimizerPlaces,
  side: Side,
) {
  const floats = new Float32Array(memory.buffer)
  const { width, inner } = shape
  const [largest, square] = [width * Math.max(width, inner), width * width]
  const [first, second, packed] = [work, work + largest, work + 2 * largest]
  const [product, polynomial, packedSquare] = [0, 1, 2].map((at) => work + 3 * largest + at * square) as [
    ...[number, number, number],
  ]
  const whole = ({ at, rows, columns }: Tensor): Matrix => ({ at, rows, columns, stride: columns })
  const matrices = layers.flatMap(({ attend, gather, widen, narrow }): Matrix[] => [
    ...[0, 1, 2].map((part) => ({ at: attend.at + part * width, rows: width, columns: width, stride: 3 * width })),
    ...[gather, widen, narrow].map(whole),
  ])
  const mine = matrices.filter((_, at) => at % 2 === side)
  const gradientOf = (index: number): number => floats[gradients[0] + index]! + floats[gradients[1] + index]!
  const others = all
    .filter(({ kind }) => kind !== 'input' && kind !== 'output')
    .map(({ at, rows, columns, kind }) => {
      const [middle, end] = [at + Math.floor((rows * columns) / 2), at + rows * columns]
      const share = kind === 'embedding' ? 1 : 0.5
      return side === 0 ? { from: at, to: middle, share } : { from: middle, to: end, share }
    })

  /** Makes the singular values of the matrix at `first` nearly 1. @returns the place of the result */
  function equalise(rows: number, columns: number): number {
    let sum = 0
    for (let at = first; at < first + rows * columns; at++) sum += floats[at]! ** 2
    const factor = 1 / (Math.sqrt(sum) + 1e-7)
    for (let at = first; at < first + rows * columns; at++) floats[at]! *= factor
    let [from, to] = [first, second]
    for (let iteration = 0; iteration < iterations; iteration++) {
      kernels.packTransposed(from, columns, columns, rows, packed, columns * 8)
      kernels.multiply(product, rows, from, columns, packed, columns * 8, rows, columns, rows)
      kernels.pack(product, rows, rows, rows, packedSquare, rows * 8)
      kernels.multiply(polynomial, rows, product, rows, packedSquare, rows * 8, rows, rows, rows)
      for (let at = 0; at < rows * rows; at++) {
        floats[polynomial + at] = cubic * floats[product + at]! + quintic * floats[polynomial + at]!
      }
      for (let at = 0; at < rows; at++) floats[polynomial + at * rows + at]! += linear
      kernels.pack(from, columns, rows, columns, packed, rows * 8)
      kernels.multiply(to, columns, polynomial, rows, packed, rows * 8, rows, rows, columns)
      ;[from, to] = [to, from]
    }
    return from
  }

  function updateMatrix({ at, rows, columns, stride }: Matrix, rate: number): void {
    const isTurned = rows > columns
    const [short, long] = isTurned ? [columns, rows] : [rows, columns]
    const place = (row: number, column: number): number => (isTurned ? column * long + row : row * long + column)
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const index = at + row * stride + column
        const gradient = gradientOf(index)
        const moment = momentum * floats[moments + index]! + gradient
        floats[moments + index] = moment
        floats[first + place(row, column)] = gradient + momentum * moment
      }
    }
    const result = equalise(short, long)
    // The factor makes the size of a change equal to that of Adam's (Liu et al. 2025).
    const factor = 0.2 * Math.sqrt(long) * rate
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const index = weights + at + row * stride + column
        const before = floats[index]!
        floats[index] = before - factor * floats[result + place(row, column)]! - rate * weightDecay * before
      }
    }
  }

  let [firstPower, secondPower] = [1, 1]

  function updateOthers(rate: number): void {
    firstPower *= firstDecay
    secondPower *= secondDecay
    for (const part of others) {
      for (let index = part.from; index < part.to; index++) {
        const gradient = gradientOf(index)
        const one = firstDecay * floats[moments + index]! + (1 - firstDecay) * gradient
        const two = secondDecay * floats[moments + size + index]! + (1 - secondDecay) * gradient * gradient
        floats[moments + index] = one
        floats[moments + size + index] = two
        floats[weights + index]! -=
          (part.share * rate * (one / (1 - firstPower))) / (Math.sqrt(two / (1 - secondPower)) + 1e-8)
      }
    }
  }

  return (rate: number): void => {
    for (const matrix of mine) updateMatrix(matrix, rate)
    updateOthers(rate)
  }
}
