import type { World } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import type { Subject, Verdict } from './law.js'
import { beginningOf, breaks, breaksAt, defineLaw, isChanged } from './law.js'
import { beginTwins, commandsIn, places } from './twins.js'

/** The additional law of perturbations that promise identity. */
export const identity = defineLaw({
  name: 'identity',
  summary: 'Nothing differs: no text, no command, no name, and the dose is 0.',
  promises: ['identity'],
  check: (subject) => judgeIdentity(subject, 'It promises to change nothing'),
})

/** @param why the first half of the sentence that says what is wrong */
export async function judgeIdentity(subject: Subject, why: string): Promise<Verdict> {
  for await (const { clean, perturbed, before, turns } of places(subject, () => beginTwins(subject))) {
    for (const [expected, got] of [
      [beginningOf(clean), beginningOf(perturbed)],
      [(await commandsIn(clean)).join('\n'), (await commandsIn(perturbed)).join('\n')],
      [await listOf(clean), await listOf(perturbed)],
      [canonicalJson(turns?.clean ?? null), canonicalJson(turns?.perturbed ?? null)],
    ] as const) {
      if (expected !== got) return breaksAt(`${why}, but something differs.`, before, expected, got)
    }
    if (isChanged(perturbed)) {
      return breaks(`${why}, but its dose is not 0.`, before, 'a dose of 0', canonicalJson(perturbed.dose?.()))
    }
  }
  return { changed: true }
}

async function listOf(world: World): Promise<string> {
  return (await world.admissible?.())?.join('\n') ?? ''
}
