import type { Conversation, Reading } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import type { Message } from '../core/model.js'
import { createHistory } from './_history.js'

/** A conversation in which each reply is followed by its observation. */
export interface Chat {
  messages(): readonly Message[]
  add(reply: Message, answer: Message): void
  cut(): boolean
}

/** @param above everything above the first observation; it shares a message with that one and so always stays */
export function createChat(briefing: Briefing, above: string, opening: string): Chat {
  const head: readonly Message[] = [
    { role: 'system', content: briefing.system },
    { role: 'user', content: `${above}Observation: ${opening}` },
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
 * A chat of text in which the model's own replies stay as they came.
 * @param phrase the reply shown in the history in place of an empty one
 */
export function beginTextChat(
  chat: Chat,
  read: (reply: string, reasoning: string | undefined) => Reading,
  phrase: (action: string) => string,
): Conversation {
  let reply = ''
  return {
    messages: () => chat.messages(),
    read(text, _, reasoning) {
      reply = text.trim()
      return read(text, reasoning)
    },
    observe(action, observation) {
      chat.add(
        { role: 'assistant', content: reply === '' ? phrase(action) : reply },
        { role: 'user', content: `Observation: ${observation}` },
      )
      reply = ''
    },
    cut: () => chat.cut(),
  }
}
