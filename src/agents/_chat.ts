import type { Conversation, Reading } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import type { Message } from '../core/model.js'
import { plainText } from './_dress.js'
import type { Labels, Surroundings } from './_layout.js'
import { layLine } from './_layout.js'
import { cutInventedTurns } from './_turns.js'

/** A conversation in which each reply is followed by its observation. */
export interface Chat {
  messages(): readonly Message[]
  add(reply: Message, answer: Message): void
  cut(): boolean
}

/** The texts around the first observation share a message with it and so always stay. */
export function createChat(briefing: Briefing, { above, below }: Surroundings, opening: string, labels: Labels): Chat {
  const head: readonly Message[] = [
    { role: 'system', content: briefing.system },
    { role: 'user', content: `${above}${layLine('observation', opening, labels)}${below}` },
  ]
  const history = createHistory<Message>([], 2)
  return {
    messages: () => [...head, ...history.shown()],
    add: (reply, answer) => {
      history.add(reply, answer)
    },
    cut: () => history.cut(),
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
      const own = cutInventedTurns(text)
      reply = own.trim()
      const reading = read(plainText(own), reasoning)
      const isCut = !text.trimEnd().endsWith(own.trimEnd())
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

/** The history of an episode, oldest first, of which only the end is shown. */
interface History<Entry> {
  add(...entries: readonly Entry[]): void
  shown(): readonly Entry[]
  /** Whether nothing has been left out. */
  isWhole(): boolean
  /**
   * Leaves the oldest entries out from now on, as AgentBoard does where a prompt is too long for its model. The newest
   * always stay.
   * @returns whether there was anything left to leave out
   */
  cut(): boolean
}

/**
 * @param together how many entries are left out at once: 2 for a chat, for a reply and its observation
 */
export function createHistory<Entry extends string | Message>(
  first: readonly Entry[] = [],
  together = 1,
): History<Entry> {
  let entries = [...first]
  let length = entries.reduce((sum, entry) => sum + lengthOf(entry), 0)
  let isWhole = true
  const leaveOut = (count: number): void => {
    for (const entry of entries.slice(0, count)) length -= lengthOf(entry)
    entries = entries.slice(count)
    isWhole = false
  }
  return {
    add(...added) {
      entries.push(...added)
      for (const entry of added) length += lengthOf(entry)
      if (entries.length > historySize) leaveOut(entries.length - historySize)
      while (length > maxHistoryLength && entries.length > together) leaveOut(together)
    },
    shown: () => entries.slice(),
    isWhole: () => isWhole,
    cut() {
      if (entries.length <= together) return false
      leaveOut(together)
      return true
    },
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
