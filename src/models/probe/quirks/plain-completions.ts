import { fromFailure, sentence } from '../quirk.js'
import type { Quirk } from '../quirk.js'
import { opening, speak } from '../speak.js'

/** Whether plain text can be continued too. */
export const plainCompletions: Quirk = {
  name: 'plain completions',
  async find({ model, session, words: { manner } }) {
    if (manner.endpoint === 'completions') return { value: 'yes', evidence: '/completions answers' }
    const asText = { ...manner, endpoint: 'completions', maxTokensField: 'max_tokens' } as const
    const heard = await speak(session, model, asText, { messages: opening })
    if (heard.kind === 'spoken') return { value: 'yes', evidence: '/completions answers' }
    return fromFailure(heard, /completion|endpoint|path/i, { value: 'no' }, true)
  },
  means: (value) =>
    sentence({ yes: 'Base models can be played as plain text.', no: 'Only chats can be played.' }, value),
}
