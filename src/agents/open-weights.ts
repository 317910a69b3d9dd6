import type { Agent } from '../core/agent.js'
import { act } from './act.js'
import { readAgentBoardAction } from './agentboard-parser.js'

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
