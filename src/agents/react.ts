import type { Agent, Reading } from '../core/agent.js'
import { beginTextChat, createChat, historySize } from './_chat.js'
import { type Labels, agentBoardLabels, labelsOf, layBriefing, layLine, layReplies, readLabels } from './_layout.js'
import { readReactReply } from './react-parser.js'

const format = (labels: Labels): string => `Answer each observation with one thought and one action, like this:
${labels.thought!}why you do what you do next${labels.afterThought ?? ''}
${layLine('action', 'what you do next', labels)}`

/**
 * A thought and an action in each reply, as a chat: the way AgentGym and AgentRefine talk to their models. The model's
 * own replies stay in the conversation as they came.
 */
export const react: Agent = {
  name: 'react',
  summary: 'a thought and an action in one reply, observation by observation, as a chat',
  source: 'AgentRefine and AgentGym (Thought/Action)',
  settings: { layout: 'thought-action-chat', history: historySize },
  stop: ['\nObservation:'],
  takesLayouts: true,
  begin(briefing, opening) {
    const { layout } = briefing
    const labels = labelsOf(layout, agentBoardLabels)
    const chat = beginTextChat(
      createChat(briefing, layBriefing(briefing, labels, { format: format(labels) }), opening, labels),
      (reply) => readThoughtAndAction(readLabels(reply, layout)),
      (action) => layLine('action', action, labels),
      labels,
    )
    return { ...chat, ...layReplies(layout) }
  },
  phrase: (action, thought) => `${thought === undefined ? '' : `Thought: ${thought}\n`}Action: ${action}`,
}

function readThoughtAndAction(text: string): Reading {
  const { thought, actions, firstLine } = readReactReply(text)
  const reading = {
    action: actions[0] ?? firstLine,
    ...(thought !== '' && { thought }),
  }
  if (actions.length === 1) return reading
  if (actions.length > 1) {
    return { ...reading, formatError: `${String(actions.length)} actions in one reply; the first one is taken` }
  }
  return { ...reading, formatError: firstLine === '' ? 'the reply is empty' : "no 'Action:' in the reply" }
}
