import { expectNumber, positiveCount } from './_expect-number.js'
import { effectiveNumber } from './richness.js'
import type { UnitVector } from './vectors.js'
import { add, dimensionsOf, dot } from './vectors.js'

/** Unit vectors in clusters. */
export interface Clustering {
  /** Full vectors of unit length. */
  readonly centres: readonly Float64Array[]
  /** The place of each vector's centre. */
  readonly members: Uint32Array
  /** Mean cosine of the vectors with their centres. */
  readonly fit: number
}

const maxRounds = 30

/**
 * Spherical k-means (Dhillon and Modha 2001, Machine Learning 42:143): each vector belongs to the centre with the
 * largest cosine, and a centre is the direction of its members' sum. Begun by k-means++ (Arthur and Vassilvitskii 2007)
 * with 1 − cosine, which is half of the squared distance. Where there are fewer different vectors than `k`, there are
 * as many centres.
 * @param random numbers in [0, 1)
 */
export function sphericalKMeans(
  vectors: readonly UnitVector[],
  k: number,
  random: () => number,
  dimensions = dimensionsOf(vectors),
): Clustering {
  expectNumber('the number of clusters', k, positiveCount)
  expectNumber('the number of vectors', vectors.length, positiveCount)
  let centres = beginCentres(vectors, k, random, dimensions)
  let members = new Uint32Array(vectors.length).fill(centres.length)
  for (let round = 0; round < maxRounds; round++) {
    const next = nearestCentres(vectors, centres)
    if (next.every((centre, place) => centre === members[place])) break
    members = next
    centres = centresOf(vectors, members, centres)
  }
  const fit = vectors.reduce((sum, vector, place) => sum + dot(vector, centres[members[place]!]!), 0) / vectors.length
  return { centres, members, fit }
}

/** The place of the centre with the largest cosine for each vector; the first of equals. */
export function nearestCentres(
  vectors: readonly UnitVector[],
  centres: readonly Float64Array[],
): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(vectors, (vector) => {
    let [best, most] = [0, -Infinity]
    for (let centre = 0; centre < centres.length; centre++) {
      const cosine = dot(vector, centres[centre]!)
      if (cosine > most) [best, most] = [centre, cosine]
    }
    return best
  })
}

/** A distance below this is a rounding error. */
const noDistance = 1e-9

function beginCentres(
  vectors: readonly UnitVector[],
  k: number,
  random: () => number,
  dimensions: number,
): Float64Array[] {
  const centres: Float64Array[] = []
  const distances = new Float64Array(vectors.length).fill(1)
  while (centres.length < k) {
    const total = distances.reduce((sum, distance) => sum + distance, 0)
    if (total === 0) break
    let left = random() * total
    let place = distances.findLastIndex((distance) => distance > 0)
    for (let at = 0; at < place; at++) {
      left -= distances[at]!
      if (left < 0) {
        place = at
        break
      }
    }
    const centre = new Float64Array(dimensions)
    add(centre, vectors[place]!)
    centres.push(centre)
    vectors.forEach((vector, at) => {
      const distance = 1 - dot(vector, centre)
      distances[at] = distance < noDistance ? 0 : Math.min(distances[at]!, distance)
    })
  }
  return centres
}

/** The directions of the members' sums; a centre without members, or with members that cancel out, stays. */
function centresOf(
  vectors: readonly UnitVector[],
  members: Uint32Array,
  before: readonly Float64Array[],
): Float64Array[] {
  const sums = before.map(({ length }) => new Float64Array(length))
  vectors.forEach((vector, place) => {
    add(sums[members[place]!]!, vector)
  })
  return sums.map((sum, centre) => {
    const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0))
    return length < noDistance ? before[centre]! : sum.map((value) => value / length)
  })
}

/**
 * Mean silhouette of a clustering (Rousseeuw 1987, J. Comput. Appl. Math. 20:53) with the distance 1 − cosine, from -1
 * to 1; 0 for a vector that is alone in its cluster. Mean distances to a cluster follow from the sum of its vectors, so
 * that no pair is visited. Undefined for fewer than two clusters with members.
 */
export function meanSilhouette(vectors: readonly UnitVector[], { centres, members }: Clustering): number | undefined {
  const sums = centres.map(({ length }) => new Float64Array(length))
  const sizes = new Uint32Array(centres.length)
  vectors.forEach((vector, place) => {
    add(sums[members[place]!]!, vector)
    sizes[members[place]!]!++
  })
  if (sizes.filter((size) => size > 0).length < 2) return undefined
  const total = vectors.reduce((sum, vector, place) => {
    const own = members[place]!
    if (sizes[own] === 1) return sum
    const within = Math.max(0, (sizes[own]! - dot(vector, sums[own]!)) / (sizes[own]! - 1))
    let nearest = Infinity
    for (let other = 0; other < sizes.length; other++) {
      if (other === own || sizes[other] === 0) continue
      nearest = Math.min(nearest, 1 - dot(vector, sums[other]!) / sizes[other]!)
    }
    const larger = Math.max(within, nearest)
    return larger < noDistance ? sum : sum + (nearest - within) / larger
  }, 0)
  return total / vectors.length
}

/** The chosen clustering. */
export interface ChosenClusters extends Clustering {
  /** Mean silhouette; absent for one cluster. */
  readonly silhouette?: number
  /** See {@link effectiveNumber}, of the sizes of the clusters. */
  readonly effective: number
}

/**
 * Clusters with the number of clusters, from 2 to `maxClusters`, that has the largest mean silhouette: one cluster if
 * all vectors are equal. Of `starts` beginnings the one with the best fit counts.
 */
export function chooseClusters(
  vectors: readonly UnitVector[],
  options: {
    readonly maxClusters: number
    readonly starts: number
    readonly random: () => number
    readonly dimensions?: number
  },
): ChosenClusters {
  const { maxClusters, starts, random, dimensions = dimensionsOf(vectors) } = options
  let best: Clustering & { silhouette?: number } = sphericalKMeans(vectors, 1, random, dimensions)
  for (let k = 2; k <= Math.min(maxClusters, vectors.length); k++) {
    let fitting = sphericalKMeans(vectors, k, random, dimensions)
    if (fitting.centres.length < k) break
    for (let start = 1; start < starts; start++) {
      const other = sphericalKMeans(vectors, k, random, dimensions)
      if (other.fit > fitting.fit) fitting = other
    }
    const silhouette = meanSilhouette(vectors, fitting)
    if (silhouette !== undefined && silhouette > (best.silhouette ?? -Infinity)) best = { ...fitting, silhouette }
  }
  return { ...best, effective: effectiveNumber(clusterSizes(best.members, best.centres.length))! }
}

/** The number of members of each cluster. */
export function clusterSizes(members: ArrayLike<number>, clusters: number): number[] {
  const sizes = new Array<number>(clusters).fill(0)
  for (let place = 0; place < members.length; place++) sizes[members[place]!]!++
  return sizes
}
