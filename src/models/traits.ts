/** Samplers other than the temperature, as fields of a request. */
export interface Samplers {
  /** Accepted samplers, each at a value without effect. */
  readonly sent: Readonly<Record<string, number>>
}

/** The points in which OpenAI-compatible servers differ; plain JSON, stored with a run. */
export interface ServerTraits {
  readonly endpoint: 'chat' | 'completions'
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** `fold`: its text goes in front of the first user message. */
  readonly systemRole: 'accepted' | 'fold'
  /** `merge`: messages of one role in a row become one. */
  readonly consecutiveRoles: 'accepted' | 'merge'
  /** `refused`: no seed is sent. */
  readonly seed: 'sent' | 'refused'
  /** Maximum number of stop strings, 0 for none; the client enforces all of them anyway. */
  readonly stop: number
  readonly tools: 'accepted' | 'refused' | 'unknown'
  /**
   * `opened`: the chat template opens reasoning and the server leaves it in the text, so that a reply that does not
   * close it is reasoning alone. `sent back`: a call of a function goes back with its reasoning. Default: neither.
   */
  readonly reasoning?: 'opened' | 'sent back'
  /** Maximum number of tokens of prompt and reply together, where the server gives it. */
  readonly contextTokens?: number
  /** Absent where nothing is known of them, as in runs of versions that did not ask. */
  readonly samplers?: Samplers
  /** Log-probabilities are asked for, with the likeliest tokens at each place. */
  readonly logprobs?: 'top'
}

/** The traits of a server before anything is known. */
export const plainTraits: ServerTraits = {
  endpoint: 'chat',
  maxTokensField: 'max_tokens',
  systemRole: 'accepted',
  consecutiveRoles: 'accepted',
  seed: 'sent',
  stop: 4,
  tools: 'unknown',
}

/**
 * The traits that change what a model reads, where they are not the plain ones: they are part of a model's settings,
 * and so of the keys of its episodes. The form of a request, or whether a seed is sent, is not.
 */
export function decidingTraits(traits: ServerTraits): Readonly<Record<string, unknown>> {
  const { endpoint, systemRole, consecutiveRoles, contextTokens } = traits
  return {
    ...(endpoint === 'completions' && { api: endpoint }),
    ...(systemRole === 'fold' && { systemRole }),
    ...(consecutiveRoles === 'merge' && { consecutiveRoles }),
    ...(contextTokens !== undefined && { contextTokens }),
  }
}
