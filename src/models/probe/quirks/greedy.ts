import { fromFailure, sentence } from '../quirk.js'
import type { Quirk } from '../quirk.js'

/** Whether temperature 0 gives the same reply twice. */
export const greedy: Quirk = {
  name: 'temperature 0',
  async find({ words: { manner, first, refused }, speak }) {
    const no = refused.find(({ field }) => field === 'temperature')
    if (!manner.greedy) return { value: 'refused', evidence: no?.said ?? 'temperature 0 was refused' }
    const heard = await speak()
    if (heard.kind !== 'spoken') return fromFailure(heard, /temperature/i, { value: 'unknown' })
    const same = heard.spoken.all === first.all
    return same
      ? { value: 'same', evidence: 'two equal calls, equal replies' }
      : { value: 'different', evidence: 'two equal calls, different replies' }
  },
  means: (value) =>
    String(value).startsWith('same alone, different')
      ? 'A run differs from its repetition: play several seeds at temperature 0 too, or --concurrency 1.'
      : sentence(
          {
            same: 'Greedy replies repeat, as far as it was tried.',
            different: 'Replies differ even at temperature 0: play several seeds there too.',
            refused:
              'The temperatures of the experiment may be refused: give --temperatures one that this model takes.',
          },
          value,
        ),
}
