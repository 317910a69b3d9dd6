import { isChanged as isDosed } from '../core/dose.js'
import type { World } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import { textOf } from '../core/text.js'
import type { Subject, Verdict } from './law.js'
import { beginningOf, breaks, breaksAt, defineLaw, isAtDefaults, isChanged, readAtFirst } from './law.js'
import { beginTwins, commandsIn, places, recordedPlaces } from './twins.js'

/** Whatever the agent reads differently is counted, nothing else is, and there is nothing at intensity 0. */
export const dose = defineLaw({
  name: 'dose',
  summary:
    'The dose is above 0 as soon as the agent reads something else, and not before. At intensity 0 nothing differs, to the byte.',
  promises: ['invariant', 'harder', 'easier'],
  async check(subject) {
    // Once for a perturbation: at intensity 0 its draws are all the same.
    const isZero = subject.applied.every(
      (perturbation) => perturbation.perturbation.graded && isAtDefaults({ ...perturbation, options: {} }),
    )
    if (isZero) {
      const applied = subject.applied.map((perturbation) => ({ ...perturbation, intensity: 0 }))
      const verdict = await judgeIdentity({ ...subject, applied }, 'Its intensity is 0')
      if ('broken' in verdict) return verdict
    }
    let changed = false
    let [read, counted] = [false, false]
    for (const { clean, perturbed, before, turns, dose } of await recordedPlaces(subject)) {
      if (turns === undefined) [read, counted] = [false, false]
      const [expected, got] =
        turns === undefined
          ? [readAtFirst(clean), readAtFirst(perturbed)]
          : [textOf(turns.clean.observation), textOf(turns.perturbed.observation)]
      const isSaid = before.length > 0 && (dose?.commandsSaid ?? 0) > 0
      const formsOf = ({ briefing }: World): string => JSON.stringify(briefing.forms.map(({ template }) => template))
      const isLaidOut = canonicalJson(clean.briefing.layout ?? {}) !== canonicalJson(perturbed.briefing.layout ?? {})
      read ||= expected !== got || isSaid || isLaidOut || formsOf(clean) !== formsOf(perturbed)
      // Failed actions were repeated on the way here, and only the last answer is at hand.
      counted = isDosed(dose)
      if (!read && (dose?.failed ?? 0) > 0) read = true
      if (read && !counted) {
        return breaksAt('The agent reads something else, but the dose is 0.', before, expected, got)
      }
      // Objects that were added may be out of sight.
      if (!read && isDosed(dose && { ...dose, objects: 0 })) {
        const detail = 'There is a dose, but the agent reads nothing else.'
        return breaks(detail, before, 'a dose of 0', canonicalJson(dose))
      }
      changed ||= counted
    }
    return { changed }
  },
})

/** The additional law of perturbations that promise identity. */
export const identity = defineLaw({
  name: 'identity',
  summary: 'Nothing differs: no text, no command, no name, and the dose is 0.',
  promises: ['identity'],
  check: (subject) => judgeIdentity(subject, 'It promises to change nothing'),
})

/** @param why the first half of the sentence that says what is wrong */
async function judgeIdentity(subject: Subject, why: string): Promise<Verdict> {
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
