/** Samplers beside the temperature, as fields of a request. */
export interface Samplers {
  /** Those that were found to be taken, each without an effect. */
  readonly sent: Readonly<Record<string, number>>
  /** What the server adds to a request that does not name them, where it tells. */
  readonly added?: Readonly<Record<string, number>>
}

/** What a server does where OpenAI-compatible servers differ; plain JSON, so that it can be stored with a run. */
export interface ServerTraits {
  readonly endpoint: 'chat' | 'completions'
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** `fold`: its text goes in front of the first user message. */
  readonly systemRole: 'accepted' | 'fold'
  /** `merge`: messages of one role in a row become one. */
  readonly consecutiveRoles: 'accepted' | 'merge'
  /** `refused`: it is not sent any more. */
  readonly seed: 'sent' | 'refused'
  /** How many stop strings it takes, 0 for none; all of them are enforced on this side anyway. */
  readonly stop: number
  readonly tools: 'accepted' | 'refused' | 'unknown'
  /**
   * `opened`: the chat template opens reasoning and the server leaves it in the text, so that a reply that does not
   * close it is reasoning alone. `sent back`: a call of a function goes back with its reasoning. Default: neither.
   */
  readonly reasoning?: 'opened' | 'sent back'
  /** The most tokens of prompt and reply together, where the server tells. */
  readonly contextTokens?: number
  /** How many calls it works on at once, where it tells. */
  readonly slots?: number
  /** Absent where nothing is known of them, as in runs of versions that did not ask. */
  readonly samplers?: Samplers
  /** How it counts the tokens of a prompt; absent where it does not. */
  readonly tokenizer?: 'llama.cpp' | 'vllm'
  /**
   * Log-probabilities are asked for. `top`: with the likeliest tokens at each place. `continuations`: it also tells
   * those of a text that it is given.
   */
  readonly logprobs?: 'top' | 'continuations'
}

/** What is assumed of a server before anything is known. */
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
 * The traits that change what a model reads, where they are not the plain ones: they belong to a model's settings, and
 * so to the keys of its episodes. How a request is spelled, or whether a seed goes with it, does not.
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
