import { canonicalJson } from '../core/episode.js'
import { promiseOf } from '../core/perturbation.js'
import { defaultStepLimit } from '../core/episode.js'
import { textOf } from '../core/text.js'
import { defineLaw, isChanged } from './law.js'
import { beginThrough, scriptOf, tidy } from './twins.js'

const limits = Array.from({ length: 100 }, (_, index) => index + 1)

/** For lenses that change the step limit. */
export const stepLimit = defineLaw({
  name: 'step-limit',
  summary:
    'The step limit grows with that of the run and moves only as promised; no turn depends on it, and no prompt states another. So success within a smaller limit is success within a larger one.',
  hook: 'steps',
  async check(subject) {
    const { applied } = subject
    const [one, other] = [await beginThrough(subject, applied), await beginThrough(subject, applied)]
    const clean = await beginThrough(subject, [])
    const promises = new Set(applied.map(promiseOf))
    const changed = limits.map((limit) => one.stepLimit!(limit))
    const wrong = limits.find((given, index) => {
      const [limit, got] = [clean.stepLimit?.(given) ?? given, changed[index]!]
      const isAgainst = (got > limit && !promises.has('easier')) || (got < limit && !promises.has('harder'))
      return isAgainst || got < (changed[index - 1] ?? 1)
    })
    if (wrong !== undefined) {
      const evidence = { before: [], expected: String(wrong), got: String(changed[wrong - 1]) }
      return { broken: `The limit of ${String(wrong)} steps changes against the promise, or falls.`, evidence }
    }
    const [small, large] = [one.stepLimit!(defaultStepLimit), other.stepLimit!(2 * defaultStepLimit)]
    const { system, instruction, goal } = one.briefing
    const stated = /\b(\d+) (?:more )?(?:steps|actions|moves|turns)\b/.exec(
      [system, textOf(instruction), goal].join('\n'),
    )
    if (stated !== null && stated[1] !== String(small)) {
      const evidence = { before: [], expected: String(small), got: stated[0] }
      return { broken: 'The prompt states another limit.', evidence }
    }
    const before: string[] = []
    for (const action of (await scriptOf(one)).slice(0, Math.min(small, large))) {
      const said = tidy(subject, action)
      const [expected, got] = [canonicalJson(await one.step(said)), canonicalJson(await other.step(said))]
      if (expected !== got)
        return { broken: 'A turn depends on the limit.', evidence: { before, action, expected, got } }
      before.push(action)
      if (expected.includes('"ended":"')) break
    }
    return { changed: isChanged(one) }
  },
})
