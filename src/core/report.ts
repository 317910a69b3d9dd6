import type { Task, TaskSource } from './environment.js'
import type { EpisodeRow, PerturbationIdentity, Trajectory } from './episode.js'
import type { Perturbation } from './perturbation.js'

/** What a run set out to play, as plain JSON: the store keeps it once, reports read it beside the rows. */
export interface Plan {
  readonly schema: 1
  /** Version of shaketable that made the plan. */
  readonly version: string
  readonly environments: readonly PlannedEnvironment[]
  readonly columns: readonly PlannedColumn[]
  readonly models: readonly PlannedModel[]
  readonly agents: readonly { readonly name: string; readonly settings: Readonly<Record<string, unknown>> }[]
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  /** Most steps of an episode. */
  readonly stepLimit: number
  /** Most tokens of a reply. */
  readonly maxTokens: number
  /**
   * The primary endpoint: the mean change of a metric against the clean column over some columns. Absent: success over
   * all columns that change something.
   */
  readonly primary?: { readonly metric: 'success' | 'progress'; readonly columns?: readonly string[] }
}

/** One environment of a plan with the tasks that are played, in order. */
export interface PlannedEnvironment {
  readonly name: string
  readonly version: string
  /** See {@link Environment.measure}. Absent in plans of versions that did not record it. */
  readonly measure?: string
  readonly settings: Readonly<Record<string, unknown>>
  /** Absent in plans of versions that did not record it. */
  readonly data?: TaskSource
  readonly tasks: readonly PlannedTask[]
}

/**
 * A task of a plan. The difficulty is absent where it is not known, and in plans of versions that did not record it.
 */
export type PlannedTask = Pick<Task, 'id' | 'kind' | 'difficulty' | 'hash'>

/**
 * One column of a plan: `none`, one perturbation, or several that lie over each other (the first nearest the
 * environment).
 */
export interface PlannedColumn {
  /** `none`, `agentrefine-1`, `agentrefine-1+agentrefine-4`. */
  readonly label: string
  readonly perturbations: readonly PlannedPerturbation[]
}

/** One perturbation of a column. */
export interface PlannedPerturbation
  extends PerturbationIdentity, Pick<Perturbation, 'promise' | 'source' | 'summary'> {
  /**
   * Names of the plan's environments in which it is used, where that is not all of them: another one takes its part in
   * the others (see `usedIn`).
   */
  readonly environments?: readonly string[]
}

/** One model of a plan. */
export interface PlannedModel {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  /**
   * Name of the model of this plan that was trained on the same data without its in-domain rows (AgentRefine's fifth
   * perturbation).
   */
  readonly withoutInDomain?: string
  /** Names of environments of which the model saw training data (held-in); the others are held out for it. */
  readonly heldIn?: readonly string[]
  /** Name of the model of this plan that it varies in an ablation; deltas are against that one. */
  readonly variantOf?: string
  /** At temperature 0 only so many of the plan's seeds are played, the first ones. Absent where all are. */
  readonly seedsAtZero?: number
  /** Names of the plan's agents that it is played with. Absent where it is played with all of them. */
  readonly agents?: readonly string[]
}

/** A model and an agent that it is played with. */
export interface Pair<Model, Agent> {
  readonly model: Model
  readonly agent: Agent
}

/** Every model with each agent that it is played with, in the order of play: models outermost. */
export function pairsOf<Model extends Pick<PlannedModel, 'agents'>, Agent extends { readonly name: string }>({
  models,
  agents,
}: {
  readonly models: readonly Model[]
  readonly agents: readonly Agent[]
}): Pair<Model, Agent>[] {
  return models.flatMap((model) =>
    agents.filter(({ name }) => model.agents?.includes(name) ?? true).map((agent) => ({ model, agent })),
  )
}

