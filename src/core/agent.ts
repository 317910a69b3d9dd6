import type { Briefing } from './environment.js'
import type { Step } from './episode.js'
import type { Completion, Message, ToolDefinition } from './model.js'

/** A strategy for talking to a model: how the conversation is laid out and how an action is read from a reply. */
export interface Agent {
  /** Set by defineAgent(). */
  readonly kind?: 'agent'
  readonly name: string
  readonly summary: string
  readonly source: string
  /** Settings that decide the layout, as plain JSON; part of every episode's key. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Where a reply has to stop. */
  readonly stop: readonly string[]
  /** It offers functions, so that its models need a chat that takes them. */
  readonly offersFunctions?: true
  /** Its prompt is one text with the model's template filled in, which goes over completions as it stands. */
  readonly endpoint?: 'completions'
  begin(briefing: Briefing, opening: string): Conversation
  /**
   * A reply, as this agent expects it, that does nothing but this action; with a thought before it where replies have
   * room for one.
   */
  phrase(action: string, thought?: string): string
  /**
   * A reply that is a thought alone; absent where such a reply would be taken for an action, or thoughts stand before
   * their actions.
   */
  think?(thought: string): string
  /** How it tries a task more than once; absent for an agent that plays it once. */
  readonly trials?: TrialRules
}

/** What an agent of one's own has to give: a name and how it begins. Everything else has a default. */
export type AgentDefinition = Pick<Agent, 'name' | 'begin'> & Partial<Omit<Agent, 'kind'>>

/**
 * Defines an agent; a file that exports one is a plug-in. Without `phrase` a reply is the action itself, and without
 * `stop` a reply ends where the model ends it.
 */
export function defineAgent(definition: AgentDefinition): Agent {
  const phrase = (action: string): string => action
  return { summary: '', source: '', settings: {}, stop: [], phrase, ...definition, kind: 'agent' }
}

/**
 * How an agent tries a task more than once within an episode; a trial that succeeds is always the last. See
 * playTrials().
 */
export interface TrialRules {
  /** The most trials of an episode. */
  readonly most: number
  /**
   * The trial whose outcome and progress are the episode's; the best is one that was won, else the first with the most
   * progress.
   */
  readonly counts: 'last' | 'best'
  /** Whether a trial ends where an action comes twice in a row. */
  readonly endsOnRepeat?: boolean
  /** How the agent learns from a trial that failed; absent for trials that know nothing of each other. */
  readonly reflection?: ReflectionRules
}

/** How an agent learns from a trial that failed. */
export interface ReflectionRules {
  /** How many of the newest reflections are kept. */
  readonly kept: number
  /** The messages that ask the model for a reflection. */
  request(failed: FailedTrial): readonly Message[]
}

/** A trial that failed, as its agent sees it. */
export interface FailedTrial {
  /** With the reflections that the trial was begun with. */
  readonly briefing: Briefing
  readonly opening: string
  readonly steps: readonly Step[]
  /** How many of the steps, oldest first, are to be left out so that the request fits. */
  readonly left: number
}

/** The conversation of one episode. */
export interface Conversation {
  /** What is sent to the model now. */
  messages(): readonly Message[]
  /** The functions that the model is offered now; absent for an agent that talks in text. */
  tools?(): readonly ToolDefinition[]
  /** Reads a reply, the functions that were called with it, and reasoning that was already parted from it. */
  read(reply: string, toolCalls?: Completion['toolCalls'], reasoning?: string): Reading
  /** Takes down what was done and what came of it. */
  observe(action: string, observation: string): void
  /**
   * Leaves the oldest part of the history out from now on; instruction, examples and goal stay.
   * @returns whether there was anything left to leave out
   */
  cut?(): boolean
}

/** What a reply amounts to. */
export interface Reading {
  /** The action to take; undefined for a thought alone, after which the model is asked again without a step. */
  readonly action: string | undefined
  readonly thought?: string
  /** The action was over before the reply was, so that a reply that ran into the limit of tokens lost nothing of it. */
  readonly actionEnded?: true
  /** Why the reply is not of the expected layout; the action is then the agent's best reading of it. */
  readonly formatError?: string
}
