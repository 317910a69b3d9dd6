import type { Agent } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import { createHistory, historySize } from './_history.js'
import { agentBoardLabels, layBriefing } from './_layout.js'
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
  begin(briefing: Briefing, opening: string) {
    const above = layBriefing(briefing, agentBoardLabels)
    const history = createHistory<string>([`Observation: ${opening}`])
    const lay = (): string => history.shown().join('\n')
    let lines = lay()
    return {
      messages: () => [
        { role: 'system', content: briefing.system },
        { role: 'user', content: `${above}${lines}\nAction: ` },
      ],
      read(reply) {
        const action = readAgentBoardAction(reply)
        return action === '' ? { action, formatError: 'the reply is empty' } : { action }
      },
      observe(action, observation) {
        history.add(`Action: ${action}`, `Observation: ${observation}`)
        lines = history.isWhole() ? `${lines}\nAction: ${action}\nObservation: ${observation}` : lay()
      },
      cut() {
        const isCut = history.cut()
        if (isCut) lines = lay()
        return isCut
      },
    }
  },
  phrase: (action) => action,
}
