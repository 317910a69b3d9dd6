import { createHash } from 'node:crypto'
import type { DataFilter, EvaluationText } from '../../core/training.js'
import type { Written } from '../formats/create-row-writer.js'
import type { RowProblem } from '../formats/read-rows.js'
import type { Drops, DroppedRow, EnvironmentCount } from './tally-drops.js'

/** One file that was filtered. */
export interface FilteredFile {
  /** Its name, without folders. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly rows: number
  readonly kept: number
  readonly dropped: number
  /** Records that could not be read, which are in no output. */
  readonly unreadable: number
  /** What was written of it; absent where nothing was to be. */
  readonly output?: Written & { readonly file: string }
}

/**
 * What was taken out of training data, by what, and why, so that a paper can say it and another can check it. Plain
 * JSON, without a clock.
 */
export interface FilterManifest {
  readonly schema: 1
  /** Version of shaketable. */
  readonly shaketable: string
  readonly filters: readonly Pick<DataFilter, 'name' | 'version' | 'summary' | 'source' | 'rules'>[]
  readonly environments: readonly string[]
  /** Which texts of evaluation tasks rows were compared with. */
  readonly evaluation: readonly { readonly environment: string; readonly texts: number; readonly sha256: string }[]
  readonly files: readonly FilteredFile[]
  readonly rows: number
  readonly kept: number
  readonly dropped: number
  readonly unreadable: number
  readonly counts: readonly EnvironmentCount[]
  /** The first of the dropped rows. */
  readonly droppedRows: readonly DroppedRow[]
  /** SHA-256 over the JSON of all dropped rows in order, a line each. */
  readonly droppedRowsSha256: string
  readonly problems: { readonly count: number; readonly first: readonly RowProblem[] }
}

/** What a manifest is made of. */
interface ManifestParts {
  readonly version: string
  readonly filters: readonly DataFilter[]
  readonly environments: readonly string[]
  readonly evaluation: readonly EvaluationText[]
  readonly files: readonly FilteredFile[]
  readonly drops: Drops
  readonly problems: FilterManifest['problems']
}

/** Puts a manifest together. */
export function makeManifest(parts: ManifestParts): FilterManifest {
  const { version, filters, environments, evaluation, files, drops, problems } = parts
  const sum = (of: 'rows' | 'kept' | 'dropped' | 'unreadable'): number => files.reduce((all, file) => all + file[of], 0)
  return {
    schema: 1,
    shaketable: version,
    filters: filters.map(({ name, version: own, summary, source, rules }) => ({
      name,
      version: own,
      summary,
      source,
      rules,
    })),
    environments,
    evaluation: describeEvaluation(evaluation),
    files,
    rows: sum('rows'),
    kept: sum('kept'),
    dropped: sum('dropped'),
    unreadable: sum('unreadable'),
    counts: drops.environments,
    droppedRows: drops.listed,
    droppedRowsSha256: drops.sha256,
    problems,
  }
}

function describeEvaluation(evaluation: readonly EvaluationText[]): FilterManifest['evaluation'] {
  const names = [...new Set(evaluation.map(({ environment }) => environment))]
  return names.map((environment) => {
    const own = evaluation.filter((one) => one.environment === environment)
    const hash = createHash('sha256')
    for (const { text } of own) hash.update(`${JSON.stringify(text)}\n`)
    return { environment, texts: own.length, sha256: hash.digest('hex') }
  })
}
