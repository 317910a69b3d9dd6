import type { StoredRun } from '../../src/define.js'
import { createRandom, isValid, pairsOf } from '../../src/define.js'
import { thoughtsOf } from '../../src/training/diversity/read-reply.js'
import type { MeasuredThoughts } from '../../src/training/diversity/tables.js'
import { thoughtTables } from '../../src/training/diversity/tables.js'
import { tfIdf, sampleThoughts, spreadOf } from '../../src/training/diversity/thoughts.js'
import type { Table } from '../../src/tables/table.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { tableOn } from '../tables/captions.js'
import type { EpisodeList } from './episodes/list-episodes.js'

/** The thoughts of a run on its page: a table of their spread, and sentences on what is left out. */
export interface PageThoughts {
  readonly tables: readonly Table[]
  readonly notes: readonly string[]
}

/** Limits that keep a report quick. A model gets its part of those in all. */
const max = {
  thoughts: 500,
  thoughtsInAll: 2000,
  episodes: 200,
  episodesInAll: 1000,
  characters: 1000,
}
/** Fewer than these of each model tell nothing. */
const min = { thoughts: 20, episodes: 20 }
const batch = 32
const resamples = 100
const seed = 0

/**
 * Measures the thoughts of a sample of the listed episodes of each model; equal runs give equal results. Undefined
 * where no episode of the sample has a thought, or trajectories are not shown.
 */
export function thoughtsOn(aggregate: Aggregate, run: StoredRun, list: EpisodeList): PageThoughts | undefined {
  const read = readThoughts(run, list)
  if (read.every(({ trajectories }) => trajectories.length === 0)) return undefined
  if (list.everyNth !== undefined) {
    const words =
      'The spread of thoughts is not on the page of a run of this size: `shaketable data diversity RUN --out FOLDER` measures it.'
    return { tables: [], notes: [words] }
  }
  const random = createRandom(String(seed))
  const share = Math.max(min.thoughts, Math.floor(max.thoughtsInAll / read.length))
  const { size, samples } = sampleThoughts(read, Math.min(max.thoughts, share), random)
  const texts = samples.flatMap((sample) => sample.map(({ text }) => text))
  const all = tfIdf(texts)
  let from = 0
  const sampled = read.map(({ name }, place) => {
    const sample = samples[place]!
    // A thought has a word, and so a vector.
    return { name, sample, vectors: all.slice(from, (from += sample.length)).map((vector) => vector!) }
  })
  const settings = { vectors: 'TF–IDF', size, resamples, seed, group: 'model' } as const
  const measured = read.map(({ trajectories, ...counts }, place): MeasuredThoughts => {
    const { name, sample, vectors } = sampled[place]!
    return {
      ...counts,
      thoughts: trajectories.reduce((sum, { length }) => sum + length, 0),
      ...spreadOf(sample, vectors, { resamples, random: random.fork(name) }),
    }
  })
  const tables = thoughtTables(measured, settings).map((table) => ({
    ...table,
    ...tableOn(aggregate, undefined, table.name, table.title),
    notes: [
      ...table.notes,
      `Episodes: those that were read, at most ${String(max.episodes)} of each model, of all conditions.`,
    ],
  }))
  return { tables, notes: [] }
}

interface ReadThoughts extends Pick<MeasuredThoughts, 'name' | 'kind' | 'rows' | 'silent'> {
  readonly trajectories: readonly (readonly string[])[]
}

/**
 * The thoughts of each model in some of the listed episodes: those with the lowest keys, which are hashes and so in no
 * order, until there are enough thoughts.
 */
function readThoughts({ plan, trajectories }: StoredRun, { episodes }: EpisodeList): readonly ReadThoughts[] {
  if (trajectories === undefined) return []
  const pairs = pairsOf(plan)
  const keys = new Map(plan.models.map(({ name }) => [name, [] as string[]]))
  for (const { place, key, outcome } of episodes) {
    if (isValid(outcome)) keys.get(pairs[place % pairs.length]!.model.name)!.push(key)
  }
  const share = Math.max(min.episodes, Math.floor(max.episodesInAll / plan.models.length))
  return plan.models.map(({ name }) => {
    const drawn = keys.get(name)!.sort().slice(0, Math.min(max.episodes, share))
    const found: (readonly string[])[] = []
    let [rows, silent, count] = [0, 0, 0]
    while (rows < drawn.length && count < max.thoughts) {
      const some = drawn.slice(rows, rows + batch)
      const read = trajectories(some)
      for (const key of some) {
        const trajectory = read.get(key)
        const thoughts = trajectory === undefined ? [] : thoughtsOf(trajectory, max.characters)
        if (thoughts.length === 0) silent++
        else found.push(thoughts)
        count += thoughts.length
      }
      rows += some.length
    }
    return { name, kind: 'run', rows, silent, trajectories: found }
  })
}
