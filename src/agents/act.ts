import type { Agent } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import { createPrompt, historySize } from './_chat.js'
import { agentBoardLabels, labelsOf, layBriefing, layLine, readLabels } from './_layout.js'
import { readAgentBoardAction } from './agentboard-parser.js'

/**
 * Actions only, as in AgentBoard's VanillaAgent: everything is in one user message, which the model continues after
 * `Action: `. Its prompts equal AgentBoard's to the byte.
 */
export const act: Agent = {
  name: 'act',
  summary: 'actions only: everything in one user message that ends in `Action: `',
  source: 'AgentBoard, VanillaAgent',
  settings: { layout: 'agentboard-vanilla', history: historySize },
  stop: ['\n'],
  takesLayouts: true,
  begin(briefing: Briefing, opening: string) {
    const { layout, system } = briefing
    const labels = labelsOf(layout, agentBoardLabels)
    const { above, below } = layBriefing(briefing, labels)
    const first = layLine('observation', opening, labels)
    const { messages, add, cut } = createPrompt(system, above, first, () => `${below}\n${labels.action}`)
    return {
      messages,
      cut,
      read(reply) {
        const action = readAgentBoardAction(readLabels(reply, layout, true))
        return action === '' ? { action, formatError: 'the reply is empty' } : { action }
      },
      observe: (action, observation) =>
        add(layLine('action', action, labels), layLine('observation', observation, labels)),
    }
  },
  phrase: (action) => action,
}

/** AgentBoard's `llm/vllm.py` adds this to every system text. */
const reminder =
  'Generate your next step of action after Action. Action must not be empty. e.g. Action: put down cup. \n'

/**
 * `act` with AgentBoard's client for open-weights models: a reminder follows the system text and no stop string is
 * sent, so that replies have several lines, up to the limit of tokens (100 in AgentBoard).
 */
export const actOpenWeights: Agent = {
  ...act,
  name: 'act:client=open-weights',
  summary: "actions only, as AgentBoard's client for open weights asks for them: a reminder, no stop string",
  source: 'AgentBoard, VanillaAgent with llm/vllm.py',
  settings: { ...act.settings, client: 'open-weights' },
  stop: [],
  takesLayouts: false,
  begin(briefing, opening) {
    const conversation = act.begin({ ...briefing, system: briefing.system + reminder }, opening)
    return {
      ...conversation,
      read(reply) {
        const reading = conversation.read(reply)
        // More text after the reply would not change the action, unless the reply ends in the middle of it.
        const actionEnded = readAgentBoardAction(`${reply}x`) === reading.action
        return { ...reading, ...(actionEnded && { actionEnded }) }
      },
    }
  },
}
