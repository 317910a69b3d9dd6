import { basename } from 'node:path'
import { readReactReply } from '../agents/react-parser.js'
import { readTaggedReply } from '../agents/tagged.js'
import { ShaketableError } from '../core/errors.js'
import type { Random } from '../core/random.js'
import { createRandom } from '../core/random.js'
import { cutText } from '../models/bounds.js'
import { drawClusters, halfSampleInterval, wholeNumbers } from '../statistics/half-samples.js'
import type { Interval } from '../statistics/intervals.js'
import type { UnitVector } from '../statistics/vectors.js'
import { dimensionsOf, logDeterminantOfSets, meanPairwiseCosine, unitVector } from '../statistics/vectors.js'
import type { Cell, Column, Table } from '../tables/table.js'
import { count } from '../tables/words.js'
import type { TrainingRow } from './data-filter.js'
import type { ReadRowsOptions } from './read-rows.js'
import { readRows } from './read-rows.js'
import { kindsOf } from './sft/settings.js'

/** How diversity is measured. */
export interface DiversitySettings {
  /** Largest number of thoughts in a sample. */
  readonly sample: number
  /** Half-samples for the intervals. */
  readonly resamples: number
  readonly seed: number
}

/** A figure with its 95 % interval, which is absent for few trajectories, and where half-samples do not differ. */
interface Estimate extends Partial<Interval> {
  readonly value: number
}

/** The thoughts of a data set, and how far they spread. Figures are absent below two thoughts. */
export interface MeasuredThoughts {
  /** Name of the file without its ending, or its path where two have one name. */
  readonly name: string
  readonly rows: number
  /** Rows without a thought. */
  readonly silent: number
  readonly thoughts: number
  /** Thoughts in the sample. */
  readonly sampled: number
  /** Share of the sample that is left without repetitions; numbers and signs do not make a difference. */
  readonly distinct?: number
  readonly cosine?: Estimate
  /** In nats per thought. */
  readonly logDeterminant?: Estimate
}

/** The diversity of some data sets. */
export interface Diversity {
  /** `size`: thoughts in each sample. */
  readonly settings: Omit<DiversitySettings, 'sample'> & { readonly size: number }
  readonly thoughts: readonly MeasuredThoughts[]
}

/**
 * Measures the diversity of the thoughts in files of training data by TF–IDF; equal data and options give equal results.
 * The samples are of one size: whole trajectories in random order, the last one cut. Files with fewer than two thoughts
 * do not bound the size.
 * @throws ShaketableError `bad-input` for a file that cannot be read or has no row
 */
export function measureDiversity(
  paths: readonly string[],
  { sample, resamples, seed, problem }: DiversitySettings & ReadRowsOptions,
): Diversity {
  const random = createRandom(String(seed))
  const read = paths.map((path) => readThoughts(path, { ...(problem && { problem }) }))
  const enough = read.map(({ thoughts }) => thoughts).filter((thoughts) => thoughts >= 2)
  const size = enough.length === 0 ? 0 : Math.min(sample, ...enough)
  const named = read.map((one, place) => {
    const isAlone = read.filter(({ name }) => name === one.name).length === 1
    const name = isAlone ? one.name : `${paths[place]!}: ${one.name}`
    return {
      ...one,
      name,
      sampled: one.thoughts < 2 ? [] : drawThoughts(one.trajectories, size, random.fork(`sample of ${name}`)),
    }
  })
  // idf is that of all samples together.
  const texts = named.flatMap(({ sampled }) => sampled.flat())
  const vectors = new Map(tfIdf(texts).map((vector, place) => [texts[place]!, vector!]))
  return {
    settings: { size, resamples, seed },
    thoughts: named.map(({ name, rows, silent, thoughts, sampled }) => ({
      ...{ name, rows, silent, thoughts, sampled: sampled.flat().length },
      ...spreadOf(sampled, vectors, { resamples, random: random.fork(name) }),
    })),
  }
}

/** Characters of thoughts that are read of a file; bounds memory. */
const maxCharacters = 200_000_000
/** The most thoughts of a row, and characters of each. */
const [maxThoughts, maxThought] = [500, 4000]

