import type { Briefing } from './environment.js'
import type { Completion, Message, ToolDefinition } from './model.js'

/** A strategy for talking to a model: how the conversation is laid out and how an action is read from a reply. */
export interface Agent {
  readonly name: string
  readonly summary: string
  readonly source: string
  /** Settings that decide the layout, as plain JSON; part of every episode's key. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Where a reply has to stop. */
  readonly stop: readonly string[]
  begin(briefing: Briefing, opening: string): Conversation
  /** A reply, as this agent expects it, that does nothing but this action; with a thought before it where replies have room for one. */
  phrase(action: string, thought?: string): string
  /** A reply that is a thought alone; absent where such a reply would be taken for an action, or thoughts stand before their actions. */
  think?(thought: string): string
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
  /** Why the reply is not of the expected layout; the action is then the agent's best reading of it. */
  readonly formatError?: string
}
