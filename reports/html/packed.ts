import type { Step, Trajectory, Trial } from '../../src/define.js'

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

/** An episode in the index; undefined where the environment cannot determine a count. */
export interface PackedRow extends Readonly<Record<'environment' | 'task' | 'model' | 'agent' | 'condition', string>> {
  readonly key: string
  readonly temperature: number
  readonly seed: number
  readonly outcome: string
  readonly progress: number
  readonly steps: number
  readonly understood?: number | undefined
  readonly memorised?: number | undefined
  readonly formatErrors: number
}

/** Consecutive episodes; messages of prompts, which many have in common, are there once. */
export interface PackedChunk {
  readonly messages: readonly ShownMessage[]
  readonly episodes: readonly ShownEpisode<number>[]
}

/** The data of an episode that is not in the index; its prompt as messages, or as their places in the chunk. */
export interface ShownEpisode<Message = ShownMessage> {
  readonly error?: string | undefined
  readonly calls: { readonly made: number; readonly promptTokens: number; readonly completionTokens: number }
  readonly changed?: Readonly<Record<'forms' | 'commandsSaid' | 'commandsSeen' | 'names', number>> | undefined
  /** Absent if the page does not have it. */
  readonly said?: ShownTrajectory<Message> | undefined
}

/** The fields of Trajectory that the page shows. */
export interface ShownTrajectory<Message = ShownMessage> {
  readonly prompt: readonly Message[]
  readonly opening: ShownOpening
  readonly steps: readonly ShownStep[]
  /** Absent if the agent plays a task once. */
  readonly trials?: readonly ShownTrial[] | undefined
}

/** The fields of Trial that the page shows. */
export interface ShownTrial extends Pick<Trial, 'from' | 'outcome' | 'progress'> {
  readonly reflection?: { readonly reply: string; readonly fault?: string | undefined } | undefined
}

/** One message of a prompt. */
export type ShownMessage = Pick<Trajectory['prompt'][number], 'role' | 'content'>

/** The first observation, in both wordings if they differ. */
export type ShownOpening = Pick<Trajectory['opening'], 'observation' | 'original'>

/** The fields of Step that the page shows: no times and attempts, which differ when the same step is played again. */
export type ShownStep = Pick<Step, (typeof shownOfStep)[number]>

/** The names of these fields. */
export const shownOfStep = [
  ...(['action', 'command', 'observation', 'original', 'progress', 'understood', 'memorised', 'failed'] as const),
  ...(['reply', 'thoughts', 'reasoning', 'toolCalls', 'formatError', 'fault', 'cut'] as const),
] as const
