import { setImmediate } from 'node:timers/promises'
import { createRandom } from '../../core/random.js'
import type { ReadRowsOptions } from '../read-rows.js'
import type { ReadThoughts } from './read-thoughts.js'
import { readThoughts } from './read-thoughts.js'
import type { MeasuredThoughts, ThoughtSettings } from './tables.js'
import { tfIdf, sampleThoughts, spreadOf } from './thoughts.js'

/** How diversity is measured. */
export interface MeasureOptions extends ReadRowsOptions {
  /** Largest number of thoughts in a sample. */
  readonly sample: number
  readonly resamples: number
  readonly seed: number
  readonly signal: AbortSignal
}

/** The diversity of some data sets. */
export interface Diversity {
  readonly settings: ThoughtSettings
  readonly thoughts: readonly MeasuredThoughts[]
}

/**
 * Measures the diversity of files of training data; equal data and options give equal results.
 * @throws ShaketableError `bad-input` for a file without a row; the signal's reason once it aborts
 */
export async function measureDiversity(paths: readonly string[], options: MeasureOptions): Promise<Diversity> {
  const { seed, resamples, signal } = options
  const pause = async (): Promise<void> => {
    await setImmediate()
    signal.throwIfAborted()
  }
  const random = createRandom(String(seed))
  const found: ReadThoughts[] = []
  for (const path of paths) {
    found.push(readThoughts(path, options))
    await pause()
  }
  const read = found.map((one, place) => {
    const isAlone = found.filter(({ name }) => name === one.name).length === 1
    return isAlone ? one : { ...one, name: `${paths[place]!}: ${one.name}` }
  })
  const { size, samples } = sampleThoughts(read, options.sample, random)
  // idf is that of all samples together.
  const texts = samples.flatMap((sample) => sample.map(({ text }) => text))
  const vectors = new Map(tfIdf(texts).map((vector, place) => [texts[place]!, vector]))
  const settings = { vectors: 'TF–IDF', size, resamples, seed }
  const thoughts: MeasuredThoughts[] = []
  for (const [place, { trajectories, ...counts }] of read.entries()) {
    const spread = spreadOf(
      samples[place]!,
      samples[place]!.map(({ text }) => vectors.get(text)!),
      { resamples, random: random.fork(counts.name) },
    )
    thoughts.push({ ...counts, thoughts: trajectories.reduce((sum, { length }) => sum + length, 0), ...spread })
    await pause()
  }
  return { settings, thoughts }
}
