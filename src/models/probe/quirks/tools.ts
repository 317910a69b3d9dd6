import { readUnparsed } from '../../classify.js'
import { fromFailure, sentence } from '../quirk.js'
import type { Quirk } from '../quirk.js'

const look = {
  type: 'function',
  function: {
    name: 'look',
    description: 'Looks around.',
    parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
  },
}

/** Whether functions can be offered to the model. */
export const tools: Quirk = {
  name: 'tools',
  async find({ words, speak }) {
    if (words.manner.endpoint !== 'chat') {
      return { value: 'refused', evidence: 'there is no chat', traits: { tools: 'refused' } }
    }
    const messages = [{ role: 'user', content: "Call the function look with at = 'desk 1'." }] as const
    const heard = await speak({ messages, extra: { tools: [look] } })
    if (heard.kind === 'refused' && readUnparsed(heard.said) !== undefined) {
      const evidence = 'taken, but the server could not parse the call that the model made'
      return { value: 'accepted', evidence, traits: { tools: 'accepted' } }
    }
    if (heard.kind !== 'spoken')
      return fromFailure(heard, /tool|function/i, { value: 'refused', traits: { tools: 'refused' } })
    return heard.spoken.toolCalls > 0
      ? { value: 'called', evidence: 'the function was called', traits: { tools: 'accepted' } }
      : { value: 'accepted', evidence: 'taken, but answered in text', traits: { tools: 'accepted' } }
  },
  means: (value) =>
    sentence(
      {
        called: 'The agent tools can be played.',
        accepted: 'The agent tools can be tried; look at its format errors first.',
        unknown: 'It could not be told: look at the format errors of the agent tools first.',
        refused: 'The agent tools cannot be played; act, react and tagged can.',
      },
      value,
    ),
}
