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
}

/** One environment of a plan with the tasks that are played, in order. */
export interface PlannedEnvironment {
  readonly name: string
  readonly version: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly tasks: readonly { readonly id: string; readonly kind?: string; readonly hash: string }[]
}

/** One column of a plan: `none`, one perturbation, or several that lie over each other (the first nearest the environment). */
export interface PlannedColumn {
  /** `none`, `agentrefine-1`, `agentrefine-1+agentrefine-4`. */
  readonly label: string
  readonly perturbations: readonly (PerturbationIdentity & Pick<Perturbation, 'promise' | 'source' | 'summary'>)[]
}

/** One model of a plan. */
export interface PlannedModel {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  /** Name of the model of this plan that was trained on the same data without its in-domain rows (AgentRefine's fifth perturbation). */
  readonly withoutInDomain?: string
  /** Names of environments of which the model saw training data (held-in); the others are held out for it. */
  readonly heldIn?: readonly string[]
  /** Name of the model of this plan that it varies in an ablation; deltas are against that one. */
  readonly variantOf?: string
}

/** A stored run, as a report sees it: the plan, and one row per key (the latest where an episode was played again). */
export interface StoredRun {
  readonly plan: Plan
  readonly rows: Iterable<EpisodeRow>
  /** True while episodes are still being added; reports then call themselves partial. */
  readonly writing?: boolean
  /** Why the run was stopped before everything was played; reports then call themselves partial. */
  readonly stopped?: string
  /** What the store left out when it read the run, in sentences. */
  readonly notes?: readonly string[]
  /** What a person reads of episodes, by key, for reports that show them; an episode that has none is left out. */
  readonly trajectories?: (keys: readonly string[]) => ReadonlyMap<string, Trajectory>
}

/** A pure function from stored episodes to files. Equal input gives equal bytes. */
export interface Report {
  readonly name: string
  readonly summary: string
  readonly source: string
  /** The files by name, such as `robustness.md`; names are plain, without folders. */
  render(run: StoredRun): readonly { readonly file: string; readonly text: string }[]
}

/** Defines a report; a file that exports one as its default is a plug-in. */
export function defineReport(report: Report): Report {
  return report
}
