import type { Cell, Column, Table } from '../../tables/table.js'
import { count } from '../../tables/words.js'
import type { SpreadOfThoughts } from './thoughts.js'
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
    { title: 'Cosine', shows: 'nats', metric: 'mean-pairwise-cosine', of: ({ cosine = {} }) => cosine },
    { title: 'Log-det', shows: 'nats', metric: 'log-determinant', of: ({ logDeterminant = {} }) => logDeterminant },
    {
      title: 'Effective clusters',
      shows: 'nats',
      metric: 'effective-clusters',
      of: ({ clusters }) => cell(clusters?.effective),
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
      rows: measured.map((one) => {
        const cells = columns.map(({ of }) => of(one))
        return { heads: [one.name], model: one.name, agent: '', label: '', cells }
      }),
    },
  ]
}

function cell(value: number | undefined): Cell {
  return value === undefined ? {} : { value }
}
