import { breaks, defineLaw } from './law.js'
import { beginThrough, scriptOf, tidy, unknownAction } from './twins.js'

const turns = 40

/** For lenses that let actions fail. */
export const schedule = defineLaw({
  name: 'schedule',
  summary: 'Which turns fail does not depend on what the agent does, so all models meet the same failures.',
  hook: 'act',
  async check(subject) {
    const [one, other] = [await beginThrough(subject, subject.applied), await beginThrough(subject, subject.applied)]
    const script = await scriptOf(one)
    if (script.length === 0) return { unchecked: 'There are no actions in this environment.' }
    const before: string[] = []
    let changed = false
    while (before.length < turns) {
      const action = script[before.length % script.length]!
      const [expected, got] = [await one.step(tidy(subject, action)), await other.step(unknownAction)]
      if (expected.ended !== false || got.ended !== false) break
      const [a, b] = [describe(expected), describe(got)]
      if (a !== b) {
        const detail = `What fails in turn ${String(before.length + 1)} depends on the agent's actions.`
        return breaks(detail, before, b, a, action)
      }
      changed ||= expected.failed !== undefined
      before.push(action)
    }
    return { changed }
  },
})

function describe({ failed, refunded }: { readonly failed?: string; readonly refunded?: boolean }): string {
  return failed === undefined ? 'nothing fails' : `fails ${failed}${refunded ? ', refunded' : ''}`
}
