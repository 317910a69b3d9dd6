import type { Agent, Conversation, Reading } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import { createPrompt, historySize } from './_chat.js'
import { agentBoardLabels, layBriefing } from './_layout.js'
import { readAgentBoardAction } from './agentboard-parser.js'
import { readReactReply } from './react-parser.js'

const stopThinking = '\nPlease stop thinking and start taking action on the task.'
const takeAction = '\nPlease take action on the task.'

/** Thoughts in a row after which AgentBoard's ReactAgent asks for an action. */
const maxThoughts = 3
/** After this many replies without an action the next counts as one; the original has no such limit. */
const maxReplies = 6

/**
 * AgentBoard's ReactAgent: thoughts are replies of their own that cost no step; after three in a row the prompt asks
 * for an action, as it does after a reply that is neither. Unlike the original it does not repeat this for ever. Like
 * the original it leaves the format of replies to the worked examples.
 */
export const reactAgentBoard: Agent = {
  name: 'react:agentboard',
  summary: 'thoughts (`Think:`) and actions (`Action:`) as replies of their own, in one user message',
  source: 'AgentBoard, ReactAgent',
  settings: { layout: 'agentboard-react', history: historySize, maxThoughts, maxReplies, format: 'off' },
  stop: ['\n'],
  begin: (briefing, opening) => beginThinking(briefing, opening),
  phrase: (action) => `Action: ${action}`,
  think: (thought) => `Think: ${thought}`,
}

function beginThinking(briefing: Briefing, opening: string): Conversation {
  const { above } = layBriefing(briefing, agentBoardLabels)
  let thoughts = 0
  let idle = 0
  let isNeither = false
  const reminder = (): string => (thoughts >= maxThoughts ? stopThinking : isNeither ? takeAction : '')
  const { messages, add, cut } = createPrompt(briefing.system, above, `Observation: ${opening}`, reminder)

  const read = (reply: string): Reading => {
    const { actions, thought, firstLine, bare } = readReactReply(reply)
    if (actions.length > 0) {
      return { action: readAgentBoardAction(actions.at(-1)!), ...(thought !== '' && { thought }) }
    }
    const wasNeither = isNeither
    isNeither = bare || thought === ''
    idle++
    if (idle > maxReplies || (isNeither && wasNeither)) {
      return { action: firstLine, formatError: `no action in ${String(idle)} replies; the first line is taken` }
    }
    thoughts = isNeither ? 0 : thoughts + 1
    if (!isNeither) add(`Think: ${thought.replaceAll('\n', ' ')}`)
    return { action: undefined, ...(thought !== '' && { thought }) }
  }
  return {
    messages,
    read,
    cut,
    observe(action, observation) {
      add(`Action: ${action}`, `Observation: ${observation}`)
      thoughts = 0
      idle = 0
      isNeither = false
    },
  }
}
