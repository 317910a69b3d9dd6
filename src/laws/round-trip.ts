import { canonicalJson } from '../core/episode.js'
import { breaks, defineLaw, isChanged, randomOf } from './law.js'
import { judgeLoosely } from './loosely.js'
import { beginTwins, commandsIn, places, tidy } from './twins.js'

const looseAtAPlace = 2

/** The first law. */
export const roundTrip = defineLaw({
  name: 'round trip',
  summary:
    'Every possible action can be said in the new wording, in every spelling that the old one accepts, reaches the environment unchanged, with the same answer and progress underneath, and no two actions get the same wording.',
  async check(subject) {
    const random = randomOf(subject).fork('round trip')
    let changed = false
    for await (const place of places(subject, () => beginTwins(subject))) {
      const { clean, perturbed, before, turns } = place
      if (turns !== undefined && turns.perturbed.failed !== 'before' && turns.perturbed.command !== undefined) {
        const [expected, got] = [turns.clean, turns.perturbed].map(({ original, progress }) => ({ original, progress }))
        if (expected!.original !== got!.original || expected!.progress !== got!.progress) {
          const detail = 'The environment underneath answers something else.'
          return breaks(detail, before, canonicalJson(expected), canonicalJson(got))
        }
      }
      const commands = await commandsIn(clean)
      const actions = await commandsIn(perturbed)
      const meaning = new Map<string, string>()
      if (commands.length !== actions.length) {
        return { broken: `Of ${String(commands.length)} possible actions ${String(actions.length)} are left.` }
      }
      for (const [index, expected] of commands.entries()) {
        const action = actions[index]!
        const other = meaning.get(action) ?? expected
        meaning.set(action, expected)
        if (other !== expected) {
          const detail = `Two actions have the same words: '${other}' and '${expected}' are both said as '${action}'.`
          return breaks(detail, before, expected, other, action)
        }
        const { refused, command } = perturbed.toEnvironment(tidy(subject, action))
        if (!refused && command === expected) continue
        const got = refused ? 'refused' : command
        const detail = `'${expected}' is said as '${action}', but that reaches the environment as ${refused ? 'nothing: it is refused' : `'${command}'`}.`
        return breaks(detail, before, expected, got, action)
      }
      changed ||= isChanged(perturbed)
      if (place.turns !== undefined && place.turns.clean.ended !== false) continue
      const reworded = [...commands.keys()].filter((index) => actions[index] !== commands[index])
      for (const index of random.shuffle(reworded).slice(0, looseAtAPlace)) {
        const verdict = await judgeLoosely(subject, place, actions[index]!, commands[index]!)
        if (verdict !== undefined) return verdict
      }
    }
    return { changed }
  },
})
