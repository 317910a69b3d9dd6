import { fromFailure, noChat, sentence } from '../quirk.js'
import type { Quirk } from '../quirk.js'
import { opening } from '../speak.js'

/** Whether two messages of one role may follow each other. The templates of some models refuse it. */
export const consecutiveRoles: Quirk = {
  name: 'same role twice',
  async find({ words, speak }) {
    if (words.manner.endpoint !== 'chat') return noChat
    const heard = await speak({ messages: [{ role: 'user', content: 'Be brief.' }, ...opening] })
    if (heard.kind !== 'spoken')
      return fromFailure(heard, /\broles?\b|alternat|consecutive/i, {
        value: 'refused',
        traits: { consecutiveRoles: 'merge' },
      })
    return {
      value: 'accepted',
      evidence: 'two user messages in a row are answered',
      traits: { consecutiveRoles: 'accepted' },
    }
  },
  means: (value) =>
    sentence(
      {
        accepted: 'Messages are sent as they are.',
        unknown: 'It could not be told: messages are sent as they are.',
        refused: 'Messages of one role in a row are merged into one.',
      },
      value,
    ),
}
