import type { Random } from '../../core/random.js'
import { wholeNumbers, drawClusters, halfSampleInterval } from '../../statistics/half-samples.js'
import { chooseClusters, clusterSizes, nearestCentres } from '../../statistics/clusters.js'
import type { Interval } from '../../statistics/intervals.js'
import { effectiveNumber } from '../../statistics/richness.js'
import type { UnitVector } from '../../statistics/vectors.js'
import { dimensionsOf, logDeterminantOfSets, meanPairwiseCosine, unitVector } from '../../statistics/vectors.js'

/** The thoughts of a data set, trajectory by trajectory. */
export interface GroupOfThoughts {
  readonly name: string
  readonly trajectories: readonly (readonly string[])[]
}

/** A figure with its 95 % interval, which is absent for few trajectories, and where half-samples do not differ. */
export interface Estimate extends Partial<Interval> {
  readonly value: number
}

/** How far the thoughts of a data set spread. Figures are absent below two thoughts. */
export interface SpreadOfThoughts {
  /** Thoughts in the sample, and trajectories that they are from. */
  readonly sampled: number
  readonly trajectories: number
  /** Share of the sample that is left without repetitions; numbers and signs do not make a difference. */
  readonly distinct?: number
  readonly cosine?: Estimate
  /** In nats per thought. */
  readonly logDeterminant?: Estimate
  readonly clusters?: { readonly count: number; readonly effective: number; readonly silhouette?: number }
}

/** A thought of a sample. */
export interface SampledThought {
  readonly text: string
  /** Place of its trajectory in the sample. */
  readonly trajectory: number
}

/**
 * Samples of one size from each group: whole trajectories in random order, the last one cut. Groups with fewer than two
 * thoughts are left empty and do not bound the size.
 */
export function sampleThoughts(
  groups: readonly GroupOfThoughts[],
  maxSize: number,
  random: Random,
): { readonly size: number; readonly samples: readonly (readonly SampledThought[])[] } {
  const counts = groups.map(({ trajectories }) => trajectories.reduce((sum, { length }) => sum + length, 0))
  const enough = counts.filter((count) => count >= 2)
  const size = enough.reduce((least, count) => Math.min(least, count), enough.length === 0 ? 0 : maxSize)
  const samples = groups.map(({ name, trajectories }, place) => {
    if (counts[place]! < 2) return []
    const lengths = trajectories.map(({ length }) => length)
    const drawn = drawClusters(lengths, size, wholeNumbers(random.fork(`sample of ${name}`).next))
    return drawn.flatMap(({ cluster, members }, trajectory) =>
      trajectories[cluster]!.slice(0, members).map((text) => ({ text, trajectory })),
    )
  })
  return { size, samples }
}

/** Thoughts that are clustered to choose the clusters; the others are assigned to them. */
const maxClustered = 2000
const maxClusters = 20
const starts = 3
/** Thoughts in a set of which the log-determinant is taken; half of the sample where that is less. */
const setSize = 100
const maxSets = 10
/** Fewer trajectories tell too little of what others would be like. */
export const minTrajectories = 10

/** The sizes of the sets for a sample of a size. */
export function setSizeOf(sampled: number): number {
  return Math.min(setSize, Math.floor(sampled / 2))
}

/**
 * Measures a sample of thoughts.
 * @param vectors one for each thought
 * @param resamples half-samples for the intervals
 */
