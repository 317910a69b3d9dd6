/** One turn of a training conversation. */
export interface TrainingTurn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly text: string
  /** Whether the turn is learned from, where the record says so; without it every turn of the assistant is. */
  readonly loss?: boolean
}

/** One row of a data set for tuning agents, whatever its format. */
export interface TrainingRow {
  /** Its id as the data set spells it: `alfworld_17`. */
  readonly id?: string
  readonly turns: readonly TrainingTurn[]
  /** What else the record says in short strings, by its own keys: `{ game_file: '…', split: 'train' }`. */
  readonly labels?: Readonly<Record<string, string>>
}

/** What a filter gets before the first row. */
export interface FilterScene {
  /** Names of the environments whose rows are in-domain, out of those that the filter knows. */
  readonly environments: readonly string[]
  /** Goals and first observations of the evaluation tasks of these environments, as far as they are available. */
  readonly evaluation: readonly EvaluationText[]
}

/** A text of an evaluation task. */
export interface EvaluationText {
  /** One of the scene's environments. */
  readonly environment: string
  readonly text: string
}

/** The place of a row. */
export interface RowPlace {
  /** Name of its file, without folders. */
  readonly file: string
}

/** Why a row is dropped. */
export interface DropReason {
  /** Name of the rule that applies. */
  readonly rule: string
  /** The environment that the row belongs to, for rules about environments. */
  readonly environment?: string
  /** The row's id, the file's name, or the words that were found. */
  readonly evidence: string
}

/** Reads one row: nothing, or an empty list, keeps it; a reason, or several, drops it. It must not keep rows. */
export type RowTest = (row: TrainingRow, place: RowPlace) => DropReason | readonly DropReason[] | undefined

/** An environment of a filter, by its name and by other names in data sets and papers. */
export interface FilteredEnvironment {
  readonly name: string
  readonly also: readonly string[]
}

/**
 * Keeps or drops rows of training data. It changes no episode: its effect enters a grid as another model, trained on
 * what it leaves.
 */
export interface DataFilter {
  readonly kind: 'filter'
  readonly name: string
  /** Changes whenever equal input would be filtered differently. Default `1`. */
  readonly version: string
  readonly summary: string
  /** Where it comes from. */
  readonly source: string
  /** What its rules look for, for manifests. */
  readonly rules: readonly { readonly name: string; readonly summary: string }[]
  /** Environments that it tells apart; none for a filter that is not about environments. */
  readonly environments: readonly FilteredEnvironment[]
  /** Makes the test for a data set. */
  open(scene: FilterScene): RowTest
}

type Definition = Omit<DataFilter, 'kind' | 'version' | 'rules' | 'environments'> &
  Partial<Pick<DataFilter, 'version' | 'rules' | 'environments'>>

/** Defines a data filter; a file that exports one as its default is a plug-in. */
export function defineDataFilter(definition: Definition): DataFilter {
  return { version: '1', rules: [], environments: [], ...definition, kind: 'filter' }
}
