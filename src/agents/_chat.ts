import type { Conversation, Reading } from '../core/agent.js'
import type { Briefing } from '../core/environment.js'
import type { Message } from '../core/model.js'
import { plainText } from './_dress.js'
import { createHistory } from './_history.js'
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
