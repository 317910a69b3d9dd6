import type { World } from '../core/environment.js'
import type { PerturbedWorld } from '../core/perturb.js'
import { breaks, defineLaw, randomOf } from './law.js'
import { beginTwins, commandsIn, places, stepThrough, tidy } from './twins.js'

const probesAtAPlace = 2

/** For lenses that change lists of commands. */
export const listed = defineLaw({
  name: 'listed',
  summary:
    'A list of commands changes only as the lens declares. A command that it adds is no action of the environment, now or later, and is answered and charged like an action that is not understood; an alias is understood.',
  hook: 'commands',
  async check(subject, lenses) {
    const random = randomOf(subject).fork('listed')
    let changed = false
    for await (const { clean, perturbed, before, turns } of places(subject, () => beginTwins(subject))) {
      if (perturbed.admissible === undefined)
        return { unchecked: 'The environment cannot tell its admissible actions.' }
      const may = new Set(lenses.flatMap(({ commands, lists = 'reorder' }) => (commands ? [lists] : [])))
      const possible = await commandsIn(perturbed)
      const shown = withoutOriginals(perturbed, possible, await perturbed.admissible())
      const [hidden, added] = [without(possible, shown), without(shown, possible)]
      changed ||= shown.join('\n') !== possible.join('\n')
      if (hidden.length > 0 && !may.has('hide'))
        return breaks('A list hides a command.', before, hidden[0]!, shown.join(', '))
      if (may.has('alias') && !may.has('add')) {
        for (const action of added) {
          if (await perturbed.understands?.(tidy(subject, action))) continue
          return breaks(
            `'${action}' is listed as another wording, but it is not understood.`,
            before,
            'understood',
            action,
          )
        }
        continue
      }
      if (added.length > 0 && !may.has('add'))
        return breaks('A list has a new command.', before, possible.join(', '), added[0]!)
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

/** Of the two wordings in mode `alias` the lens's own alone. */
function withoutOriginals(
  { firstWording, toEnvironment, fromEnvironment }: PerturbedWorld,
  possible: readonly string[],
  shown: readonly string[],
): readonly string[] {
  if (firstWording === undefined) return shown
  const known = new Set(possible)
  return shown.filter((action) => known.has(action) || !known.has(fromEnvironment(toEnvironment(action).command)))
}

/** Whether the environment reads a command as one of its own that may be possible at another time. */
function isReadAs({ read, briefing: { forms }, names }: World, command: string): boolean {
  const templates = forms.map(({ template }) => template)
  return read?.(command, templates, names, true) !== undefined
}

function without(list: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others)
  return list.filter((one) => !known.has(one))
}
