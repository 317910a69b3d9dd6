import type { Turn, World } from '../core/environment.js'
import { defaultStepLimit } from '../core/episode.js'
import { type Subject, breaks, defineLaw, isChanged } from './law.js'
import { beginTwins, stepThrough, tidy } from './twins.js'

/** The second law. */
export const solution = defineLaw({
  name: 'solution',
  summary:
    'The solution of the task solves it in the new wording too, with the same progress at every step, and within the step limit. The oracle says an action again that failed before it took effect; it goes on if only the answer is missing.',
  async check(subject, lenses) {
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
        return breaks(detail, before, told(expected), told(got), action)
      }
      before.push(action)
      ended = expected.ended
      if (ended !== false) break
    }
    if (ended !== 'success') return { unchecked: "The planner's own solution does not solve this task." }
    if (steps > defaultStepLimit && before.length <= defaultStepLimit) {
      const detail = `Said again after each failure, the solution takes ${String(steps)} steps, more than the default limit.`
      return breaks(detail, before, String(defaultStepLimit), String(steps))
    }
    return { changed: isChanged(perturbed) }
  },
})

/** What `harder` and `easier` promise, as far as a planner can tell. */
export const oneSided = defineLaw({
  name: 'one-sided',
  summary: 'A planner needs at least as many steps where it promises to be harder, and at most as many where easier.',
  promises: ['harder', 'easier'],
  async check(subject) {
    const promises = new Set(subject.applied.map(({ perturbation }) => perturbation.promise))
    if (promises.size > 1) return { unchecked: 'Some of it promises to be harder, and some to be easier.' }
    const { clean, perturbed } = await beginTwins(subject)
    const [expected, got] = [await stepsToSolve(subject, clean), await stepsToSolve(subject, perturbed)]
    if (expected === undefined || got === undefined)
      return { unchecked: 'The environment has no solution of this task.' }
    const isHarder = promises.has('harder')
    if (isHarder ? got < expected : got > expected) {
      const detail = `It promises to be ${isHarder ? 'harder' : 'easier'}, but a planner needs ${isHarder ? 'fewer' : 'more'} steps.`
      return breaks(detail, [], `${String(expected)} steps`, `${String(got)} steps`)
    }
    return { changed: isChanged(perturbed) }
  },
})

async function stepsToSolve(subject: Subject, world: World): Promise<number | undefined> {
  let steps = 0
  for (const action of (await world.solve?.()) ?? []) {
    const { ended } = await stepThrough(world, tidy(subject, action), ({ refunded }) => (steps += refunded ? 0 : 1))
    if (ended === 'success') return steps
  }
  return undefined
}
