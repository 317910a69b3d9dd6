import type { World } from './environment.js'

/** One attempt at a call. */
export interface Attempt {
  /** `ok`, or what went wrong. */
  readonly outcome:
    'ok' | 'rate-limit' | 'server-error' | 'timeout' | 'connection' | 'bad-reply' | 'refused' | 'overflow'
  /** HTTP status, where there was an answer. */
  readonly status?: number
  /** Milliseconds waited before it (backoff, limits). */
  readonly waitMs: number
  /** Milliseconds that it took, body included. */
  readonly milliseconds: number
  readonly promptTokens?: number
  readonly completionTokens?: number
  /** The server's own id of the request. */
  readonly requestId?: string
}

/** One message of a conversation. A message of the role `tool` answers a call of the assistant's message before it. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  /** Functions that the assistant called. */
  readonly toolCalls?: readonly ToolCall[]
  /** Of a message of the role `tool`: the call that it answers. */
  readonly toolCallId?: string
  /** Reasoning that came with the calls, for servers that want it back. It does not tell one request from another. */
  readonly reasoning?: string
}

/** A call of a function in a conversation. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text of an object. */
  readonly arguments: string
}

/** How a reply is sampled. */
export interface Sampling {
  readonly temperature: number
  /** The label of the repeat; a control model samples by it. */
  readonly seed: number
  /**
   * The seed for the server in place of the label, one for each call (see `identifyCall`). Absent: the label itself.
   * Whether a server honours it is recorded, not assumed.
   */
  readonly sentSeed?: number
  /** Maximum length of the reply in tokens. */
  readonly maxTokens: number
  readonly stop: readonly string[]
  /** Request log-probabilities of the reply's tokens; only of a model with {@link Model.logprobs}. */
  readonly logprobs?: true
  /** Functions that the model may call instead of answering with text. */
  readonly tools?: readonly ToolDefinition[]
  /** The episode and the number of the call, which distinguish otherwise equal requests. It is not sent. */
  readonly call?: { readonly episode: string; readonly number: number }
  readonly signal?: AbortSignal
}

/** A function that a model may call; every parameter is a string and required. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: readonly { readonly name: string; readonly description: string }[]
}

/** A token and its natural logarithm of a probability, at most 0. */
export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
}

/** A reply, and what it cost. */
export interface Completion {
  /** The text without reasoning, whether that came in a field of its own or between marks. */
  readonly text: string
  readonly finish?: 'stop' | 'length' | 'tool' | 'other'
  /** The server's own word for the finish `other`. */
  readonly finishReason?: string
  /** Reasoning as it came. */
  readonly reasoning?: string
  /** The reasoning was opened in the text and never closed, so that there is no answer. */
  readonly unclosed?: true
  /** A part exceeded the bounds of a reply and was cut with a mark. */
  readonly tooLong?: true
  /**
   * The server's message for a reply that it could not parse: a format error of the model, not a failure of the server.
   */
  readonly unparsed?: string
  /** Functions that it called, with their arguments as JSON text. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[]
  /**
   * The tokens of all that was generated, in order, with the likeliest tokens at each place where the server tells
   * them. Absent unless asked for and given.
   */
  readonly logprobs?: readonly (TokenLogprob & { readonly top?: readonly TokenLogprob[] })[]
  readonly promptTokens?: number
  readonly completionTokens?: number
  /** Every attempt, the last of which gave this reply. Absent for models without attempts. */
  readonly attempts?: readonly Attempt[]
  /** The model's name in the reply, where the server signs it. */
  readonly servedBy?: string
  /**
   * The day (UTC) on which a server gave it, `2026-11-22`; it stays with the reply where that is recorded and replayed.
   */
  readonly day?: string
}

/** A model of text: an endpoint, a recording, or a control model. */
export interface Model {
  readonly name: string
  /** Settings that decide its replies, as plain JSON without secrets; part of every episode's key. */
  readonly settings: Readonly<Record<string, unknown>>
  complete(messages: readonly Message[], sampling: Sampling): Completion | Promise<Completion>
  /**
   * Maximum number of tokens of prompt and reply together, where it is known; the oldest history is left out before
   * that is exceeded.
   */
  readonly contextTokens?: number
  /** Log-probabilities are requested with every reply, with the likeliest tokens at each place. */
  readonly logprobs?: 'top'
  /**
   * Only for a control model that uses facts behind the text, such as action forms and a solution as data: the model
   * for this one episode with access to the world. `phrase` writes an action, with an optional thought, as a reply in
   * the agent's format.
   */
  withWorld?(world: World, phrase: (action: string, thought?: string) => string): Model
}
