import type { PublishedRow } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { allTables } from '../tables/index.js'
import { csvHeader } from '../tables/captions.js'
import { latexOf } from '../tables/paper.js'
import { csvOf } from '../../src/tables/csv.js'
import { markdownOf } from '../../src/tables/markdown.js'
import type { Table } from '../../src/tables/table.js'
import type { Copies } from './packed.js'

/** The id under which the page finds the copies of a table; without an environment, those of all environments. */
export function copyId({ name, by, environment }: Pick<Table, 'name' | 'by' | 'environment'>): string {
  return JSON.stringify([name, by ?? '', environment ?? ''])
}

/** The copies of tables that have no other form in the files of the report. */
export function copiesAlone(aggregate: Aggregate, tables: readonly Table[]): Readonly<Record<string, Copies>> {
  return Object.fromEntries(
    tables.map((table) => [
      copyId(table),
      {
        latex: latexOf([table], aggregate.notices),
        markdown: markdownOf([table], aggregate.notices),
        csv: csvOf([table], csvHeader(aggregate)),
      },
    ]),
  )
}

/**
 * The copies of every shown table, and of the named ones over all environments. LaTeX is over all temperatures, as in
 * the files of the report.
 */
export function copiesOf(
  aggregate: Aggregate,
  published: readonly PublishedRow[] | undefined,
  shown: readonly Table[],
  whole: readonly { readonly name: string; readonly by: string }[],
): Readonly<Record<string, Copies>> {
  const pooled = allTables(aggregate, 'pooled', published)
  const source = csvHeader(aggregate)
  const sets = [
    ...shown.map((table) => ({ id: copyId(table), isMeant: (one: Table) => copyId(one) === copyId(table) })),
    ...whole.map(({ name, by }) => ({
      id: copyId({ name, by }),
      isMeant: (one: Table) => one.name === name && one.by === by,
    })),
  ]
  return Object.fromEntries(
    sets.flatMap(({ id, isMeant }) => {
      const full = shown.filter(isMeant)
      if (full.length === 0) return []
      return [
        [
          id,
          {
            latex: latexOf(pooled.filter(isMeant), aggregate.notices),
            markdown: markdownOf(full, aggregate.notices),
            csv: csvOf(full, source),
          },
        ],
      ]
    }),
  )
}
