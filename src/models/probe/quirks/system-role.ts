import { fromFailure, noChat, sentence } from '../quirk.js'
import type { Quirk } from '../quirk.js'
import { opening } from '../speak.js'

/** Whether a system message is taken. The templates of some models refuse it. */
export const systemRole: Quirk = {
  name: 'system role',
  async find({ words, speak }) {
    if (words.manner.endpoint !== 'chat') return noChat
    const heard = await speak({ messages: [{ role: 'system', content: 'You are brief.' }, ...opening] })
    if (heard.kind !== 'spoken')
      return fromFailure(heard, /\bsystem\b|\broles?\b/i, { value: 'refused', traits: { systemRole: 'fold' } })
    return {
      value: 'accepted',
      evidence: 'a chat that begins with one is answered',
      traits: { systemRole: 'accepted' },
    }
  },
  means: (value) =>
    sentence(
      {
        accepted: "An agent's instructions are sent as the system message.",
        unknown: 'It could not be told: the system message is sent as it is.',
        refused: "An agent's system message is folded into the first user message.",
      },
      value,
    ),
}
