import type { World } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import { aroundDifference, defineLaw, isChanged, toldIn } from './law.js'
import { beginTwins, commandsIn, places } from './twins.js'

/** What a perturbation that promises identity is held to besides. */
export const identity = defineLaw({
  name: 'identity',
  summary: 'Nothing differs at all: no text, no command, no name, and the dose is zero.',
  promises: ['identity'],
  async check(subject) {
    const told = ({ briefing, opening, names }: World): string => canonicalJson([toldIn(briefing), opening, names])
    for await (const { clean, perturbed, before, turns } of places(subject, () => beginTwins(subject))) {
      for (const [expected, got] of [
        [told(clean), told(perturbed)],
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
          broken: 'It shows nothing else, but says that it changed something.',
          evidence: { before, expected: 'a dose of 0', got },
        }
      }
    }
    return { changed: true }
  },
})
