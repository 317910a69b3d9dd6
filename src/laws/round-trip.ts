import type { World } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import { printForm } from '../core/form.js'
import { type Subject, type Verdict, breaks, defineLaw, isChanged, randomOf } from './law.js'
import { type Place, beginTwins, commandsIn, places, tidy } from './twins.js'

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

/**
 * Loose spellings of an action. An environment need not accept any of them. If it accepts one for its own wording, it
 * must accept the same spelling of the new wording and refuse that of the old one.
 */
const spellings: readonly ((action: string) => string)[] = [
  (action) => action.toUpperCase(),
  (action) => action.toLowerCase(),
  (action) => ` \t${action}  `,
  (action) => `${action.trimEnd().replace(/\.$/, '')}.`,
  (action) => action.trim().replaceAll(' ', '   '),
  (action) => `Please ${action.trim()} now`,
  (action) => action.trim().replaceAll(' ', ' kindly '),
]

/**
 * Checks that every loose spelling of a reworded action that the environment accepts keeps its meaning, and that the
 * environment does not read it as another action whose wording is unchanged.
 * @param expected its old wording
 */
async function judgeLoosely(
  subject: Subject,
  { clean, perturbed, before }: Place,
  action: string,
  expected: string,
): Promise<Verdict | undefined> {
  const { meaning } = readIn(clean, expected)
  for (const spell of [(exact: string) => exact, ...spellings]) {
    const [old, spelled] = [tidy(subject, spell(expected)), tidy(subject, spell(action))]
    if (!perturbed.firstWording && (await clean.understands?.(spelled))) {
      const other = readIn(clean, spelled)
      const { refused, command } = perturbed.toEnvironment(other.command)
      if (other.meaning !== meaning && !refused && readIn(clean, command).meaning === other.meaning) {
        const detail = `'${expected}' said as '${spelled}' collides with '${other.command}', whose wording is unchanged: the environment reads one as the other.`
        return breaks(detail, before, expected, other.command, spelled)
      }
    }
    const isSpelling = spell(expected) !== expected || spell(action) === action
    if (!isSpelling || !(await clean.understands?.(old))) continue
    if (clean.read && readIn(clean, old).meaning !== meaning) continue
    const { refused, command } = perturbed.toEnvironment(spelled)
    const isSame = command === old || readIn(clean, command).meaning === meaning
    if (!refused && isSame && (await perturbed.understands?.(spelled))) continue
    const got = refused ? 'refused' : command
    const detail = `'${old}' is understood, but '${spelled}' in the new wording is not, or has another meaning.`
    return breaks(detail, before, expected, got, spelled)
  }
  return undefined
}

/** A loose spelling of an old wording that is still accepted. */
export async function acceptedLoosely(
  subject: Subject,
  { clean, perturbed }: Place,
  command: string,
): Promise<string | undefined> {
  for (const spell of spellings) {
    const words = tidy(subject, spell(command))
    if ((await clean.understands?.(words)) && (await perturbed.understands?.(words))) return words
  }
  return undefined
}

/**
 * How an environment reads an action: the exact command, and a meaning that is equal for all wordings of it. Both are
 * the action itself if the environment accepts exact wording only.
 */
function readIn(
  { read, briefing, names }: World,
  words: string,
): { readonly command: string; readonly meaning: string } {
  const { forms } = briefing
  const action = read?.(
    words,
    forms.map(({ template }) => template),
    names,
  )
  if (action === undefined) return { command: words, meaning: words }
  const { template, filling } = action
  // One action may have several forms, as a short and a long one, with the same meaning.
  const form = forms.find((actionForm) => actionForm.template === template)!
  const meaning = canonicalJson([form.meaning === '' ? template : form.meaning, filling])
  return { command: printForm(template, filling), meaning }
}
