import { createRequire } from 'node:module'
import type * as umapJs from 'umap-js'
import { ShaketableError } from '../core/errors.js'
import type { Random } from '../core/random.js'
import type { UnitVector } from '../statistics/vectors.js'
import { add, dimensionsOf, dot } from '../statistics/vectors.js'
import { grouped } from '../tables/words.js'
import type { ThoughtSettings } from './tables.js'
import { keyOf } from './tf-idf.js'
import type { SampledThought } from './thoughts.js'

/** A position on a map without units. */
interface Position {
  readonly x: number
  readonly y: number
}

/** Positions of the different thoughts of some groups, and what to say of them. */
export interface ThoughtMap {
  readonly groups: readonly {
    readonly name: string
    readonly points: readonly (Position & { readonly text: string })[]
  }[]
  readonly title: string
  readonly notes: readonly string[]
}

/** Neighbours of each point, the point itself included: umap-js's own default. */
const neighbours = 15
/** Different thoughts; below this a map shows nothing. */
export const minPoints = 4
/** Points of a map; their neighbours take time quadratic in them. */
const maxPoints = 3000
/**
 * Rounds of the layout: the number of the original implementation for large data, which is enough for small data too.
 */
const epochs = 200

const require = createRequire(import.meta.url)

/** Whether the package umap-js is installed. */
export function canMap(): boolean {
  try {
    loadPackage()
    return true
  } catch {
    return false
  }
}

/**
 * A map of the different thoughts of samples; a thought that several groups have is at one place. Undefined for too few
 * thoughts.
 * @throws ShaketableError `usage` where the package umap-js is not installed
 */
export function mapThoughts(
  sampled: readonly {
    readonly name: string
    readonly sample: readonly SampledThought[]
    readonly vectors: readonly UnitVector[]
  }[],
  { vectors: what, seed, group }: ThoughtSettings,
  { random, max = maxPoints }: { readonly random: Random; readonly max?: number },
): ThoughtMap | undefined {
  const places = new Map<string, number>()
  const different: UnitVector[] = []
  const each = Math.floor(max / Math.max(1, sampled.length))
  const groups = sampled.map(({ name, sample, vectors }) => {
    const own = new Map(sample.map(({ text }, place) => [keyOf(text), { text, vector: vectors[place]! }]))
    const shown = random
      .fork(name)
      .shuffle([...own])
      .slice(0, each)
    for (const [key, { vector }] of shown) if (!places.has(key)) places.set(key, different.push(vector) - 1)
    return { name, shown: shown.map(([key, { text }]) => ({ key, text })), count: own.size }
  })
  if (different.length < minPoints) return undefined
  const positions = placeVectors(different, random.fork('umap').next)
  const counts = groups.map(({ name, shown, count }) =>
    shown.length < count ? `${name} ${grouped(shown.length)} of ${grouped(count)}` : `${name} ${grouped(count)}`,
  )
  return {
    groups: groups
      .filter(({ shown }) => shown.length > 0)
      .map(({ name, shown }) => ({
        name,
        points: shown.map(({ key, text }) => ({ ...positions[places.get(key)!]!, text })),
      })),
    title: 'Map of thoughts',
    notes: [
      `Each mark is a different thought of a ${group ?? 'data set'}'s sample (${counts.join(', ')}); numbers make no difference. Neighbours by ${what} are near each other (UMAP, seed ${String(seed)}).`,
      'Distances between groups of marks, and their sizes, mean nothing.',
    ],
  }
}

/**
 * Places vectors on a plane so that neighbours by cosine stay neighbours (UMAP: McInnes, Healy and Melville 2018,
 * arXiv:1802.03426), by the package umap-js. Neighbours are exact. Equal vectors and random numbers give equal
 * positions.
 */
function placeVectors(vectors: readonly UnitVector[], random: () => number): readonly Position[] {
  const { UMAP } = loadPackage()
  const kept = Math.min(neighbours, vectors.length - 1)
  const near = nearest(vectors, kept)
  const umap = new UMAP({ nNeighbors: kept, nEpochs: epochs, random })
  umap.setPrecomputedKNN(
    near.map((list) => list.map(({ place }) => place)),
    near.map((list) => list.map(({ distance }) => distance)),
  )
  // The vectors themselves are not used where the neighbours are given.
  return umap.fit(vectors.map((_, place) => [place])).map(([x = 0, y = 0]) => ({ x, y }))
}

/** Loads the package when a map is drawn, since it is optional. */
function loadPackage() {
  try {
    return require('umap-js') as typeof umapJs
  } catch (thrown) {
    throw new ShaketableError(
      'usage',
      'A map needs the package umap-js, which is not installed. Install it: npm install umap-js. Or leave the map out with --map none.',
      { cause: thrown },
    )
  }
}

interface Neighbour {
  readonly place: number
  readonly distance: number
}

/** The nearest vectors of each by 1 − cosine, itself first; of equally near ones the first. */
function nearest(vectors: readonly UnitVector[], count: number): readonly (readonly Neighbour[])[] {
  const full = new Float64Array(dimensionsOf(vectors))
  return vectors.map((vector, own) => {
    add(full, vector)
    const list = vectors.map((other, place) => ({
      place,
      distance: place === own ? 0 : Math.max(1e-12, 1 - dot(other, full)),
    }))
    for (const place of vector.at) full[place] = 0
    return list.sort((one, other) => one.distance - other.distance || one.place - other.place).slice(0, count)
  })
}