export function spreadOf(
  sample: readonly SampledThought[],
  vectors: readonly UnitVector[],
  { resamples, random }: { readonly resamples: number; readonly random: Random },
): SpreadOfThoughts {
  const lengths = clusterSizes(
    sample.map(({ trajectory }) => trajectory),
    (sample.at(-1)?.trajectory ?? -1) + 1,
  )
  const counts = { sampled: sample.length, trajectories: lengths.length }
  if (sample.length < 2) return counts
  const starting = lengths.map((_, place) => lengths.slice(0, place).reduce((sum, length) => sum + length, 0))
  const dimensions = dimensionsOf(vectors)
  const size = setSizeOf(sample.length)
  const shuffled = random.fork('sets').shuffle(vectors)
  const found = chooseClusters(random.fork('clustered').shuffle(vectors).slice(0, maxClustered), {
    maxClusters,
    starts,
    dimensions,
    random: random.fork('clusters').next,
  })
  const members = nearestCentres(vectors, found.centres)
  const measured = (of: readonly UnitVector[]) => ({
    cosine: meanPairwiseCosine(of, dimensions),
    logDeterminant: logDeterminantOfSets(of, { size, maxSets, dimensions }),
  })
  const whole = measured(shuffled)
  const draw = wholeNumbers(random.fork('half-samples').next)
  const halves = Array.from({ length: lengths.length < minTrajectories ? 0 : resamples }, () => {
    const places = drawClusters(lengths, Math.floor(sample.length / 2), draw).flatMap(({ cluster, members: count }) =>
      Array.from({ length: count }, (_, member) => starting[cluster]! + member),
    )
    shuffle(places, draw)
    return measured(places.map((place) => vectors[place]!))
  })
  const estimate = (name: keyof typeof whole): Estimate => {
    const value = whole[name]!
    const interval =
      lengths.length < 4
        ? undefined
        : halfSampleInterval(
            value,
            halves.map((half) => half[name]!),
          )
    return { value, ...interval }
  }
  return {
    ...counts,
    distinct: new Set(sample.map(({ text }) => keyOf(text))).size / sample.length,
    cosine: estimate('cosine'),
    logDeterminant: estimate('logDeterminant'),
    clusters: {
      count: found.centres.length,
      effective: effectiveNumber(clusterSizes([...members], found.centres.length))!,
      ...(found.silhouette !== undefined && { silhouette: found.silhouette }),
    },
  }
}

function shuffle(list: number[], draw: (below: number) => number): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = draw(last + 1)
    const kept = list[last]!
    list[last] = list[other]!
    list[other] = kept
  }
}

/** Words that are told apart; the most frequent ones where there are more. */
const maxWords = 50_000

/**
 * The words of a text in lower case. All numbers are one word, since they differ from task to task; signs are left out.
 */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*|\p{N}+/gu) ?? []).map((word) =>
    /^\p{N}/u.test(word) ? '#' : word,
  )
}

/** Equal for texts of the same words. */
export function keyOf(text: string): string {
  return wordsOf(text).join(' ')
}

/**
 * TF–IDF of texts: (1 + ln f) for a word that occurs f times, times ln((1 + n) / (1 + d)) + 1 for a word in d of the n
 * texts (Salton and Buckley 1988, with the smoothed idf of scikit-learn), to unit length. Undefined for a text without
 * a word. Texts that have only words beyond the maximum are equal.
 */
export function tfIdf(texts: readonly string[]): readonly (UnitVector | undefined)[] {
  const counts = texts.map((text) => {
    const found = new Map<string, number>()
    for (const word of wordsOf(text)) found.set(word, (found.get(word) ?? 0) + 1)
    return found
  })
  const documents = new Map<string, number>()
  for (const found of counts) for (const word of found.keys()) documents.set(word, (documents.get(word) ?? 0) + 1)
  const kept = [...documents]
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, maxWords)
    .map(([word, found], place) => [word, { place, idf: Math.log((1 + texts.length) / (1 + found)) + 1 }] as const)
  const words = new Map(kept)
  return counts.map((found) => {
    const weights = [...found]
      .flatMap(([word, times]) => {
        const known = words.get(word)
        return known === undefined ? [] : [{ place: known.place, weight: (1 + Math.log(times)) * known.idf }]
      })
      .sort((one, other) => one.place - other.place)
    if (weights.length === 0 && found.size > 0) weights.push({ place: maxWords, weight: 1 })
    return unitVector(
      weights.map(({ weight }) => weight),
      weights.map(({ place }) => place),
    )
  })
}
