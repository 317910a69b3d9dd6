import { fromFailure } from '../quirk.js'
import type { Quirk } from '../quirk.js'

/** Whether one call can bring several replies. */
export const severalReplies: Quirk = {
  name: 'n',
  async find({ speak }) {
    const heard = await speak({ extra: { n: 2, temperature: 1 } })
    if (heard.kind !== 'spoken') return fromFailure(heard, /\bn\b|\bbest_of\b/, { value: 'refused' })
    const { choices } = heard.spoken
    return { value: choices === 2 ? 'honoured' : 'ignored', evidence: `asked for 2 replies, got ${String(choices)}` }
  },
  means: () => 'Runs ask for one reply at a time.',
}
