import { fromFailure } from '../quirk.js'
import type { Quirk } from '../quirk.js'

/** Whether probabilities of tokens are given. */
export const logprobs: Quirk = {
  name: 'logprobs',
  async find({ words, speak }) {
    const heard = await speak({ extra: { logprobs: words.manner.endpoint === 'chat' ? true : 1 } })
    if (heard.kind !== 'spoken') return fromFailure(heard, /logprobs/i, { value: 'refused' })
    return heard.spoken.logprobs
      ? { value: 'given', evidence: 'they come with the reply' }
      : { value: 'ignored', evidence: 'asked for, but not in the reply' }
  },
  means: (value) => (value === 'given' ? 'Runs ask for them with --logprobs.' : 'Runs do not need them.'),
}
