import type { Agent, Conversation } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import { createChat, historySize } from './_chat.js'
import { plainText } from './_dress.js'
import { agentBoardLabels, labelsOf, layBriefing, layLine, readLabels } from './_layout.js'
import { cutInventedTurns } from './_turns.js'
import { toolsOf } from './form-tools.js'
import { type ToolReading, readToolReply, withoutCalls } from './tool-call.js'

const format = `Act by calling one of the functions that you are given, one call in each reply. Each function stands for one of the actions; its \
arguments are what the action is about. The examples show actions in words.`

/**
 * Actions as function calls, one function for every action form of the briefing. A call reaches the environment in the
 * words of its form, so that nothing below the agent differs from other agents.
 */
export const tools: Agent = {
  name: 'tools',
  summary: 'every action form as a function that the model calls (chat completions with tools)',
  source: "OpenAI's function calling",
  settings: { layout: 'function-calls', history: historySize },
  stop: [],
  offersFunctions: true,
  takesLayouts: true,
  begin: (briefing, opening) => beginCalls(briefing, opening),
  phrase: (action) => action,
}

function beginCalls(briefing: Briefing, opening: string): Conversation {
  const labels = labelsOf(briefing.layout, agentBoardLabels)
  const chat = createChat(briefing, layBriefing(briefing, labels, { format }), opening, labels)
  const offered = toolsOf(briefing.forms)
  const definitions = offered.map(({ definition }) => definition)
  const byName = new Map(offered.map((tool) => [tool.definition.name, tool]))
  let reply = ''
  let call: ToolReading['call']
  let thought: string | undefined
  let number = 0
  return {
    messages: () => chat.messages(),
    tools: () => definitions,
    read(text, toolCalls = [], reasoning?: string) {
      const kept = cutInventedTurns(toolCalls.length === 0 ? text : withoutCalls(text))
      const plain = readLabels(plainText(kept), briefing.layout)
      const { call: taken, ...reading } = readToolReply(plain, toolCalls, byName)
      reply = kept.trim()
      call = taken
      thought = reasoning
      return reading
    },
    observe(action, observation) {
      if (call === undefined) {
        const content = reply === '' ? action : reply
        chat.add({ role: 'assistant', content }, { role: 'user', content: layLine('observation', observation, labels) })
      } else {
        const id = callId(++number)
        chat.add(
          { role: 'assistant', content: reply, toolCalls: [{ id, ...call }], ...(thought && { reasoning: thought }) },
          { role: 'tool', content: observation, toolCallId: id },
        )
      }
      reply = ''
      call = undefined
    },
    cut: () => chat.cut(),
  }
}

/** Nine letters and digits, which the strictest servers require. */
function callId(number: number): string {
  return `call${String(number).padStart(5, '0')}`
}
