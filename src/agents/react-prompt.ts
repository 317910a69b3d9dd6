import type { Agent, Conversation, Reading } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import { plainText } from './_dress.js'
import { createPrompt, historySize } from './_chat.js'
import { type Labels, layBriefing } from './_layout.js'
import { readReactReply } from './react-parser.js'

const labels: Labels = { action: '> ', observation: '' }
const format = `After each '>' write one line: an action, or a thought, which begins with 'think: ' and is answered with 'OK.'.`
const task = 'Here is the task.\n'

/** After this many thoughts in a row the next counts as an action. */
const maxThoughts = 3

/**
 * The prompt of the ReAct paper: the model continues after `>`, and a line that begins with `think:` is answered with
 * `OK.`. In the original a thought costs a step and reaches the environment; here it costs none, so that step limits
 * mean the same for every agent.
 */
export const reactPrompt: Agent = {
  name: 'react:react',
  summary: 'one growing prompt whose lines after `>` are actions, or thoughts answered with `OK.`',
  source: 'ReAct (alfworld.ipynb)',
  settings: { layout: 'react-prompt', history: historySize, maxThoughts },
  stop: ['\n'],
  begin: (briefing, opening) => beginPrompt(briefing, opening),
  phrase: (action) => action,
  think: (thought) => `think: ${thought}`,
}

function beginPrompt(briefing: Briefing, opening: string): Conversation {
  const { above } = layBriefing(briefing, labels, { format, beforeGoal: task })
  const { messages, add, cut } = createPrompt(briefing.system, above, opening, () => '\n>')
  let thoughts = 0
  const read = (reply: string): Reading => {
    const { thought, actions, firstLine, bare } = readReactReply(plainText(reply))
    const action = bare ? firstLine : actions[0]
    if (action !== undefined && action !== '') return { action, ...(thought !== '' && { thought }) }
    if (thought === '') return { action: '', formatError: 'the reply is empty' }
    if (thoughts >= maxThoughts) {
      return { action: firstLine, thought, formatError: `${String(thoughts + 1)} thoughts in a row` }
    }
    thoughts++
    add(`> think: ${thought.replaceAll('\n', ' ')}`, 'OK.')
    return { action: undefined, thought }
  }
  return {
    messages,
    read,
    cut,
    observe(action, observation) {
      add(`> ${action}`, observation)
      thoughts = 0
    },
  }
}
