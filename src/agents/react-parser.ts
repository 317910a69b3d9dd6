import { separateReasoning } from '../models/reasoning.js'
import { withoutEndMarks } from './_turns.js'
import { maxActionLength } from './agentboard-parser.js'

export const maxThoughtLength = 20_000

const label = /^[\s>*#-]{0,20}(thought|think|observation|action)s?(?: ?\d{1,4})?[*\s]{0,4}:\**/i

/**
 * Parses a reply by the labels at the beginnings of its lines, in every common spelling: AgentBoard's
 * `Think:`/`Action:`, ReAct's `> think:` and actions behind `>`, AgentInstruct's `THOUGHT:`/`ACTION:`, AgentRefine's
 * `Thought 3:`/`Action 3:`, AgentGym's labels on lines of their own, and reasoning between marks. Whatever follows an
 * observation that the model invented is left out. Takes time linear in the reply's length.
 */
export function readReactReply(reply: string) {
  const { reasoning = '', text: answer } = separateReasoning(reply)
  const thinking = reasoning.trim()
  const lines = answer.split(/\r\n|\n|\r/)
  const thoughts = thinking === '' ? [] : [thinking]
  const actions: string[] = []
  let section: 'nothing' | 'thought' | 'action' = 'nothing'
  for (const line of lines) {
    const match = label.exec(line)
    const kind = match?.[1]?.toLowerCase()
    const text = match === null ? line : line.slice(match[0].length)
    if (kind === 'observation') break
    if (kind === 'thought' || kind === 'think') section = 'thought'
    else if (kind === 'action' || /^\s{0,20}>/.test(line)) section = 'action'
    if (section === 'nothing' || text.trim() === '') continue
    if (section === 'thought') {
      thoughts.push(text.trim())
    } else {
      const action = tidyAction(text)
      if (action !== '') actions.push(action)
      section = 'nothing'
    }
  }
  const first = lines.find((line) => line.trim() !== '') ?? thinking
  return {
    thought: thoughts.join('\n').slice(0, maxThoughtLength),
    /** In order. */
    actions,
    /** The first line that is not blank, tidied as an action; for replies without a label. */
    firstLine: tidyAction(first),
    /** The first line has no label. */
    bare: thinking === '' && !label.test(first) && !/^\s{0,20}>/.test(first),
  }
}

/** An action without blanks, surrounding quotes and end-of-text tokens. */
export function tidyAction(line: string): string {
  const shown = line
    .slice(0, 2 * maxActionLength)
    .replace(/^\s*>/, '')
    .trim()
  let text = withoutEndMarks(shown)
  while (text.length >= 2 && '\'"`*'.includes(text[0]!) && text.endsWith(text[0]!)) text = text.slice(1, -1).trim()
  return text.slice(0, maxActionLength)
}
