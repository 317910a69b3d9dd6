import type { Task, TaskSource } from '../core/environment.js'
import type { Trajectory } from '../core/episode.js'
import type { EpisodeRow, PerturbationIdentity } from '../results/episode-row.js'
import { type Perturbation, usedIn } from '../core/perturbation.js'

/** Everything that a run plays, as plain JSON. Stored once per run; reports read it beside the rows. */
export interface Plan {
  readonly schema: 1
  /** Version of shaketable that made the plan. */
  readonly version: string
  readonly environments: readonly PlannedEnvironment[]
  readonly conditions: readonly PlannedCondition[]
  readonly models: readonly PlannedModel[]
  readonly agents: readonly { readonly name: string; readonly settings: Readonly<Record<string, unknown>> }[]
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  readonly stepLimit: number
  /** Maximum number of tokens per reply. */
  readonly maxTokens: number
  /**
   * The primary endpoint: the mean change of a metric from the clean condition over some conditions. Absent: success
   * over all conditions that change something.
   */
  readonly primary?: { readonly metric: 'success' | 'progress'; readonly conditions?: readonly string[] }
}

/** A change of a run's plan after the run was made: it grew, or its primary endpoint became another. */
export interface PlanChange {
  /** Date and time (UTC), `2026-11-22T10:00:00Z`. */
  readonly date: string
  /** What came in, in words: `3 seeds; model b`. Empty if nothing did. */
  readonly added: string
  /** Number of episodes stored at that time. */
  readonly stored: number
  /** The primary endpoint before and after it, if it changed; null for the usual one. */
  readonly primary?: { readonly was: Plan['primary'] | null; readonly is: Plan['primary'] | null }
}

/** An environment of a plan, with its tasks in the order of play. */
export interface PlannedEnvironment {
  readonly name: string
  readonly version: string
  /** See {@link Environment.measure}. */
  readonly measure?: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly data?: TaskSource
  readonly tasks: readonly PlannedTask[]
}

/**
 * A task of a plan. The goal is in the environment's wording; it is absent if it is known only once an episode begins.
 * The difficulty is absent if unknown.
 */
export type PlannedTask = Pick<Task, 'id' | 'kind' | 'difficulty' | 'hash'> & Partial<Pick<Task, 'goal'>>

/**
 * A condition of a plan: `none`, one perturbation, or a stack of several, the first nearest the environment. It is
 * played in the environments in which one of them is used ({@link conditionsIn}).
 */
export interface PlannedCondition {
  /** `none`, `agentrefine-1`, `agentrefine-1+agentrefine-4`. */
  readonly label: string
  readonly perturbations: readonly PlannedPerturbation[]
}

/** A perturbation of a condition. */
export interface PlannedPerturbation
  extends
    PerturbationIdentity,
    Pick<Perturbation, 'promise' | 'touches' | 'keepsMeaning' | 'adversarial' | 'source' | 'summary'> {
  /**
   * Names of the plan's environments in which it is used (see `usedIn`). Absent: all.
   */
  readonly environments?: readonly string[]
}

/** A model of a plan. */
export interface PlannedModel {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  /**
   * Name of the plan's model that was trained on the same data without its in-domain rows (AgentRefine's fifth
   * perturbation).
   */
  readonly withoutInDomain?: string
  /** Names of the environments whose training data the model has seen (held-in). All others are held out. */
  readonly heldIn?: readonly string[]
  /** Name of the plan's model that this one is an ablation of; deltas are against that model. */
  readonly variantOf?: string
  /** Its place on a training curve: the name of the curve, and the number in the checkpoint's name. */
  readonly checkpoint?: { readonly series: string; readonly step: number }
  /** Number of the plan's seeds, from the first, that are played at temperature 0. Absent: all. */
  readonly seedsAtZero?: number
  /** Names of the plan's agents that it plays with. Absent: all. */
  readonly agents?: readonly string[]
  /**
   * Its server was not probed yet, so it has no episodes: what is found may still change its settings, and with them
   * the keys of its cells.
   */
  readonly unprobed?: true
}

/** A model with an agent that it plays with. */
export interface Pair<Model, Agent> {
  readonly model: Model
  readonly agent: Agent
}

/** Every model with each of its agents, in the order of play: models outermost. */
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

/** The conditions that are played in an environment: `none`, and those with a perturbation that is used there. */
export function conditionsIn<Condition extends Pick<PlannedCondition, 'perturbations'>>(
  conditions: readonly Condition[],
  environment: string,
): readonly Condition[] {
  const isPlayed = ({ perturbations }: Condition): boolean =>
    perturbations.length === 0 || usedIn(perturbations, environment).length > 0
  return conditions.every(isPlayed) ? conditions : conditions.filter(isPlayed)
}