/** A stored run, as a report sees it: the plan, and one row per key (the latest where an episode was played again). */
export interface StoredRun {
  readonly plan: Plan
  /** Can be gone through more than once. */
  readonly rows: Iterable<EpisodeRow>
  /** The same rows in whatever order is quickest, for sums over all of them. */
  readonly unordered?: Iterable<EpisodeRow>
  /** True while episodes are still being added; reports then call themselves partial. */
  readonly writing?: boolean
  /** Why the run was stopped before everything was played; reports then call themselves partial. */
  readonly stopped?: string
  /** What the store left out when it read the run, in sentences. */
  readonly notes?: readonly string[]
  /** What a person reads of episodes, by key, for reports that show them; an episode that has none is left out. */
  readonly trajectories?: (keys: readonly string[]) => ReadonlyMap<string, Trajectory>
  /**
   * Published numbers that tables place beside the run's own, marked as such; they enter no average, ranking or test.
   */
  readonly published?: readonly PublishedRow[]
  /** What was found out about the servers of its models before the first episode. */
  readonly servers?: readonly ServerFindings[]
}

/** What a server does, as far as it was asked. */
interface ServerFindings {
  readonly model: string
  /** Such as `seed`: `honoured`, `ignored`, `accepted` (without a visible effect), `refused`. */
  readonly findings: readonly { readonly name: string; readonly value: string | number; readonly evidence?: string }[]
  /** What was noticed of the model behind the name since the run was begun. */
  readonly changes?: readonly ServedChange[]
}

/**
 * What identifies a served model, by the names that servers give it: `system_fingerprint`, `meta.n_params`,
 * `chat_template` (a hash).
 */
export type ServedIdentity = Readonly<Record<string, string | number>>

/** One value of a {@link ServedIdentity} that is no longer what it was. */
export interface ServedDifference {
  readonly name: string
  readonly was: string | number
  readonly is: string | number
}

/** The server went on with something else under the same name, and so did the run. */
export interface ServedChange {
  /** Whether it was another model, which the user accepted; otherwise a hosted API was only deployed again. */
  readonly accepted: boolean
  readonly differences: readonly ServedDifference[]
}

/** One number that somebody printed, as they printed it, with where it stands. */
export interface PublishedRow {
  /** Number of its line in the file that it was read from, from 1. */
  readonly line: number
  /** Which of the source's tables it stands in, such as `T3-robustness`. */
  readonly table: string
  readonly model: string
  /**
   * How it was made: `base=LLaMA-3-8B;decode=greedy;full data` is `{ base: 'LLaMA-3-8B', decode: 'greedy', 'full data':
   * '' }`.
   */
  readonly setting: Readonly<Record<string, string>>
  readonly environment: string
  /** `none`, `P1`, …, or what an aggregate is over. */
  readonly perturbation: string
  readonly metric: string
  /** In the unit that was printed: percent for success and progress. */
  readonly value: number
  /** Printed standard deviation, in the same unit. */
  readonly deviation?: number
  /** Whether the model saw training data of the environment. */
  readonly heldIn: boolean
  readonly source: string
  /** What is known to be odd about it. */
  readonly note?: string
}

/** A pure function from stored episodes to files. Equal input gives equal bytes. */
export interface Report {
  /** Set by defineReport(). */
  readonly kind?: 'report'
  readonly name: string
  readonly summary: string
  readonly source: string
  /**
   * The files by name, such as `robustness.md`, one after the other so that none has to be kept; names are plain,
   * without folders.
   */
  render(run: StoredRun): Iterable<{ readonly file: string; readonly text: string }>
  /**
   * Whether a file beside them, which was not written this time, can only be left from another time; it is then
   * removed.
   */
  readonly isLeftover?: (file: string) => boolean
}

/** Defines a report; a file that exports one is a plug-in. Its files stand beside those of the shipped reports. */
export function defineReport(
  definition: Omit<Report, 'kind' | 'summary' | 'source'> & Partial<Pick<Report, 'summary' | 'source'>>,
): Report {
  return { summary: '', source: '', ...definition, kind: 'report' }
}
