import { readReactReply } from '../../agents/react-parser.js'
import { readTaggedReply } from '../../agents/tagged-parser.js'
import { cutText } from '../../models/cut-text.js'
import type { Trajectory } from '../../core/episode.js'

/** A reply of an assistant in any of the usual layouts. */
interface ReadReply {
  /** Empty where there is none. */
  readonly thought: string
  /** Absent for a thought alone. */
  readonly action?: string
}

const actionLabel = /^[\s>*#-]{0,20}action(?: ?\d{1,4})?[*\s]{0,4}:/im

/** The label of a thought without any text. */
const emptyThought = /^[\s>*#-]{0,20}(?:thought|think)s?(?: ?\d{1,4})?[*\s]{0,4}:\**\s*$/i

/**
 * Reads the thought and the action of a reply: tags (`<think>`, `<action>`), labels (`Thought: … Action: …`, as the
 * turns of AgentRefine's Player are written too), or a text above `Action:`. A reply without tags and labels is an
 * action.
 */
export function readReply(reply: string): ReadReply {
  if (/<action>|<think>/i.test(reply)) {
    const { thought, action } = readTaggedReply(reply)
    return { thought, ...(action !== '' && action !== thought && { action }) }
  }
  const { thought, actions, firstLine } = readReactReply(reply)
  const [action] = actions
  if (action === undefined) return thought === '' ? { thought, action: firstLine } : { thought }
  if (thought !== '') return { thought, action }
  const above = reply.slice(0, actionLabel.exec(reply)?.index ?? 0)
  return { thought: above.replace(emptyThought, '').trim(), action }
}

const maxThoughts = 500
/** In characters. */
const maxThought = 4000

/**
 * The thoughts of an episode: those in its replies, and its separate reasoning.
 * @param max characters of each
 */
export function thoughtsOf({ steps }: Trajectory, max = maxThought): string[] {
  return boundedThoughts(
    steps.flatMap(({ thoughts: alone = [], reasoning = [], reply = '', toolCalls }) => [
      ...alone.map((one) => readReply(one).thought),
      ...reasoning,
      toolCalls === undefined ? readReply(reply).thought : reply,
    ]),
    max,
  )
}

/** Those thoughts that have a word, bounded in number and length. */
export function boundedThoughts(thoughts: readonly string[], max = maxThought): string[] {
  return thoughts
    .map((thought) => cutText(thought.trim(), max))
    .filter((thought) => /[\p{L}\p{N}]/u.test(thought))
    .slice(0, maxThoughts)
}
