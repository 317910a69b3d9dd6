import type { Conversation, Reading } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import type { Message } from '../core/model.js'
import { plainText } from './_dress.js'
import { type Labels, type layBriefing, layLine } from './_layout.js'
import { cutInventedTurns } from './_turns.js'

/** A conversation in which each reply is followed by its observation. */
export type Chat = ReturnType<typeof createChat>

/** The texts around the first observation share a message with it and so always stay. */
export function createChat(
  briefing: Briefing,
  { above, below }: ReturnType<typeof layBriefing>,
  opening: string,
  labels: Labels,
) {
  const head: readonly Message[] = [
    { role: 'system', content: briefing.system },
    { role: 'user', content: `${above}${layLine('observation', opening, labels)}${below}` },
  ]
  const history = createHistory<Message>([], 2)
  return {
    messages: (): readonly Message[] => [...head, ...history.shown()],
    add: (reply: Message, answer: Message): void => history.add(reply, answer),
    cut: history.cut,
  }
}

/**
 * A chat of text in which the model's own replies stay as they came, up to the first turn that it invented.
 * @param phrase the reply shown in the history in place of an empty one
 */
export function beginTextChat(
  chat: Chat,
  read: (reply: string, reasoning: string | undefined) => Reading,
  phrase: (action: string) => string,
  labels: Labels,
): Conversation {
  let reply = ''
  return {
    messages: () => chat.messages(),
    read(text, _, reasoning) {
      const kept = cutInventedTurns(text)
      reply = kept.trim()
      const reading = read(plainText(kept), reasoning)
      const isCut = !text.trimEnd().endsWith(kept.trimEnd())
      return isCut && reading.formatError === undefined ? { ...reading, actionEnded: true } : reading
    },
    observe(action, observation) {
      chat.add(
        { role: 'assistant', content: reply === '' ? phrase(action) : reply },
        { role: 'user', content: layLine('observation', observation, labels) },
      )
      reply = ''
    },
    cut: () => chat.cut(),
  }
}

/** Maximum number of actions and observations that are shown; AgentBoard's `memory_size`. */
export const historySize = 100

/**
 * Maximum number of UTF-16 code units that are shown, some 300,000 tokens. A server that enforces its limit of tokens
 * never comes near it; one that does not would otherwise fill the memory with requests.
 */
const maxHistoryLength = 1 << 20

/**
 * The history of an episode, oldest first, of which only the end is shown.
 * @param together how many entries are left out at once: 2 for a chat, for a reply and its observation
 */
function createHistory<Entry extends string | Message>(first: readonly Entry[] = [], together = 1) {
  let entries = [...first]
  let length = entries.reduce((sum, entry) => sum + lengthOf(entry), 0)
  const leaveOut = (count: number): void => {
    for (const entry of entries.slice(0, count)) length -= lengthOf(entry)
    entries = entries.slice(count)
  }
  return {
    add(...added: readonly Entry[]): void {
      entries.push(...added)
      for (const entry of added) length += lengthOf(entry)
      if (entries.length > historySize) leaveOut(entries.length - historySize)
      while (length > maxHistoryLength && entries.length > together) leaveOut(together)
    },
    shown: (): readonly Entry[] => entries.slice(),
    /**
     * Leaves the oldest entries out from now on, as AgentBoard does where a prompt is too long for its model. The
     * newest always stay.
     * @returns whether there was anything left to leave out
     */
    cut(): boolean {
      if (entries.length <= together) return false
      leaveOut(together)
      return true
    },
  }
}

/**
 * One growing prompt: everything is in one user message, with a line for each entry of the history.
 * @param below what stands below the history now
 */
export function createPrompt(system: string, above: string, first: string, below: () => string) {
  const history = createHistory<string>([first])
  return {
    add: history.add,
    cut: history.cut,
    messages: (): readonly Message[] => [
      { role: 'system', content: system },
      { role: 'user', content: `${above}${history.shown().join('\n')}${below()}` },
    ],
  }
}

function lengthOf(entry: string | Message): number {
  if (typeof entry === 'string') return entry.length
  const { content, reasoning = '', toolCalls = [] } = entry
  return toolCalls.reduce(
    (sum, call) => sum + call.name.length + call.arguments.length,
    content.length + reasoning.length,
  )
}
