import { basename } from 'node:path'
import { readReactReply } from '../agents/react-parser.js'
import { readTaggedReply } from '../agents/tagged.js'
import { ShaketableError } from '../core/errors.js'
import { type Random, createRandom } from '../core/random.js'
import { drawClusters, halfSampleInterval, wholeNumbers } from '../statistics/half-samples.js'
import type { UnitVector } from '../statistics/vectors.js'
import { dimensionsOf, logDeterminantOfSets, meanPairwiseCosine, unitVector } from '../statistics/vectors.js'
import type { Cell, Column, Table } from '../tables/table.js'
import { count } from '../tables/words.js'
import type { TrainingRow } from './data-filter.js'
import { type ReadRowsOptions, readRows } from './records.js'
import { kindsOf } from './sft/settings.js'

/** How diversity is measured. */
export interface DiversitySettings {
  /** Largest number of thoughts in a sample. */
  readonly sample: number
  /** Half-samples for the intervals. */
  readonly resamples: number
  readonly seed: number
}

/**
 * The thoughts of some data sets, and how far they spread, with 95 % intervals; these are absent for few trajectories
 * and where half-samples do not differ, the figures below two thoughts.
 */
export type Diversity = ReturnType<typeof measureDiversity>

/**
 * Measures the diversity of the thoughts in files of training data by TF–IDF; equal data and options give equal
 * results. The samples are of one size: whole trajectories in random order, the last one cut. Files with fewer than two
 * thoughts do not bound the size.
 * @throws ShaketableError `bad-input` for a file that cannot be read or has no row
 */
export function measureDiversity(
  paths: readonly string[],
  { sample, resamples, seed, problem }: DiversitySettings & ReadRowsOptions,
) {
  const random = createRandom(String(seed))
  const read = paths.map((path) => readThoughts(path, { problem }))
  const enough = read.map(({ thoughts }) => thoughts).filter((thoughts) => thoughts >= 2)
  const size = enough.length === 0 ? 0 : Math.min(sample, ...enough)
  const named = read.map((set, place) => {
    const isAlone = read.filter(({ name }) => name === set.name).length === 1
    const name = isAlone ? set.name : `${paths[place]!}: ${set.name}`
    const draw = wholeNumbers(random.fork(`sample of ${name}`).next)
    return { ...set, name, sampled: set.thoughts < 2 ? [] : drawClusters(set.trajectories, size, draw) }
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

function readThoughts(path: string, options: ReadRowsOptions) {
  const thoughts = Array.from(readRows(path, options), ({ row }) => thoughtsIn(row))
  if (thoughts.length === 0) {
    throw new ShaketableError('bad-input', `Expected rows of training data in ${path}, got none. Check the path.`)
  }
  const trajectories = thoughts.filter(({ length }) => length > 0)
  return {
    name: basename(path).replace(/\.(?:json|jsonl|ndjson)$/i, ''),
    rows: thoughts.length,
    silent: thoughts.length - trajectories.length,
    thoughts: trajectories.flat().length,
    trajectories,
  }
}

/** The thoughts of a row: of its player, and not of replies that only confirm. */
export function thoughtsIn(row: TrainingRow): readonly string[] {
  const kinds = kindsOf(row)
  return row.turns
    .flatMap(({ text }, index) => (kinds[index] === undefined || kinds[index] === 'ready' ? [] : [thoughtIn(text)]))
    .filter((thought) => /[\p{L}\p{N}]/u.test(thought))
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
) {
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
  const draw = wholeNumbers(random.fork('half-samples').next)
  const halves = Array.from({ length: vectors.length < minTrajectories ? 0 : resamples }, () =>
    measured(shuffle(drawClusters(vectors, Math.floor(texts.length / 2), draw).flat(), draw)),
  )
  const estimate = (name: keyof typeof whole) => {
    const half = halves.map((part) => part[name])
    return { value: whole[name], ...halfSampleInterval(whole[name], half) }
  }
  return {
    /** Share of the sample that is left without repetitions; numbers and signs do not make a difference. */
    distinct: new Set(texts.map((text) => wordsOf(text).join(' '))).size / texts.length,
    cosine: estimate('cosine'),
    /** In nats per thought. */
    logDeterminant: estimate('logDeterminant'),
  }
}

function shuffle<T>(list: T[], draw: (below: number) => number): readonly T[] {
  for (let last = list.length - 1; last > 0; last--) {
    const other = draw(last + 1)
    ;[list[last], list[other]] = [list[other]!, list[last]!]
  }
  return list
}

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
 * a word.
 */
export function tfIdf(texts: readonly string[]): readonly (UnitVector | undefined)[] {
  const counts = texts.map((text) => countOf(wordsOf(text)))
  const documents = [...countOf(counts.flatMap((found) => [...found.keys()]))].sort(
    ([one, a], [other, b]) => b - a || (one < other ? -1 : 1),
  )
  const words = new Map(
    documents.map(([word, found], place) => [word, { place, idf: Math.log((1 + texts.length) / (1 + found)) + 1 }]),
  )
  return counts.map((found) => {
    const weights = Array.from(found, ([word, times]) => {
      const { place, idf } = words.get(word)!
      return { place, weight: (1 + Math.log(times)) * idf }
    }).sort((one, other) => one.place - other.place)
    return unitVector(
      weights.map(({ weight }) => weight),
      weights.map(({ place }) => place),
    )
  })
}

function countOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The table of thoughts: a row for each data set. */
export function thoughtTables({ thoughts: measured, settings }: Diversity): readonly Table[] {
  const { size, resamples, seed } = settings
  type Measured = Diversity['thoughts'][number]
  const rows: readonly (readonly [
    title: string,
    metric: string,
    shows: Column['shows'],
    of: (set: Measured) => Cell,
  ])[] = [
    ['Rows', 'rows', 'count', ({ rows: value }) => ({ value })],
    ['No thought', 'rows-without-thought', 'count', ({ silent: value }) => ({ value })],
    ['Thoughts', 'thoughts', 'count', ({ thoughts: value }) => ({ value })],
    ['Sampled', 'sampled', 'count', ({ sampled: value }) => ({ value })],
    ['Distinct %', 'distinct', 'percent', ({ distinct: value }) => (value === undefined ? {} : { value })],
    ['Cosine', 'mean-pairwise-cosine', 'nats', ({ cosine = {} }) => cosine],
    ['Log-det', 'log-determinant', 'nats', ({ logDeterminant = {} }) => logDeterminant],
  ]
  const columns = rows.map(([title, metric, shows]): Column => ({ title, shows, metric }))
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
        { title: 'Data', columns: columns.slice(0, 4) },
        { title: 'Spread', columns: columns.slice(4) },
      ],
      rows: measured.map((set) => {
        const cells = rows.map(([, , , of]) => of(set))
        return { heads: [set.name], model: set.name, agent: '', label: '', cells }
      }),
    },
  ]
}
