import { promiseOf } from '../core/perturbation.js'
import { breaks, defineLaw } from './law.js'
import { beginThrough } from './twins.js'

/** For lenses that may change the step limit. */
export const stepLimit = defineLaw({
  name: 'step-limit',
  summary: 'The step limit is a whole number, grows with that of the run, and moves only as promised.',
  hook: 'wrap',
  async check(subject) {
    const [clean, perturbed] = [await beginThrough(subject, []), await beginThrough(subject, subject.applied)]
    const promises = new Set(subject.applied.map(promiseOf))
    let changed = false
    let smaller = 1
    for (let given = 1; given <= 100; given++) {
      const limit = clean.stepLimit?.(given) ?? given
      const got = perturbed.stepLimit?.(given) ?? given
      const isAgainst = (got > limit && !promises.has('easier')) || (got < limit && !promises.has('harder'))
      if (!Number.isInteger(got) || got < smaller || isAgainst) {
        const detail = `The limit of ${String(given)} steps changes against the promise, or falls.`
        return breaks(detail, [], String(limit), String(got))
      }
      changed ||= got !== limit
      smaller = got
    }
    return { changed }
  },
})