function readThoughts(path: string, options: ReadRowsOptions) {
  const trajectories: (readonly string[])[] = []
  let [rows, silent, thoughts, characters] = [0, 0, 0, 0]
  for (const { row } of readRows(path, options)) {
    rows++
    const found = thoughtsIn(row)
    if (found.length === 0) silent++
    else trajectories.push(found)
    thoughts += found.length
    characters += found.reduce((sum, { length }) => sum + length, 0)
    if (characters > maxCharacters) break
  }
  if (rows === 0) {
    throw new ShaketableError('bad-input', `Expected rows of training data in ${path}, got none. Check the path.`)
  }
  return { name: basename(path).replace(/\.(?:json|jsonl|ndjson)$/i, ''), rows, silent, thoughts, trajectories }
}

/** The thoughts of a row: of its player, and not of replies that only confirm. */
export function thoughtsIn(row: TrainingRow): readonly string[] {
  const kinds = kindsOf(row)
  return row.turns
    .flatMap(({ text }, index) => (kinds[index] === undefined || kinds[index] === 'ready' ? [] : [thoughtIn(text)]))
    .map((thought) => cutText(thought.trim(), maxThought))
    .filter((thought) => /[\p{L}\p{N}]/u.test(thought))
    .slice(0, maxThoughts)
}

