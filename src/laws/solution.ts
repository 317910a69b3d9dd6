import type { Turn } from '../core/environment.js'
import { usualStepLimit } from '../core/play.js'
import { defineLaw, isChanged, watchHooks } from './law.js'
import { beginTwins, stepThrough, tidy } from './twins.js'

/** The second law. */
export const solution = defineLaw({
  name: 'solution',
  summary:
    'The solution of the task solves it in the new wording too, with the same progress at every step; an action that fails is repeated.',
  async check(given) {
    const { subject, lenses } = watchHooks(given)
    const { clean, perturbed } = await beginTwins(subject)
    if (lenses.some(({ act, recovery }) => act !== undefined && recovery === undefined)) {
      return { unchecked: 'It lets actions fail and declares no recovery.' }
    }
    if (clean.solve === undefined) return { unchecked: 'The environment has no planner.' }
    const commands = await clean.solve()
    if (commands === undefined) return { unchecked: 'The planner found no solution of this task.' }
    const actions = (await perturbed.solve?.()) ?? []
    const before: string[] = []
    let ended: Turn['ended'] = false
    let steps = 0
    for (const [index, command] of commands.entries()) {
      const action = actions[index]
      if (action === undefined)
        return {
          broken: `The solution has ${String(commands.length)} steps, but only ${String(index)} in the new wording.`,
        }
      const expected = await clean.step(command)
      const got = await stepThrough(perturbed, tidy(subject, action), ({ refunded }) => (steps += refunded ? 0 : 1))
      if (got.original !== expected.original || got.progress !== expected.progress || got.ended !== expected.ended) {
        const detail = `'${action}' does not do what '${command}' does.`
        const told = ({ original, progress }: Turn): string => `${original} (progress ${progress.toFixed(2)})`
        return { broken: detail, evidence: { before, action, expected: told(expected), got: told(got) } }
      }
      before.push(action)
      ended = expected.ended
      if (ended !== false) break
    }
    if (ended !== 'success') return { unchecked: "The planner's own solution does not solve this task." }
    if (steps > usualStepLimit && before.length <= usualStepLimit) {
      const detail = `Said again after each failure, the solution takes ${String(steps)} steps, more than the usual limit.`
      return { broken: detail, evidence: { before, expected: String(usualStepLimit), got: String(steps) } }
    }
    return { changed: isChanged(perturbed) }
  },
})
