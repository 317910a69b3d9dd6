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
  /** Stop strings of a reply. */
  readonly stop: readonly string[]
  /** The agent offers functions, so that its models need a chat that accepts them. */
  readonly offersFunctions?: true
  /** It lays the prompt out by Briefing.layout. Default: false, and such perturbations are refused. */
  readonly takesLayouts?: boolean
  begin(briefing: Briefing, opening: string): Conversation
  /** A reply in this agent's format with one action, and a thought before it where the format has one. */
  phrase(action: string, thought?: string): string
  /** A reply that is a thought alone; absent where the format has no such replies. */
  think?(thought: string): string
  /** Rules for several trials at a task; absent for an agent that plays it once. */
  readonly trials?: TrialRules
}

/** The definition of an agent. Everything but the name and `begin` has a default. */
export type AgentDefinition = Pick<Agent, 'name' | 'begin'> & Partial<Omit<Agent, 'kind'>>

/**
 * Defines an agent; a file that exports one is a plug-in. By default a reply is the action itself, without stop
 * strings.
 */
export function defineAgent(definition: AgentDefinition): Agent {
  const phrase = (action: string): string => action
  return { summary: '', source: '', settings: {}, stop: [], phrase, ...definition, kind: 'agent' }
}

/** Rules for several trials at a task within an episode; a success is always the last trial. See playTrials(). */
export interface TrialRules {
  /** Maximum number of trials of an episode. */
  readonly most: number
  /**
   * The trial that gives outcome and progress: the last, or the best (a success, else the first with most progress).
   */
  readonly counts: 'last' | 'best'
  /** How the agent reflects on a failed trial; absent for independent trials. */
  readonly reflection?: ReflectionRules
}

/** How an agent reflects on a failed trial. */
export interface ReflectionRules {
  /** Number of newest reflections that are kept. */
  readonly kept: number
  /** The messages that ask the model for a reflection. */
  request(failed: FailedTrial): readonly Message[]
}

/** A failed trial, as its agent sees it. */
export interface FailedTrial {
  /** Includes the reflections from before the trial. */
  readonly briefing: Briefing
  readonly opening: string
  readonly steps: readonly Step[]
  /** Number of steps, oldest first, to leave out so that the request fits. */
  readonly left: number
}

/** The conversation of one episode. */
export interface Conversation {
  /** The messages of the next call. */
  messages(): readonly Message[]
  /** The functions offered in the next call; absent for an agent that uses text. */
  tools?(): readonly ToolDefinition[]
  /** Reads a reply, its function calls, and reasoning that was already separated from it. */
  read(reply: string, toolCalls?: Completion['toolCalls'], reasoning?: string): Reading
  /** Records an action and its observation. */
  observe(action: string, observation: string): void
  /** Stop strings of its replies, and a reply with an action, where the layout of the prompt changes them. */
  readonly stop?: readonly string[]
  phrase?(action: string, thought?: string): string
  /**
   * Leaves the oldest part of the history out from now on; instruction, examples and goal stay.
   * @returns false where nothing can be left out any more
   */
  cut?(): boolean
}

/** A parsed reply. */
export interface Reading {
  /** The action; undefined for a thought alone, after which the model is called again without a step. */
  readonly action: string | undefined
  readonly thought?: string
  /** The action is complete although the reply may have reached the token limit. */
  readonly actionEnded?: true
  /** Why the reply does not have the expected format; the action is then the agent's best reading. */
  readonly formatError?: string
}
