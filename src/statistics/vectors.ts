/** A vector of unit length: its places, in ascending order, and the values at them; zero elsewhere. */
export interface UnitVector {
  readonly at: Uint32Array
  readonly values: Float64Array
}

/**
 * Scales a vector to unit length.
 * @param at places of the values, ascending; all places from 0 on where absent
 * @returns undefined for a vector of length 0
 */
export function unitVector(values: ArrayLike<number>, at?: ArrayLike<number>): UnitVector | undefined {
  let largest = 0
  for (let place = 0; place < values.length; place++) largest = Math.max(largest, Math.abs(values[place]!))
  if (largest === 0) return undefined
  let squares = 0
  for (let place = 0; place < values.length; place++) squares += (values[place]! / largest) ** 2
  const length = Math.sqrt(squares)
  return {
    at: at === undefined ? Uint32Array.from({ length: values.length }, (_, place) => place) : Uint32Array.from(at),
    values: Float64Array.from(values, (value) => value / largest / length),
  }
}

/** The product of a unit vector and a full one. */
export function dot({ at, values }: UnitVector, full: Float64Array): number {
  let sum = 0
  for (let place = 0; place < at.length; place++) sum += values[place]! * full[at[place]!]!
  return sum
}

/** Adds a multiple of a unit vector to a full one. */
export function add(full: Float64Array, { at, values }: UnitVector, times = 1): void {
  for (let place = 0; place < at.length; place++) full[at[place]!]! += times * values[place]!
}

/** Number of places that vectors need. */
export function dimensionsOf(vectors: readonly UnitVector[]): number {
  return vectors.reduce((most, { at }) => Math.max(most, at.length === 0 ? 0 : at[at.length - 1]! + 1), 0)
}

/**
 * Mean cosine over all pairs of different vectors, from their sum: (‖Σv‖² − n) / (n(n − 1)), which needs no matrix.
 * Undefined below two vectors.
 * @param dimensions see {@link dimensionsOf}
 */
export function meanPairwiseCosine(
  vectors: readonly UnitVector[],
  dimensions = dimensionsOf(vectors),
): number | undefined {
  const count = vectors.length
  if (count < 2) return undefined
  const sum = new Float64Array(dimensions)
  for (const vector of vectors) add(sum, vector)
  const squares = sum.reduce((total, value) => total + value * value, 0)
  return Math.max(-1, Math.min(1, (squares - count) / (count * (count - 1))))
}

/**
 * The log-determinant of I + K in nats per vector, where K holds the cosines of a set of vectors: the logarithm of the
 * sum of the squared volumes that all its subsets span, which normalises a determinantal point process (Kulesza and
 * Taskar 2012, Foundations and Trends in Machine Learning 5:123, equation 2.9). From log(n + 1) / n, where all vectors
 * are equal, to log 2, where all are orthogonal. It falls with the size of the set: only sets of one size compare. By
 * Cholesky's factors, in time n³ / 6. Undefined for no vectors.
 * @param dimensions see {@link dimensionsOf}
 */
export function logDeterminant(vectors: readonly UnitVector[], dimensions = dimensionsOf(vectors)): number | undefined {
  const count = vectors.length
  if (count === 0) return undefined
  const full = new Float64Array(dimensions)
  const factor = new Float64Array(count * count)
  let sum = 0
  for (let row = 0; row < count; row++) {
    const vector = vectors[row]!
    add(full, vector)
    const from = row * count
    for (let column = 0; column <= row; column++) {
      let rest = column === row ? 2 : dot(vectors[column]!, full)
      const other = column * count
      for (let place = 0; place < column; place++) rest -= factor[from + place]! * factor[other + place]!
      // I + K has no eigenvalue below 1, nor has any of its Schur complements.
      factor[from + column] = column === row ? Math.sqrt(Math.max(1, rest)) : rest / factor[other + column]!
    }
    sum += 2 * Math.log(factor[from + row]!)
    for (const place of vector.at) full[place] = 0
  }
  return sum / count
}

/**
 * {@link logDeterminant} of sets of one size, averaged: the vectors in their order, cut into sets, at most `maxSets` of
 * them. Undefined where there is not one whole set.
 */
export function logDeterminantOfSets(
  vectors: readonly UnitVector[],
  { size, maxSets, dimensions }: { readonly size: number; readonly maxSets: number; readonly dimensions?: number },
): number | undefined {
  const sets = Math.min(maxSets, Math.floor(vectors.length / size))
  if (sets === 0) return undefined
  let sum = 0
  for (let set = 0; set < sets; set++) sum += logDeterminant(vectors.slice(set * size, (set + 1) * size), dimensions)!
  return sum / sets
}
