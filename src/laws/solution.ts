import type { Turn } from '../core/environment.js'
import { defineLaw, isChanged } from './law.js'
import { beginTwins, tidy } from './twins.js'

/** The second law. */
export const solution = defineLaw({
  name: 'solution',
  summary: 'What solves the task solves it in the new wording too, with the same progress at every step.',
  async check(subject) {
    const { clean, shaken } = await beginTwins(subject)
    if (clean.solve === undefined) return { unchecked: 'The environment has no planner.' }
    const commands = await clean.solve()
    if (commands === undefined) return { unchecked: 'The planner found no solution of this task.' }
    const actions = (await shaken.solve?.()) ?? []
    const before: string[] = []
    let ended: Turn['ended'] = false
    for (const [index, command] of commands.entries()) {
      const action = actions[index]
      if (action === undefined)
        return {
          broken: `The solution has ${String(commands.length)} steps, but only ${String(index)} in the new wording.`,
        }
      const expected = await clean.step(command)
      const got = await shaken.step(tidy(subject, action))
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
    return { changed: isChanged(shaken) }
  },
})