/** A stored run as a report reads it: the plan, and one row per key, the latest if an episode was played again. */
export interface StoredRun {
  readonly plan: Plan
  /** May be iterated more than once. */
  readonly rows: Iterable<EpisodeRow>
  /** The name of its experiment. */
  readonly name?: string
  /** Names of its control models, which are instruments and not language models. */
  readonly controls?: readonly string[]
  /** True while episodes are still being added; reports are then marked as partial. */
  readonly writing?: boolean
  /** Why the run stopped before it was complete; reports are then marked as partial. */
  readonly stopped?: string | undefined
  /** Data that the store left out when it read the run, in sentences. */
  readonly notes?: readonly string[]
  /** Trajectories by key, for reports that show them. An episode without one is left out. */
  readonly trajectories?: (keys: readonly string[]) => ReadonlyMap<string, Trajectory>
  /** Published numbers shown beside the run's own and marked as such. They enter no average, ranking or test. */
  readonly published?: readonly PublishedRow[]
  /** Results of the server checks before the first episode. */
  readonly servers?: readonly ServerFindings[]
  /** Changes of the plan, the oldest first. Absent: none. */
  readonly history?: readonly PlanChange[]
}

/** The tested behaviour of a model's server. */
interface ServerFindings {
  readonly model: string
  /** The model's name on the server, where it differs. */
  readonly servedAs?: string
  /** What identifies the served model, where its server tells. */
  readonly served?: ServedIdentity
  /** For example `seed`: `honoured`, `ignored`, `accepted` (without a visible effect), `refused`. */
  readonly findings: readonly { readonly name: string; readonly value: string | number; readonly evidence?: string }[]
  /** Changes of the served model since the run began. */
  readonly changes?: readonly ServedChange[]
}

/**
 * The identity of a served model, by the names that servers use: `system_fingerprint`, `meta.n_params`, `chat_template`
 * (a hash).
 */
export type ServedIdentity = Readonly<Record<string, string | number>>

/** A value of a {@link ServedIdentity} that has changed. */
export interface ServedDifference {
  readonly name: string
  readonly was: string | number
  readonly is: string | number
}

/** A change of the model behind a name, after which the run continued. */
export interface ServedChange {
  /** True: a different model, which the user accepted. False: a hosted API was redeployed. */
  readonly accepted: boolean
  readonly differences: readonly ServedDifference[]
}

/** A published number as it was printed, with its source. */
export interface PublishedRow {
  /** Number of its line in the file it was read from, from 1. */
  readonly line: number
  /** The table of the source, such as `T3-robustness`. */
  readonly table: string
  readonly model: string
  /**
   * The settings: `base=LLaMA-3-8B;decode=greedy;full data` is `{ base: 'LLaMA-3-8B', decode: 'greedy', 'full data':
   * '' }`.
   */
  readonly setting: Readonly<Record<string, string>>
  readonly environment: string
  /** `none`, `P1`, …, or the name of an aggregate. */
  readonly perturbation: string
  readonly metric: string
  /** In the printed unit: percent for success and progress. */
  readonly value: number
  /** The printed standard deviation, in the same unit. */
  readonly deviation?: number
  /** Whether the model saw training data of the environment. */
  readonly heldIn: boolean
  readonly source: string
  /** A known peculiarity. */
  readonly note?: string
  /** What it was measured on, as far as it is known. */
  readonly protocol?: PublishedProtocol
}

/** What published numbers were measured on. A run that differs in it was not played on the same games or prompts. */
export interface PublishedProtocol {
  readonly data?: string
  readonly tasks?: number
  readonly split?: string
  readonly generation?: string
  /** Name of the prompt file. */
  readonly prompt?: string
  /** Maximum number of steps of an episode. */
  readonly steps?: number
  /** Maximum number of tokens of a reply. */
  readonly tokens?: number
}

/** A pure function from stored episodes to files. Equal input gives equal bytes. */
export interface Report {
  /** Set by defineReport(). */
  readonly kind?: 'report'
  readonly name: string
  readonly summary: string
  readonly source: string
  /**
   * Yields the files, such as `robustness.md`, one at a time so that none has to be kept in memory. Names have no
   * folders.
   */
  render(run: StoredRun): Iterable<{ readonly file: string; readonly text: string }>
  /** Whether a file that was not written this time is left over from an earlier rendering; it is then removed. */
  readonly isLeftover?: (file: string) => boolean
}

/**
 * Defines a report; a file that exports one is a plug-in. Its files are written beside those of the shipped reports.
 */
export function defineReport(
  definition: Omit<Report, 'kind' | 'summary' | 'source'> & Partial<Pick<Report, 'summary' | 'source'>>,
): Report {
  return { summary: '', source: '', ...definition, kind: 'report' }
}

/**
 * The label of a condition without some settings: conditions that differ in these alone share it, since equal settings
 * have equal labels.
 */
export function labelWithout(label: string, ...settings: readonly ('draw' | 'intensity')[]): string {
  return label.replace(new RegExp(`:(?:${settings.join('|')})=[^:+]*`, 'g'), '')
}
