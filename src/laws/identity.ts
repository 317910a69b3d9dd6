import { canonicalJson } from '../core/episode.js'
import { aroundDifference, beginningOf, defineLaw, isChanged } from './law.js'
import { beginTwins, commandsIn, places } from './twins.js'

/** The additional law of perturbations that promise identity. */
export const identity = defineLaw({
  name: 'identity',
  summary: 'Nothing differs: no text, no command, no name, and the dose is 0.',
  promises: ['identity'],
  async check(subject) {
    for await (const { clean, perturbed, before, turns } of places(subject, () => beginTwins(subject))) {
      for (const [expected, got] of [
        [beginningOf(clean), beginningOf(perturbed)],
        [(await commandsIn(clean)).join('\n'), (await commandsIn(perturbed)).join('\n')],
        [canonicalJson(turns?.clean ?? null), canonicalJson(turns?.perturbed ?? null)],
      ] as const) {
        if (expected !== got) {
          const evidence = { before, ...aroundDifference(expected, got) }
          return { broken: 'It promises to change nothing, but something differs.', evidence }
        }
      }
      if (isChanged(perturbed)) {
        const got = canonicalJson(perturbed.dose?.())
        return {
          broken: 'It changes nothing that is shown, but its dose is not 0.',
          evidence: { before, expected: 'a dose of 0', got },
        }
      }
    }
    return { changed: true }
  },
})
