import type { Dose, EpisodeRow, Measures, Step, Trajectory, Trial } from '../../src/define.js'

/** The page's index of episodes, in the order of the page. Repeated names cost little, since it is compressed. */
export interface PackedIndex {
  /** The tasks of all environments; `goal` and `kind` are empty where the run does not know them. */
  readonly tasks: readonly Readonly<Record<'environment' | 'task' | 'goal' | 'kind', string>>[]
  /** `rule`: what the perturbations of the condition do, in words; empty for the clean condition. */
  readonly conditions: readonly Readonly<Record<'condition' | 'rule', string>>[]
  /** The clean condition; empty without one. */
  readonly clean: string
  readonly episodes: readonly PackedRow[]
  /** The first episode of each chunk. */
  readonly chunks: readonly number[]
}

/** An episode in the index; a count is absent where the environment cannot determine it. */
export interface PackedRow
  extends
    Pick<EpisodeRow, 'key' | 'environment' | 'task' | 'model' | 'agent' | 'condition' | 'temperature' | 'seed'>,
    Pick<EpisodeRow, 'outcome' | 'progress'>,
    Pick<Measures, 'steps' | 'understood' | 'memorised' | 'formatErrors'> {}

/** Consecutive episodes; messages of prompts, which many have in common, are there once. */
export interface PackedChunk {
  readonly messages: readonly ShownMessage[]
  /** The prompt of each episode as places among the messages. */
  readonly prompts: readonly (readonly number[])[]
  /** Without their prompts. */
  readonly episodes: readonly ShownEpisode[]
}

/** The data of an episode that is not in the index. */
export interface ShownEpisode {
  readonly error?: string | undefined
  readonly calls: Pick<Measures, 'promptTokens' | 'completionTokens'>
  readonly changed?: Pick<Dose, 'forms' | 'commandsSaid' | 'commandsSeen' | 'names'> | undefined
  /** Absent if the page does not have it. */
  readonly said?: ShownTrajectory | undefined
}

/** What the page shows of a trajectory. */
export interface ShownTrajectory extends Pick<Trajectory, 'opening'> {
  readonly prompt: readonly ShownMessage[]
  readonly steps: readonly ShownStep[]
  /** Absent if the agent plays a task once. */
  readonly trials?: readonly ShownTrial[]
}

export type ShownTrial = Pick<Trial, 'from' | 'outcome' | 'progress' | 'reflection'>
export type ShownMessage = Pick<Trajectory['prompt'][number], 'role' | 'content'>
export type ShownStep = Pick<Step, (typeof shownOfStep)[number]>

/** No times and attempts, which differ when the same step is played again. */
const shownOfStep = [
  ...(['action', 'command', 'observation', 'original', 'progress', 'understood', 'memorised', 'failed'] as const),
  ...(['reply', 'thoughts', 'reasoning', 'toolCalls', 'formatError', 'fault', 'cut'] as const),
] as const

/** The names of all fields of a {@link ShownEpisode}, at any depth. */
export const shownFields = [
  ...[
    'error',
    'calls',
    'promptTokens',
    'completionTokens',
    'changed',
    'forms',
    'commandsSaid',
    'commandsSeen',
    'names',
  ],
  ...['said', 'prompt', 'role', 'content', 'opening', 'steps', ...shownOfStep, 'name', 'arguments'],
  ...['trials', 'from', 'outcome', 'reflection'],
]
