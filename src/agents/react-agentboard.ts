import type { Agent, Conversation, Reading } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import type { AgentOption } from './_agent-options.js'
import { readAgentOptions } from './_agent-options.js'
import { createHistory, historySize } from './_history.js'
import { agentBoardLabels, layBriefing } from './_layout.js'
import { readAgentBoardAction } from './agentboard-parser.js'
import { readReactReply } from './react-parser.js'

const formatLine = `Answer with one line: either a thought, which begins with 'Think: ', or an action, which begins with 'Action: '.`
const stopThinking = '\nPlease stop thinking and start taking action on the task.'
const takeAction = '\nPlease take action on the task.'

const options = {
  format: { example: 'format=on', expected: "'on' or 'off'", accepts: /^(?:on|off)$/ },
} satisfies Record<string, AgentOption>

/** Thoughts in a row after which AgentBoard's ReactAgent asks for an action. */
const maxThoughts = 3
/** After this many replies without an action the next counts as one; the original has no such limit. */
const maxReplies = 6

/**
 * AgentBoard's ReactAgent: thoughts are replies of their own that cost no step; after three in a row the prompt asks
 * for an action, as it does after a reply that is neither. Unlike the original it does not repeat this for ever. Like
 * the original it leaves the format of replies to the worked examples; `format=on` adds a line that states it.
 * @throws ShaketableError `usage` for options that cannot be used
 */
export function createReactAgentBoard(text: string | undefined): Agent {
  const { format = 'off' } = readAgentOptions('react:agentboard', text, options)
  return {
    name: format === 'on' ? 'react:agentboard:format=on' : 'react:agentboard',
    summary: 'thoughts (`Think:`) and actions (`Action:`) as replies of their own, in one user message',
    source: 'AgentBoard, ReactAgent',
    settings: { layout: 'agentboard-react', history: historySize, maxThoughts, maxReplies, format },
    stop: ['\n'],
    begin: (briefing, opening) => beginThinking(briefing, opening, format === 'on' ? formatLine : ''),
    phrase: (action) => `Action: ${action}`,
    think: (thought) => `Think: ${thought}`,
  }
}

/** {@link createReactAgentBoard} without options. */
export const reactAgentBoard = createReactAgentBoard(undefined)

function beginThinking(briefing: Briefing, opening: string, format: string): Conversation {
  const { above } = layBriefing(briefing, agentBoardLabels, { format })
  const history = createHistory<string>([`Observation: ${opening}`])
  let thoughts = 0
  let idle = 0
  let isNeither = false

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
    if (!isNeither) history.add(`Think: ${thought.replaceAll('\n', ' ')}`)
    return { action: undefined, ...(thought !== '' && { thought }) }
  }
  return {
    messages() {
      const reminder = thoughts >= maxThoughts ? stopThinking : isNeither ? takeAction : ''
      return [
        { role: 'system', content: briefing.system },
        { role: 'user', content: `${above}${history.shown().join('\n')}${reminder}` },
      ]
    },
    read,
    observe(action, observation) {
      history.add(`Action: ${action}`, `Observation: ${observation}`)
      thoughts = 0
      idle = 0
      isNeither = false
    },
    cut: () => history.cut(),
  }
}
