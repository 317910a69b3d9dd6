import type { World } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import { textOf } from '../core/text.js'
import { judgeIdentity } from './identity.js'
import { isChanged } from '../core/dose.js'
import { breaks, breaksAt, defineLaw, isAtDefaults } from './law.js'
import { recordedPlaces } from './twins.js'

/** Whatever the agent reads differently is counted, nothing else is, and there is nothing at intensity 0. */
export const dose = defineLaw({
  name: 'dose',
  summary:
    'The dose is above 0 as soon as the agent reads something else, and not before. At intensity 0 nothing differs, to the byte.',
  promises: ['invariant', 'harder', 'easier'],
  async check(subject) {
    // Once for a perturbation: at intensity 0 its draws are all the same.
    const isZero = subject.applied.every((one) => one.perturbation.graded && isAtDefaults({ ...one, options: {} }))
    if (isZero) {
      const applied = subject.applied.map((one) => ({ ...one, intensity: 0 }))
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
      counted = isChanged(dose)
      if (!read && (dose?.failed ?? 0) > 0) read = true
      if (read && !counted) {
        return breaksAt('The agent reads something else, but the dose is 0.', before, expected, got)
      }
      // Objects that were added may be out of sight.
      if (!read && isChanged(dose && { ...dose, objects: 0 })) {
        const detail = 'There is a dose, but the agent reads nothing else.'
        return breaks(detail, before, 'a dose of 0', canonicalJson(dose))
      }
      changed ||= counted
    }
    return { changed }
  },
})

/** All text that an agent reads before its first action. */
export function readAtFirst({ briefing, opening }: World): string {
  const { system, instruction, examples, goal, help } = briefing
  const shown = examples.flatMap((example) => [
    textOf(example.opening),
    ...example.exchanges.flatMap(({ action, observation }) => [action, textOf(observation)]),
  ])
  return [system, textOf(instruction), ...shown, goal, ...help, textOf(opening)].join('\n')
}
