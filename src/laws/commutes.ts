import type { World } from '../core/environment.js'
import { type AppliedPerturbation, promiseOf } from '../core/perturbation.js'
import { type Subject, type Verdict, breaksAt, defineLaw, isChanged, isReplacing, watchHooks } from './law.js'
import { beginThrough, commandsIn, firstDifference, scriptOf } from './twins.js'

/** The sixth law, for each pair of a subject's perturbations. Pairs that change the same things are not checked. */
export const commutes = defineLaw({
  name: 'commutes',
  summary: 'Two perturbations that change different things give the same result in either order.',
  // A lens in mode `alias` has to come last.
  applies: (applied) => applied.length > 1 && isReplacing(applied),
  async check(subject) {
    const { applied } = subject
    const passedOver: string[] = []
    let checked = 0
    let changed = false
    for (const [index, first] of applied.entries()) {
      for (const second of applied.slice(index + 1)) {
        const verdict = await judgePair(subject, first, second)
        if ('broken' in verdict) return verdict
        if ('unchecked' in verdict) passedOver.push(verdict.unchecked)
        else {
          checked++
          changed ||= verdict.changed
        }
      }
    }
    if (checked > 0) return { changed }
    return { unchecked: passedOver.length === 0 ? 'There is only one perturbation.' : passedOver.join(' ') }
  },
})

async function judgePair(subject: Subject, a: AppliedPerturbation, b: AppliedPerturbation): Promise<Verdict> {
  const [bare, onlyA, onlyB] = [
    await beginThrough(subject, []),
    await beginThrough(subject, [a]),
    await beginThrough(subject, [b]),
  ]
  const [one, other] = [await beginThrough(subject, [a, b]), await beginThrough(subject, [b, a])]
  const both = `${a.perturbation.name} and ${b.perturbation.name}`
  const shared = touchedByBoth(bare, onlyA, onlyB, one) ?? (await openTouched(subject, a, b))
  if (shared !== undefined) return { unchecked: `${both} both touch ${shared}.` }

  // Old wordings too: whether an action is refused or counts as memorised must not depend on the order.
  const actions = [
    ...(await commandsIn(bare)).slice(0, 10),
    ...(await commandsIn(onlyA)).slice(0, 10),
    ...(await scriptOf(one)),
  ]
  const difference = await firstDifference(subject, one, other, actions)
  if (difference === undefined) return { changed: isChanged(one) }
  return breaksAt(`${both} change different things, but their order makes a difference.`, ...difference)
}

/** A form or a name that both change, or that one changes because of the other. */
function touchedByBoth(bare: World, a: World, b: World, both: World): string | undefined {
  const lists = [bare, a, b, both].map(({ briefing, names }) => [
    ...briefing.forms.map(({ template }) => template),
    ...names,
  ])
  const [plain = [], withA = [], withB = [], withBoth = []] = lists
  return plain.find((word, index) => {
    const expected = withA[index] === word ? withB[index] : withB[index] === word ? withA[index] : undefined
    return expected !== withBoth[index]
  })
}

const wholeHooks = ['brief', 'wrap'] as const
const textHooks = ['text', 'brief', 'wrap'] as const

/**
 * Changes of free text cannot be separated, so a lens that changes text clashes with any change of text, names, lists
 * and observations by another lens.
 */
async function openTouched(
  subject: Subject,
  a: AppliedPerturbation,
  b: AppliedPerturbation,
): Promise<string | undefined> {
  const bare = await beginThrough(subject, [])
  const [first, second] = await Promise.all(
    [a, b].map(async (perturbation) => {
      const { subject: watched, lenses } = watchHooks({ ...subject, applied: [perturbation] })
      const world = await beginThrough(watched, watched.applied)
      const counts = promiseOf(perturbation) !== 'identity'
      const [lens = {}] = lenses
      return {
        text: counts && textHooks.some((hook) => lens[hook] !== undefined),
        answers: counts && (lens.act !== undefined || lens.commands !== undefined),
        // Such hooks may read the forms, or count the characters of the lists that quote them.
        whole: counts && (wholeHooks.some((hook) => lens[hook] !== undefined) || (lens.text && !lens.name) === true),
        forms: world.briefing.forms.some(({ template }, index) => template !== bare.briefing.forms[index]?.template),
        names: world.names.join('\n') !== bare.names.join('\n'),
      }
    }),
  )
  const clash = (one: typeof first, other: typeof first): boolean =>
    (one!.text && (other!.text || other!.names || other!.answers)) || (one!.whole && other!.forms)
  if (clash(first, second) || clash(second, first)) return 'prose'
  return first!.answers && second!.answers ? 'what actions are answered' : undefined
}