const actionLabel = /^[\s>*#-]{0,20}action(?: ?\d{1,4})?[*\s]{0,4}:/im
/** The label of a thought without any text. */
const emptyThought = /^[\s>*#-]{0,20}(?:thought|think)s?(?: ?\d{1,4})?[*\s]{0,4}:\**\s*$/i

/**
 * The thought in a reply: in tags (`<think>`), behind a label (`Thought: … Action: …`, as the turns of AgentRefine's
 * Player are written too), or the text above `Action:`. Empty for a reply without tags and labels, which is an action.
 */
export function thoughtIn(reply: string): string {
  if (/<action>|<think>/i.test(reply)) return readTaggedReply(reply).thought
  const { thought, actions } = readReactReply(reply)
  if (thought !== '' || actions.length === 0) return thought
  const above = reply.slice(0, actionLabel.exec(reply)?.index ?? 0)
  return above.replace(emptyThought, '').trim()
}

function drawThoughts(
  trajectories: readonly (readonly string[])[],
  size: number,
  random: Random,
): readonly (readonly string[])[] {
  const lengths = trajectories.map(({ length }) => length)
  return drawClusters(lengths, size, wholeNumbers(random.next)).map(({ cluster, members }) =>
    trajectories[cluster]!.slice(0, members),
  )
}

/** Thoughts in a set of which the log-determinant is taken; half of the sample where that is less. */
const setSize = 100
const maxSets = 10
/** Fewer trajectories tell too little of what others would be like. */
const minTrajectories = 10

function setSizeOf(sampled: number): number {
  return Math.min(setSize, Math.floor(sampled / 2))
}

function spreadOf(
  trajectories: readonly (readonly string[])[],
  vectorOf: ReadonlyMap<string, UnitVector>,
  { resamples, random }: { readonly resamples: number; readonly random: Random },
): Pick<MeasuredThoughts, 'distinct' | 'cosine' | 'logDeterminant'> {
  const texts = trajectories.flat()
  if (texts.length < 2) return {}
  const vectors = trajectories.map((thoughts) => thoughts.map((text) => vectorOf.get(text)!))
  const dimensions = dimensionsOf(vectors.flat())
  const size = setSizeOf(texts.length)
  const measured = (of: readonly UnitVector[]) => ({
    cosine: meanPairwiseCosine(of, dimensions)!,
    logDeterminant: logDeterminantOfSets(of, { size, maxSets, dimensions })!,
  })
  const whole = measured(random.fork('sets').shuffle(vectors.flat()))
  const halfRandom = random.fork('half-samples')
  const draw = wholeNumbers(halfRandom.next)
  const lengths = trajectories.map(({ length }) => length)
  const halves = Array.from({ length: lengths.length < minTrajectories ? 0 : resamples }, () => {
    const drawn = drawClusters(lengths, Math.floor(texts.length / 2), draw)
    return measured(
      shuffle(
        drawn.flatMap(({ cluster, members }) => vectors[cluster]!.slice(0, members)),
        draw,
      ),
    )
  })
  const estimate = (name: keyof typeof whole): Estimate => {
    const half = halves.map((one) => one[name])
    return { value: whole[name], ...halfSampleInterval(whole[name], half) }
  }
  return {
    distinct: new Set(texts.map((text) => wordsOf(text).join(' '))).size / texts.length,
    cosine: estimate('cosine'),
    logDeterminant: estimate('logDeterminant'),
  }
}

function shuffle<T>(list: T[], draw: (below: number) => number): readonly T[] {
  for (let last = list.length - 1; last > 0; last--) {
    const other = draw(last + 1)
    const kept = list[last]!
    list[last] = list[other]!
    list[other] = kept
  }
  return list
}

/** Words that are told apart; the most frequent ones where there are more. */
const maxWords = 50_000

/**
 * The words of a text in lower case. All numbers are one word, since they differ from task to task; signs are left out.
 */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*|\p{N}+/gu) ?? []
  return words.map((word) => (/^\p{N}/u.test(word) ? '#' : word))
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

/** The table of thoughts: a row for each data set. */
export function thoughtTables({ thoughts: measured, settings }: Diversity): readonly Table[] {
  const { size, resamples, seed } = settings
  const columns: readonly (Column & { readonly of: (one: MeasuredThoughts) => Cell })[] = [
    { title: 'Rows', shows: 'count', metric: 'rows', of: ({ rows }) => ({ value: rows }) },
    { title: 'No thought', shows: 'count', metric: 'rows-without-thought', of: ({ silent }) => ({ value: silent }) },
    { title: 'Thoughts', shows: 'count', metric: 'thoughts', of: ({ thoughts }) => ({ value: thoughts }) },
    { title: 'Sampled', shows: 'count', metric: 'sampled', of: ({ sampled }) => ({ value: sampled }) },
    {
      title: 'Distinct %',
      shows: 'percent',
      metric: 'distinct',
      of: ({ distinct: value }) => (value === undefined ? {} : { value }),
    },
    { title: 'Cosine', shows: 'nats', metric: 'mean-pairwise-cosine', of: ({ cosine = {} }) => cosine },
    { title: 'Log-det', shows: 'nats', metric: 'log-determinant', of: ({ logDeterminant = {} }) => logDeterminant },
  ]
  const shown = columns.map(({ title, shows, metric }): Column => ({ title, shows, metric }))
  const few = measured.filter(({ thoughts }) => thoughts < 2)
  return [
    {
      name: 'thoughts',
      title: 'Diversity of thoughts',
      notes: [
        `Each figure is over a sample of ${count(size, 'thought')} from whole trajectories, the same number for each data set, by TF–IDF.`,
        'Distinct: the share of the sample without repetitions; numbers make no difference.',
        'Cosine: mean over all pairs; lower is more diverse.',
        `Log-det: log det(I + K) in nats per thought over sets of ${count(setSizeOf(size), 'thought')}, K their cosines; from near 0 for equal thoughts to 0.69 for orthogonal ones.`,
        `Intervals: 95 %, from ${count(resamples, 'half-sample')} of whole trajectories; none below ${String(minTrajectories)} trajectories. Seed ${String(seed)}.`,
        ...few.map(
          ({ name, rows, thoughts }) =>
            `${name} has ${count(thoughts, 'thought')} in ${count(rows, 'row')}: no diversity can be measured.`,
        ),
      ],
      origin: [],
      heads: ['Data'],
      groups: [
        { title: 'Data', columns: shown.slice(0, 4) },
        { title: 'Spread', columns: shown.slice(4) },
      ],
      rows: measured.map((one) => {
        const cells = columns.map(({ of }) => of(one))
        return { heads: [one.name], model: one.name, agent: '', label: '', cells }
      }),
    },
  ]
}
