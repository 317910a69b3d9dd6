import type { Agent } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import { createHistory, historySize } from './_chat.js'
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
    const { layout } = briefing
    const labels = labelsOf(layout, agentBoardLabels)
    const { above, below } = layBriefing(briefing, labels)
    const history = createHistory<string>([layLine('observation', opening, labels)])
    const lay = (): string => history.shown().join('\n')
    let lines = lay()
    return {
      messages: () => [
        { role: 'system', content: briefing.system },
        { role: 'user', content: `${above}${lines}${below}\n${labels.action}` },
      ],
      read(reply) {
        const action = readAgentBoardAction(readLabels(reply, layout, true))
        return action === '' ? { action, formatError: 'the reply is empty' } : { action }
      },
      observe(action, observation) {
        const added = [layLine('action', action, labels), layLine('observation', observation, labels)]
        history.add(...added)
        lines = history.isWhole() ? [lines, ...added].join('\n') : lay()
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
