import type { World } from '../core/environment.js'
import { textOf } from '../core/text.js'
import { breaks, breaksAt, defineLaw, isAtDefaults, isChanged, readAtFirst } from './law.js'
import { beginThrough, firstDifference, scriptOf, tidy, unknownAction } from './twins.js'

/**
 * The fifth law. Two episodes are played step by step in parallel and a third after them, so that state kept between
 * episodes is found.
 */
export const sameSeed = defineLaw({
  name: 'same seed',
  summary: 'The same seed gives the same text, over a whole episode and whatever was played before.',
  async check(subject) {
    const begin = async (): Promise<World> => beginThrough(subject, subject.applied)
    const [first, second] = [await begin(), await begin()]
    let difference = await firstDifference(subject, first, second, await scriptOf(first))
    if (difference === undefined) {
      await beginThrough({ ...subject, seed: `${subject.seed}, another` }, subject.applied)
      const [again, third] = [await begin(), await begin()]
      difference =
        (await firstDifference(subject, first, third, [])) ??
        (await firstDifference(subject, again, third, await scriptOf(again)))
    }
    if (difference === undefined) return { changed: isChanged(first) }
    return breaksAt('Two episodes with the same seed give different text.', ...difference)
  },
})

const scheduledTurns = 40

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
    while (before.length < scheduledTurns) {
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

/** As many draws as a claim about a family needs at least; one wording is one draw. */
const minDraws = 3
const maxCompared = 5
const idleTurns = 8

/** For families of several wordings. */
export const draws = defineLaw({
  name: 'draws',
  summary: `The draws of a family are different: no two are the same text in every turn. A family has ${String(minDraws)} or more.`,
  promises: ['invariant', 'harder', 'easier'],
  // Other options may fix the wording, so the draws are compared with everything at its default. Objects that a draw
  // adds may be out of sight.
  applies: ([perturbation, ...others]) =>
    perturbation !== undefined &&
    others.length === 0 &&
    (perturbation.perturbation.draws ?? 1) > 1 &&
    isAtDefaults(perturbation) &&
    !perturbation.perturbation.enlarges,
  async check(subject) {
    const [perturbation] = subject.applied
    const count = perturbation!.perturbation.draws!
    if (count < minDraws) {
      const detail = `It has ${String(count)} draws, too few for a claim about a family.`
      return breaks(detail, [], `at least ${String(minDraws)}`, String(count))
    }
    const seen = new Map<string, number>()
    let changed = false
    let same: readonly [number, number, string] | undefined
    for (let draw = 1; draw <= Math.min(count, maxCompared); draw++) {
      const world = await beginThrough(subject, [{ ...perturbation!, draw }])
      const text = await everythingRead(world, (action) => tidy(subject, action))
      const earlier = seen.get(text)
      if (earlier !== undefined) same ??= [earlier, draw, text]
      seen.set(text, draw)
      changed ||= isChanged(world)
    }
    if (!changed || same === undefined) return { changed }
    // Draws that are generated may agree where there is little to draw from, but not all of them.
    if (count === Infinity && seen.size > 1) return { changed: false }
    const [first, second, got] = same
    const detail = `The draws ${String(first)} and ${String(second)} are the same text.`
    return breaks(detail, [], 'different text', got.slice(0, 200))
  },
})

/** What is read in an episode in which the solution is played and then something that nothing understands. */
async function everythingRead(world: World, tidied: (action: string) => string): Promise<string> {
  const texts = [readAtFirst(world)]
  const script = await scriptOf(world)
  for (const action of [...script.slice(0, idleTurns), ...Array.from({ length: idleTurns }, () => unknownAction)]) {
    const turn = await world.step(tidied(action))
    texts.push(textOf(turn.observation), ((await world.admissible?.()) ?? []).join('\n'))
    if (turn.ended !== false) break
  }
  return texts.join('\n')
}
