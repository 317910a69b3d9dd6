import { breaks, defineLaw, isChanged } from './law.js'
import { beginTwins, commandsIn, places, stepThrough, tidy } from './twins.js'

/** In place of the third law for a lens in mode `alias`. The other laws check its own wording. */
export const bothWordings = defineLaw({
  name: 'both wordings',
  summary:
    'In mode alias both wordings of every possible action are listed side by side and reach the environment as the same action, and the solution in the original wording solves the task too.',
  applies: (applied) => applied.some(({ mode }) => mode === 'alias'),
  async check(subject) {
    let changed = false
    for await (const { clean, perturbed, before } of places(subject, () => beginTwins(subject))) {
      const [commands, aliases] = [await commandsIn(clean), await commandsIn(perturbed)]
      const shown = await perturbed.admissible?.()
      const places = new Map(shown?.map((action, place) => [action, place]))
      for (const [index, command] of commands.entries()) {
        const [original, alias] = [perturbed.fromEnvironment(command, 'original'), aliases[index]!]
        const { refused, command: got } = perturbed.toEnvironment(tidy(subject, original))
        if (refused || got !== command) {
          const detail = `'${original}', the original wording, is ${refused ? 'refused' : `read as '${got}'`}.`
          return breaks(detail, before, command, got, original)
        }
        const [one, other] = [places.get(original), places.get(alias)]
        if (one === other || Math.abs((one ?? NaN) - (other ?? NaN)) === 1) continue
        const detail = `'${original}' and '${alias}' are not listed side by side.`
        return breaks(detail, before, 'both, side by side', shown!.join(', '))
      }
      changed ||= isChanged(perturbed)
    }
    const { clean, perturbed } = await beginTwins(subject)
    const before: string[] = []
    for (const command of (await clean.solve?.()) ?? []) {
      const action = tidy(subject, perturbed.fromEnvironment(command, 'original'))
      const [expected, got] = [await clean.step(command), await stepThrough(perturbed, action)]
      if (got.original !== expected.original || got.ended !== expected.ended) {
        const detail = `'${action}', the original wording, does not do what it does without the perturbation.`
        return breaks(detail, before, expected.original, got.original, action)
      }
      before.push(action)
      if (expected.ended !== false) break
    }
    return { changed }
  },
})
