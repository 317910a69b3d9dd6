import type { Agent } from '../core/agent.js'
import { beginTextChat, createChat } from './_chat.js'
import { historySize } from './_history.js'
import type { Labels } from './_layout.js'
import { layBriefing } from './_layout.js'
import { readTaggedReply } from './tagged-parser.js'

const labels: Labels = { action: '<action>', afterAction: '</action>', observation: 'Observation: ' }
const format = `Answer each observation with one thought and one action, each between its tags, like this:
<think>why you do what you do next</think>
<action>what you do next</action>`

/**
 * A thought and an action between tags, as a chat: the way verl-agent trains its models to answer. Replies stay in the
 * conversation as they came; reasoning that the server separates from its reply counts as the thought, and is not
 * repeated.
 */
export const tagged: Agent = {
  name: 'tagged',
  summary: '`<think>…</think><action>…</action>` in one reply, observation by observation, as a chat',
  source: 'verl-agent',
  settings: { layout: 'think-action-tags-chat', history: historySize },
  stop: ['\nObservation:'],
  begin: (briefing, opening) =>
    beginTextChat(
      createChat(briefing, layBriefing(briefing, labels, { format }), opening, labels),
      (reply, reasoning) => {
        const { thought, action, fault } = readTaggedReply(reply, reasoning !== undefined)
        return { action, ...(thought !== '' && { thought }), ...(fault !== undefined && { formatError: fault }) }
      },
      (action) => `<action>${action}</action>`,
      labels,
    ),
  phrase: (action, thought = '') => `<think>${thought}</think>\n<action>${action}</action>`,
}
