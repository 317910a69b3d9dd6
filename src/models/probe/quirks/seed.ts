import { fromFailure, sentence } from '../quirk.js'
import type { Quirk } from '../quirk.js'

/** Whether a seed is taken, and whether it decides what is sampled. */
export const seed: Quirk = {
  name: 'seed',
  async find({ speak }) {
    const said: string[] = []
    for (const number of [1, 1, 2]) {
      const heard = await speak({ extra: { seed: number, temperature: 1 } })
      if (heard.kind !== 'spoken') {
        return fromFailure(heard, /\bseed\b/i, { value: 'refused', traits: { seed: 'refused' } })
      }
      said.push(heard.spoken.all)
      if (said.length === 2 && said[0] !== said[1]) {
        return { value: 'ignored', evidence: 'one seed twice at temperature 1, different replies' }
      }
    }
    return said[0] === said[2]
      ? { value: 'accepted', evidence: 'the same reply at temperature 1 whatever the seed' }
      : { value: 'honoured', evidence: 'at temperature 1 one seed repeats its reply, another gives another' }
  },
  means: (value) =>
    sentence(
      {
        honoured: 'Seeds decide what is sampled, as long as calls come one after the other. Each call is sent its own.',
        ignored: 'Seeds are only labels here: each episode is a sample of its own, which is all that a report needs.',
        accepted: 'Seeds are sent; whether they decide anything could not be seen.',
        unknown: 'It could not be told: seeds are sent.',
        refused: 'No seed is sent; seeds still decide what the environments draw.',
      },
      value,
    ),
}
