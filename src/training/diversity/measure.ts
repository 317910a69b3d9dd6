import { setImmediate } from 'node:timers/promises'
import { ShaketableError } from '../../core/errors.js'
import { createRandom } from '../../core/random.js'
import type { RowTest } from '../data-filter.js'
import type { UnitVector } from '../../statistics/vectors.js'
import { unitVector } from '../../statistics/vectors.js'
import type { CountedActions, EvaluationWords, VarietyOfEnvironments } from './environments.js'
import { compareVariety, countActions } from './environments.js'
import type { Source } from './sources.js'
import type { MeasuredThoughts, ThoughtSettings } from './tables.js'
import { tfIdf, sampleThoughts, spreadOf } from './thoughts.js'
import type { GroupOfThoughts, SampledThought } from './thoughts.js'

/** How diversity is measured. */
export interface MeasureOptions {
  /** Largest number of thoughts in a sample. */
  readonly sample: number
  readonly resamples: number
  readonly seed: number
  /** What gives vectors in place of TF–IDF. */
  readonly embeddings?: {
    readonly name: string
    embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>
  }
  readonly evaluation: readonly EvaluationWords[]
  /** The rules of the filter. */
  readonly test: RowTest
  readonly signal: AbortSignal
}

/** The diversity of some data sets. */
export interface Diversity {
  readonly settings: ThoughtSettings
  readonly thoughts: readonly MeasuredThoughts[]
  readonly environments: readonly VarietyOfEnvironments[]
}

/**
 * Measures the diversity of data sets; equal data, options and vectors give equal results.
 * @throws ShaketableError `bad-input` for a data set without a row; the signal's reason once it aborts; and errors of
 * {@link MeasureOptions.embeddings}
 */
export async function measureDiversity(sources: readonly Source[], options: MeasureOptions): Promise<Diversity> {
  const { seed, resamples, embeddings, signal } = options
  const pause = async (): Promise<void> => {
    await setImmediate()
    signal.throwIfAborted()
  }
  const random = createRandom(String(seed))
  const read: ReadThoughts[] = []
  for (const source of sources) {
    read.push(readThoughts(source))
    await pause()
  }
  const { size, samples } = sampleThoughts(read, options.sample, random)
  const vectors = await vectorsOf(samples, embeddings, signal)
  const settings = { vectors: embeddings?.name ?? 'TF–IDF', size, resamples, seed }
  const thoughts: MeasuredThoughts[] = []
  for (const [place, { trajectories, ...counts }] of read.entries()) {
    const spread = spreadOf(samples[place]!, vectors[place]!, { resamples, random: random.fork(counts.name) })
    thoughts.push({ ...counts, thoughts: trajectories.reduce((sum, { length }) => sum + length, 0), ...spread })
    await pause()
  }
  const counted: CountedActions[] = []
  for (const source of sources) {
    counted.push(countActions(source, options.evaluation, options.test))
    await pause()
  }
  return { settings, thoughts, environments: compareVariety(counted) }
}

interface ReadThoughts extends GroupOfThoughts {
  readonly kind: 'data' | 'run'
  readonly rows: number
  readonly silent: number
}

/** Characters of thoughts that are read of a data set; bounds memory. */
const maxCharacters = 200_000_000

function readThoughts(source: Source): ReadThoughts {
  const trajectories: (readonly string[])[] = []
  let [rows, silent, characters] = [0, 0, 0]
  for (const { thoughts } of source.rows()) {
    rows++
    if (thoughts.length === 0) silent++
    else trajectories.push(thoughts)
    characters += thoughts.reduce((sum, { length }) => sum + length, 0)
    if (characters > maxCharacters) break
  }
  if (rows === 0) {
    const what = source.kind === 'data' ? 'rows of training data' : `finished episodes of ${source.name}`
    throw new ShaketableError('bad-input', `Expected ${what} in ${source.path}, got none. Check that it is whole.`)
  }
  return { name: source.name, kind: source.kind, rows, silent, trajectories }
}

/** The vectors of samples. Equal texts are sent once; idf is that of all samples together. */
async function vectorsOf(
  samples: readonly (readonly SampledThought[])[],
  embeddings: MeasureOptions['embeddings'],
  signal: AbortSignal,
): Promise<readonly (readonly UnitVector[])[]> {
  const texts = samples.flatMap((sample) => sample.map(({ text }) => text))
  const different = [...new Set(texts)]
  const found =
    embeddings === undefined
      ? tfIdf(texts)
      : (await embeddings.embed(different, signal)).map((values) => unitVector(values))
  const byText = new Map(embeddings === undefined ? [] : different.map((text, place) => [text, found[place]]))
  let from = 0
  return samples.map((sample) =>
    sample.map(({ text }) => {
      const place = from++
      return (embeddings === undefined ? found[place] : byText.get(text))!
    }),
  )
}
