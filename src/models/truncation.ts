import type { Model } from '../core/model.js'
import { estimateTokens } from '../core/fit.js'

/**
 * Below this share of the estimate, which errs on the high side by a third at most, a part of the prompt cannot have
 * been read.
 */
const leastShare = 0.5
/** Short prompts are estimated too roughly. */
const leastTokens = 500

/**
 * A model that says once when its server counts far fewer tokens than it was sent, as those do that cut a prompt
 * without a word.
 */
export function withTruncationWarning(model: Model, warn: (message: string) => void): Model {
  let warned = false
  return {
    ...model,
    async complete(messages, sampling) {
      const completion = await model.complete(messages, sampling)
      const { promptTokens } = completion
      if (warned || promptTokens === undefined) return completion
      const estimate = estimateTokens(messages, sampling.tools)
      if (estimate >= leastTokens && promptTokens < estimate * leastShare) {
        warned = true
        warn(
          `The server of '${model.name}' counted ${String(promptTokens)} tokens in a prompt of about ${String(estimate)}: it may be cutting prompts without saying so. Give it a longer context (Ollama: num_ctx).`,
        )
      }
      return completion
    },
  }
}
