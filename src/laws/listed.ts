import type { World } from '../core/environment.js'
import { breaks, defineLaw, isReplacing, randomOf } from './law.js'
import { beginTwins, commandsIn, places, stepThrough, tidy } from './twins.js'

const probesAtAPlace = 2

/** For lenses that change lists of commands. What `lists` does not allow is an error of the hook itself. */
export const listed = defineLaw({
  name: 'listed',
  summary:
    'A list of commands changes only as the lens declares. A command that it adds is no action of the environment, now or later, and is answered and charged like an action that is not understood.',
  hook: 'commands',
  applies: isReplacing,
  async check(subject) {
    const random = randomOf(subject).fork('listed')
    let changed = false
    for await (const { clean, perturbed, before, turns } of places(subject, () => beginTwins(subject))) {
      if (perturbed.admissible === undefined)
        return { unchecked: 'The environment cannot tell its admissible actions.' }
      const possible = await commandsIn(perturbed)
      const shown = await perturbed.admissible()
      const known = new Set(possible)
      const added = shown.filter((action) => !known.has(action))
      changed ||= shown.join('\n') !== possible.join('\n')
      for (const action of added) {
        const { command } = perturbed.toEnvironment(tidy(subject, action))
        if (!(await clean.understands?.(command)) && !isReadAs(clean, command)) continue
        const detail = `The additional '${action}' is a command of the environment.`
        return breaks(detail, before, 'not understood', command, action)
      }
      if (turns !== undefined && turns.clean.ended !== false) continue
      for (const action of random.shuffle(added).slice(0, probesAtAPlace)) {
        const [expected, got] = [await clean.refuse(action), await stepThrough(perturbed, tidy(subject, action))]
        const isCharged = expected.refunded === got.refunded
        const same = expected.original === got.original && expected.progress === got.progress && isCharged
        if (same && !got.understood && got.command === undefined && got.ended === expected.ended) continue
        const detail = `The additional '${action}' is not refused as an action that is not understood.`
        return breaks(detail, before, expected.original, got.original, action)
      }
    }
    return { changed }
  },
})

/** Whether the environment reads a command as one of its own that may be possible at another time. */
function isReadAs({ read, briefing: { forms }, names }: World, command: string): boolean {
  const templates = forms.map(({ template }) => template)
  return read?.(command, templates, names, true) !== undefined
}
