/** What a reply of thoughts and actions holds. */
interface ReactReply {
  /** The thoughts, joined by newlines; empty where there are none. */
  readonly thought: string
  /** The actions, in order. */
  readonly actions: readonly string[]
  /** The first line that says anything, tidied as an action is; the reading of last resort. */
  readonly firstLine: string
  /** The first line stands under no label. */
  readonly bare: boolean
}

/** Longer than any action that an environment accepts; keeps one runaway reply from filling every later prompt. */
const longestAction = 2000
const longestThought = 20_000

const label = /^[\s>*#-]{0,20}(thought|think|observation|action)s?(?: ?\d{1,4})?[*\s]{0,4}:\**/i

/**
 * Takes a reply apart by the labels at the beginnings of its lines, in every spelling that is about: AgentBoard's
 * `Think:`/`Action:`, ReAct's `> think:` and actions behind `>`, AgentInstruct's `THOUGHT:`/`ACTION:`, AgentRefine's
 * `Thought 3:`/`Action 3:`, AgentGym's labels on lines of their own, and a leading `<think>…</think>`. Whatever follows
 * an observation that the model made up is left out. Takes time in proportion to the reply's length.
 */
export function readReactReply(reply: string): ReactReply {
  const { thinking, spoken } = splitThinking(reply)
  const lines = spoken.split(/\r\n|\n|\r/)
  const thoughts = thinking === '' ? [] : [thinking]
  const actions: string[] = []
  let under: 'nothing' | 'thought' | 'action' = 'nothing'
  for (const line of lines) {
    const found = label.exec(line)
    const kind = found?.[1]?.toLowerCase()
    const text = found === null ? line : line.slice(found[0].length)
    if (kind === 'observation') break
    if (kind === 'thought' || kind === 'think') under = 'thought'
    else if (kind === 'action' || /^\s{0,20}>/.test(line)) under = 'action'
    if (under === 'nothing' || text.trim() === '') continue
    if (under === 'thought') {
      thoughts.push(text.trim())
    } else {
      const action = tidyAction(text)
      if (action !== '') actions.push(action)
      under = 'nothing'
    }
  }
  const first = lines.find((line) => line.trim() !== '') ?? thinking
  return {
    thought: thoughts.join('\n').slice(0, longestThought),
    actions,
    firstLine: tidyAction(first),
    bare: thinking === '' && !label.test(first) && !/^\s{0,20}>/.test(first),
  }
}

/** Parts a reasoning model's `<think>` block from what it says; one that never closes reaches to the end. */
function splitThinking(reply: string): { thinking: string; spoken: string } {
  const start = reply.search(/\S/)
  if (start === -1 || !reply.startsWith('<think>', start)) return { thinking: '', spoken: reply }
  const end = reply.indexOf('</think>', start)
  if (end === -1) return { thinking: reply.slice(start + 7).trim(), spoken: '' }
  return { thinking: reply.slice(start + 7, end).trim(), spoken: reply.slice(end + 8) }
}

const endMarks = ['</s>', '<|eot_id|>', '<|im_end|>', '<|endoftext|>']

/** An action without blanks, the quotes around it, and marks that a model ends with. */
export function tidyAction(line: string): string {
  let text = line
    .slice(0, 2 * longestAction)
    .replace(/^\s*>/, '')
    .trim()
  for (const mark of endMarks) if (text.endsWith(mark)) text = text.slice(0, -mark.length).trimEnd()
  while (text.length >= 2 && '\'"`*'.includes(text[0]!) && text.endsWith(text[0]!)) text = text.slice(1, -1).trim()
  return text.slice(0, longestAction)
}
