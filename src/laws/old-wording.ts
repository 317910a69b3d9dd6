import type { Turn, World } from '../core/environment.js'
import { type Subject, type Verdict, breaks, defineLaw, isChanged, isReplacing, randomOf } from './law.js'
import { acceptedLoosely } from './round-trip.js'
import { type Place, beginTwins, commandsIn, places, stepThrough, tidy } from './twins.js'

const probesAtAPlace = 2

/** The third law. */
export const oldWording = defineLaw({
  name: 'old wording',
  summary:
    'The old wording of a changed action, in any spelling, is refused like an action that is not understood, costs a step, and changes nothing.',
  async check(subject) {
    if (!isReplacing(subject.applied)) return { unchecked: 'It accepts both wordings.' }
    if (subject.applied.some(({ refuse }) => refuse === false))
      return { unchecked: 'It was asked to accept the old wording.' }
    const random = randomOf(subject).fork('old wording')
    let changed = false
    for await (const place of places(subject, () => beginTwins(subject))) {
      if (place.turns !== undefined && place.turns.clean.ended !== false) continue
      const { clean, perturbed } = place
      const actions = new Set(await commandsIn(perturbed))
      const old: string[] = []
      for (const command of await commandsIn(clean)) {
        if (actions.has(command) || hasMoved(perturbed, tidy(subject, command))) continue
        if (!(await isCaseAlone(place, command))) old.push(command)
      }
      changed ||= isChanged(perturbed)
      for (const command of random.shuffle(old).slice(0, probesAtAPlace)) {
        const loosely = await acceptedLoosely(subject, place, command)
        if (loosely !== undefined) return stillAccepted(place, loosely, 'understood')
        const verdict = await probe(subject, place, command)
        if (verdict !== undefined) return verdict
      }
      for (const command of old) {
        if (await perturbed.understands?.(tidy(subject, command))) return stillAccepted(place, command, 'understood')
      }
    }
    return { changed }
  },
})

/**
 * Whether a wording now has another meaning, as when two words were swapped. Then it is not refused, but has its new
 * effect.
 */
function hasMoved({ toEnvironment }: Place['perturbed'], text: string): boolean {
  const { refused, command } = toEnvironment(text)
  return !refused && command !== text
}

/** Whether a wording differs from the new one in letter case alone, which the environment ignores. */
async function isCaseAlone({ clean, perturbed }: Place, command: string): Promise<boolean> {
  const action = perturbed.fromEnvironment(command)
  return action.toLowerCase() === command.toLowerCase() && (await clean.understands?.(action)) === true
}

/** Sends a command in the old wording to the perturbed twin, and refuses it in the clean one for comparison. */
async function probe(subject: Subject, place: Place, command: string): Promise<Verdict | undefined> {
  const { clean, perturbed, before } = place
  const [commands, actions] = [await commandsIn(clean), await commandsIn(perturbed)]
  const words = tidy(subject, command)
  const expected = await clean.refuse(words)
  const got = await stepThrough(perturbed, words)
  if (got.understood || got.command !== undefined) return stillAccepted(place, command, got.original)
  if (!isSame(expected, got)) {
    const detail = `The old wording '${command}' is refused, but not as the environment refuses what it does not understand.`
    return breaks(detail, before, expected.original, got.original, command)
  }
  const [commandsAfter, actionsAfter] = [await commandsIn(clean), await commandsIn(perturbed)]
  // An environment may draw a name for each item in every list: what its own refusal changes is drawn alike in both.
  const isDrawn = commands.join('\n') !== commandsAfter.join('\n')
  const wanted = isDrawn ? commandsAfter.map((command) => perturbed.fromEnvironment(command)) : actions
  if (wanted.join('\n') === actionsAfter.join('\n')) return undefined
  const detail = `The old wording '${command}' is refused, but something changes: other actions are possible afterwards.`
  return breaks(detail, before, wanted.join(', '), actionsAfter.join(', '), command)
}

function isSame(expected: Turn, got: Turn): boolean {
  return got.original === expected.original && got.progress === expected.progress && got.ended === expected.ended
}

function stillAccepted({ before }: Place, action: string, got: string): Verdict {
  const detail = `The old wording '${action}' is still accepted, although the environment's text now words it differently.`
  return breaks(detail, before, 'refused', got, action)
}

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
