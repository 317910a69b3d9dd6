import type { Cell, Column, Row, Table } from '../../tables/table.js'
import { count, grouped } from '../../tables/words.js'
import type { VarietyOfEnvironments } from './environments.js'
import type { Estimate, SpreadOfThoughts } from './thoughts.js'
import { minTrajectories, setSizeOf } from './thoughts.js'

/** How thoughts were measured. */
export interface ThoughtSettings {
  /** What the vectors are: `TF–IDF`, or a model and its address. */
  readonly vectors: string
  /** Thoughts in each sample. */
  readonly size: number
  readonly resamples: number
  readonly seed: number
}

/** The thoughts of a data set, with what they were read from. */
export interface MeasuredThoughts extends SpreadOfThoughts {
  readonly name: string
  readonly kind: 'data' | 'run'
  readonly rows: number
  /** Rows without a thought. */
  readonly silent: number
  readonly thoughts: number
}

/** The table of thoughts: a row for each data set. */
export function thoughtTables(measured: readonly MeasuredThoughts[], settings: ThoughtSettings): readonly Table[] {
  const { vectors, size, resamples, seed } = settings
  const columns: readonly (Column & { readonly of: (one: MeasuredThoughts) => Cell })[] = [
    { title: 'Rows', shows: 'count', metric: 'rows', of: ({ rows }) => ({ value: rows }) },
    { title: 'No thought', shows: 'count', metric: 'rows-without-thought', of: ({ silent }) => ({ value: silent }) },
    { title: 'Thoughts', shows: 'count', metric: 'thoughts', of: ({ thoughts }) => ({ value: thoughts }) },
    { title: 'Sampled', shows: 'count', metric: 'sampled', of: ({ sampled }) => ({ value: sampled }) },
    { title: 'Distinct %', shows: 'percent', metric: 'distinct', of: ({ distinct }) => cell(distinct) },
    { title: 'Cosine', shows: 'nats', metric: 'mean-pairwise-cosine', of: ({ cosine }) => estimated(cosine) },
    { title: 'Log-det', shows: 'nats', metric: 'log-determinant', of: ({ logDeterminant: one }) => estimated(one) },
    {
      title: 'Effective clusters',
      shows: 'nats',
      metric: 'effective-clusters',
      of: ({ clusters }) => (clusters === undefined ? {} : { value: clusters.effective }),
    },
    { title: 'k', shows: 'count', metric: 'clusters', of: ({ clusters }) => cell(clusters?.count) },
    { title: 'Silhouette', shows: 'ratio', metric: 'silhouette', of: ({ clusters }) => cell(clusters?.silhouette) },
  ]
  const shown = columns.map(({ title, shows, metric }): Column => ({ title, shows, metric }))
  const few = measured.filter(({ thoughts }) => thoughts < 2)
  return [
    {
      name: 'thoughts',
      title: 'Diversity of thoughts',
      notes: [
        `Each figure is over a sample of ${count(size, 'thought')} from whole trajectories, the same number for each data set. Vectors: ${vectors}.`,
        'Distinct: the share of the sample without repetitions; numbers make no difference.',
        'Cosine: mean over all pairs; lower is more diverse.',
        `Log-det: log det(I + K) in nats per thought over sets of ${count(setSizeOf(size), 'thought')}, K their cosines; from near 0 for equal thoughts to 0.69 for orthogonal ones.`,
        'Effective clusters: 2 to the entropy of the sizes of k clusters; k by the largest mean silhouette, up to 20. A silhouette below 0.25 means that there are no clear clusters.',
        `Intervals: 95 %, from ${count(resamples, 'half-sample')} of whole trajectories, for the clusters as they were found; none below ${String(minTrajectories)} trajectories. Seed ${String(seed)}.`,
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
      rows: measured.map((one) =>
        rowOf(
          one.name,
          columns.map(({ of }) => of(one)),
        ),
      ),
    },
  ]
}

/** A table for each data set: its verbs, items and forms, and the share of each that the evaluation has too. */
export function environmentTables(measured: readonly VarietyOfEnvironments[]): readonly Table[] {
  return measured.map((one): Table => {
    const { name, rows, actions, wrong, dropped, overlaps, isCut } = one
    const kinds = [
      { words: 'verbs', part: 'verbs' },
      { words: 'items', part: 'items' },
      { words: 'action forms', part: 'forms' },
    ] as const
    const sizes = kinds.flatMap(({ words, part }) => {
      const { rarefied } = one[part]
      return rarefied === undefined ? [] : [`${words} ${grouped(rarefied.of)}`]
    })
    return {
      name: 'environments',
      title: `Environments of ${name}: ${count(rows, 'row')}, ${count(actions, 'action')}`,
      notes: [
        ...(actions === 0 ? ['No actions were found in it.'] : []),
        ...(isCut ? ['Only the first rows were read.'] : []),
        ...(wrong === 0
          ? []
          : [`${count(wrong, 'action')} that the data marks as wrong ${wrong === 1 ? 'is' : 'are'} left out.`]),
        ...(sizes.length === 0
          ? []
          : [
              `Rarefied: the expected number of different ones among as many as every data set has, at most 1,000 (${sizes.join(', ')}).`,
            ]),
        "Entropy: Shannon's, in bits.",
        'Under an environment: the share of the different ones that occur in its tasks too; a dash where these cannot be played here. In the last row: the share of rows that data filter-ind drops for it.',
        `data filter-ind drops ${grouped(dropped)} of ${count(rows, 'row')}.`,
      ],
      origin: [],
      heads: ['Data', 'What'],
      groups: [
        {
          title: 'Variety',
          columns: [
            { title: 'Number', shows: 'count', metric: 'occurrences' },
            { title: 'Different', shows: 'count', metric: 'different' },
            { title: 'Rarefied', shows: 'number', metric: 'rarefied' },
            { title: 'Entropy', shows: 'ratio', metric: 'entropy-bits' },
          ],
        },
        {
          title: 'In the evaluation too, %',
          columns: [
            ...overlaps.map(({ environment }) => ({
              title: environment,
              environment,
              shows: 'percent' as const,
              metric: 'shared',
            })),
          ],
        },
        { title: 'Examples', columns: [{ title: 'Most frequent', shows: 'text', metric: 'most-frequent' }] },
      ],
      rows: [
        ...kinds.map(({ words, part }) => {
          const { occurrences, different, rarefied, entropy, most } = one[part]
          const variety = [{ value: occurrences }, { value: different }, cell(rarefied?.value), cell(entropy)]
          const shared = overlaps.map((overlap) => cell(overlap[part]))
          return rowOf(name, [...variety, ...shared, { text: most.join(', ') }], words)
        }),
        rowOf(
          name,
          [{ value: rows }, ...[{}, {}, {}], ...overlaps.map((overlap) => share(overlap.dropped, rows)), { text: '' }],
          'rows dropped',
        ),
      ],
    }
  })
}

function share(part: number, whole: number): Cell {
  return whole === 0 ? {} : { value: part / whole }
}

function rowOf(name: string, cells: readonly Cell[], part?: string): Row {
  return { heads: part === undefined ? [name] : [name, part], model: name, agent: '', label: part ?? '', cells }
}

function cell(value: number | undefined): Cell {
  return value === undefined ? {} : { value }
}

function estimated(estimate: Estimate | undefined): Cell {
  return estimate === undefined ? {} : { ...estimate }
}
