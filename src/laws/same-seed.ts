import type { Turn, World } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import type { Subject, Verdict } from './law.js'
import { beginningOf, breaksAt, defineLaw, isChanged } from './law.js'
import { beginThrough, commandsIn, scriptOf, tidy } from './twins.js'

/**
 * The fifth law. Two episodes are played step by step in parallel and a third after them, so that state kept between
 * episodes is found.
 */
export const sameSeed = defineLaw({
  name: 'same seed',
  summary: 'The same seed gives the same text, over a whole episode and whatever was played before.',
  async check(subject) {
    const [first, second] = [await beginThrough(subject, subject.applied), await beginThrough(subject, subject.applied)]
    const verdict = await playAlike(subject, first, second)
    if (verdict !== undefined) return verdict
    await beginThrough({ ...subject, seed: `${subject.seed}, another` }, subject.applied)
    const [again, third] = [await beginThrough(subject, subject.applied), await beginThrough(subject, subject.applied)]
    return (
      differenceAtOpening(first, third) ?? (await playAlike(subject, again, third)) ?? { changed: isChanged(first) }
    )
  },
})

async function playAlike(subject: Subject, one: World, other: World): Promise<Verdict | undefined> {
  const difference = differenceAtOpening(one, other)
  if (difference !== undefined) return difference
  const before: string[] = []
  for (const action of await scriptOf(one)) {
    const [expected, got] = [await one.step(tidy(subject, action)), await other.step(tidy(subject, action))]
    const [a, b] = [await everythingShown(one, expected), await everythingShown(other, got)]
    if (a !== b) return differs(a, b, before, action)
    before.push(action)
    if (expected.ended !== false) break
  }
  return undefined
}

/** A turn, the commands possible after it, and the list that is shown. */
async function everythingShown(world: World, turn: Turn): Promise<string> {
  return canonicalJson([turn, await commandsIn(world), (await world.admissible?.()) ?? null])
}

function differenceAtOpening(one: World, other: World): Verdict | undefined {
  const [a, b] = [beginningOf(one), beginningOf(other)]
  return a === b ? undefined : differs(a, b, [])
}

function differs(expected: string, got: string, before: readonly string[], action?: string): Verdict {
  return breaksAt('Two episodes with the same seed give different text.', before, expected, got, action)
}
