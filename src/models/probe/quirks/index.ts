import type { Quirk } from '../quirk.js'
import { chatTemplate } from './chat-template.js'
import { consecutiveRoles } from './consecutive-roles.js'
import { context } from './context.js'
import { endpoint } from './endpoint.js'
import { greedy } from './greedy.js'
import { logprobs } from './logprobs.js'
import { maxTokens } from './max-tokens.js'
import { modelListed } from './model-listed.js'
import { plainCompletions } from './plain-completions.js'
import { promptLogprobs } from './prompt-logprobs.js'
import { reasoning } from './reasoning.js'
import { samplers } from './samplers.js'
import { seed } from './seed.js'
import { severalReplies } from './several-replies.js'
import { slots } from './slots.js'
import { stop } from './stop.js'
import { systemRole } from './system-role.js'
import { tokenCount } from './token-count.js'
import { tools } from './tools.js'
import { usage } from './usage.js'

/** Everything that is looked at, in the order in which it is asked and told. */
export const quirks: readonly Quirk[] = [
  modelListed,
  endpoint,
  chatTemplate,
  maxTokens,
  usage,
  reasoning,
  greedy,
  samplers,
  seed,
  systemRole,
  consecutiveRoles,
  stop,
  severalReplies,
  logprobs,
  promptLogprobs,
  tools,
  context,
  slots,
  tokenCount,
  plainCompletions,
]
