import type { PublishedRow } from 'shaketable'
import { ablationTables } from './ablation.js'
import type { Aggregate } from './aggregate/aggregate.js'
import { behaviourTables } from './behaviour.js'
import { bestOfNTables } from './best-of-n.js'
import { kindTables } from './by-kind.js'
import { differenceTables } from './differences.js'
import { difficultyTables } from './difficulty.js'
import { flipTables } from './flips.js'
import { heldOutTables } from './held-out.js'
import { mainTables } from './main.js'
import { preferenceTables } from './preference.js'
import { robustnessTables } from './robustness.js'
import { primaryTables } from './primary.js'
import type { Detail } from './tables/rows.js'
import type { Table } from '../src/tables/table.js'
import { uncertaintyTables } from './uncertainty.js'

/** Every table of a run: those that span environments first, then each environment's. */
export function allTables(aggregate: Aggregate, detail: Detail, published: readonly PublishedRow[] = []): Table[] {
  return byEnvironment(aggregate, [
    ...mainTables(aggregate, detail, published),
    ...primaryTables(aggregate),
    ...heldOutTables(aggregate, detail),
    ...robustnessTables(aggregate, published),
    ...differenceTables(aggregate, detail),
    ...kindTables(aggregate),
    ...flipTables(aggregate, detail),
    ...ablationTables(aggregate),
    ...difficultyTables(aggregate),
    ...behaviourTables(aggregate, detail),
    ...preferenceTables(aggregate, detail),
    ...uncertaintyTables(aggregate, detail),
    ...bestOfNTables(aggregate),
  ])
}

/**
 * The tables that a person wants to see at once, over all temperatures: no counts of flips, no standard errors, no best
 * of n, and nothing that repeats what another says.
 */
export function maxTables(aggregate: Aggregate, published: readonly PublishedRow[] = []): Table[] {
  const isWorthwhile = aggregate.environments.length > 1 || published.length > 0
  return byEnvironment(aggregate, [
    ...(isWorthwhile ? mainTables(aggregate, 'pooled', published) : []),
    ...primaryTables(aggregate),
    ...heldOutTables(aggregate, 'pooled'),
    ...robustnessTables(aggregate, published),
    ...differenceTables(aggregate, 'pooled'),
    ...kindTables(aggregate, maxKindsAtOnce),
    ...ablationTables(aggregate),
    ...behaviourTables(aggregate, 'pooled'),
    ...preferenceTables(aggregate, 'pooled'),
  ])
}

/** More kinds than this are left to the files. */
const maxKindsAtOnce = 10

function byEnvironment({ environments }: Aggregate, tables: readonly Table[]): Table[] {
  return [undefined, ...environments.map(({ name }) => name)].flatMap((name) =>
    tables.filter(({ environment }) => environment === name),
  )
}
