import type { World } from '../core/environment.js'
import { createNameFinder } from '../core/names.js'
import { textOf } from '../core/text.js'
import { type TextTable, createTextTable } from './text-table.js'
import { type Subject, type Verdict, breaks, defineLaw, isReplacing, readAtFirst } from './law.js'
import { isChanged } from '../core/dose.js'
import type { Lens } from '../core/perturbation.js'
import { beginThrough, recordedPlaces } from './twins.js'

/** Whatever is read under a perturbation that does not promise to be easier, the clean episode says too. */
export const newInformation = defineLaw({
  name: 'no news',
  summary:
    'The agent reads no name that it would not have read by then, no step of the solution, and no name, number, state or relation in the goal that the original goal lacks.',
  promises: ['invariant', 'identity', 'harder'],
  applies: isReplacing,
  async check(subject, lenses) {
    const told = await tellsMore(subject, lenses)
    if (told !== undefined) return told
    let changed = false
    let names: TextTable | undefined
    let known = new Set<string>()
    for (const { clean, perturbed, before, turns, dose } of await recordedPlaces(subject)) {
      names ??= createTextTable(clean, perturbed, lenses)
      const [expected, got] =
        turns === undefined
          ? [readOf(clean, lenses), readOf(perturbed, lenses)]
          : [textOf(turns.clean.observation), textOf(turns.perturbed.observation)]
      if (turns === undefined) known = new Set()
      for (const name of mentioned(names, names.respell(expected))) known.add(name)
      if (expected !== got) {
        const news = mentioned(names, got).find((name) => !known.has(name))
        if (news !== undefined) {
          const detail = `The agent reads '${news}', which it would not have read by then.`
          return breaks(detail, before, cut(expected, ''), cut(got, news))
        }
      }
      changed ||= isChanged(dose)
    }
    return { changed }
  },
})

/** The names in a text in the new spelling, without those that stand in a sentence with a capital. */
function mentioned(names: TextTable, text: string): readonly string[] {
  return names.mentioned(text).map((name) => name[0]!.toLowerCase() + name.slice(1))
}

/** What is read at first; examples that a lens replaces are about other episodes, and are left out. */
function readOf(world: World, lenses: readonly Lens[]): string {
  if (lenses.every(({ brief }) => brief === undefined)) return readAtFirst(world)
  return readAtFirst({ ...world, briefing: { ...world.briefing, examples: [] } })
}

/** What the goal says beyond the original one, and steps of the solution that the prompt gives away. */
async function tellsMore(subject: Subject, lenses: readonly Lens[]): Promise<Verdict | undefined> {
  const [clean, perturbed] = [await beginThrough(subject, []), await beginThrough(subject, subject.applied)]
  const names = createTextTable(clean, perturbed, lenses)
  const [goal, other] = [names.respell(clean.briefing.goal), perturbed.briefing.goal]
  if (goal !== other && clean.briefing.goal !== other) {
    const more = [
      ...names.wordsLost(other, goal),
      ...extra(names.mentioned(other), names.mentioned(goal)),
      ...extra(names.numbers(other), names.numbers(goal)),
    ]
    if (more.length > 0) {
      const what = more.map((word) => `'${word}'`).join(', ')
      return breaks(`The goal says ${what}, which the original does not.`, [], goal, other)
    }
  }
  const [expected, got] = [readOf(clean, lenses), readOf(perturbed, lenses)]
  if (expected === got) return undefined
  const [before, after] = [await stepsGiven(clean, expected), await stepsGiven(perturbed, got)]
  if (after.length <= before.length) return undefined
  const step = after.at(-1)!
  return breaks(`The prompt gives '${step}' away, a step of the solution.`, [], 'not in the prompt', cut(got, step))
}

/** The steps of the solution with an item that stand in a text. */
async function stepsGiven(world: World, text: string): Promise<readonly string[]> {
  const low = text.toLowerCase()
  const plan = new Set(await world.solve?.())
  const finder = createNameFinder(world.names)
  return [...plan].filter((step) => finder.replace(step, () => '') !== step && low.includes(step.trim().toLowerCase()))
}

function extra(list: readonly string[], others: readonly string[]): readonly string[] {
  return list.filter((item) => !others.includes(item))
}

/** The surroundings of a word, or the beginning of a text. */
function cut(text: string, word: string): string {
  const at = Math.max(0, text.indexOf(word) - 80)
  return text.slice(at, at + 200)
}
