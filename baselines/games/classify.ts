import { parseTemplate } from 'shaketable'
import { isInflected, literalWords, wordsIn } from '../_words.js'
import type { Form } from '../_lessons.js'
import type { Deed, Role } from './deed.js'
import { ground } from './deed.js'
import type { Game } from './game.js'
import type { Names } from './names.js'
import { wider } from './names.js'
import type { View } from './view.js'

/** What an action could mean; the slots of its form are the deed's roles by number. */
export interface Reading {
  readonly deed: Deed
  readonly form: Form<string>
  readonly objects: readonly string[]
  readonly score: number
}

/** What is known of the moment of an action. */
export interface Circumstance {
  readonly before?: View
  /** Facts told after it; of a game that tells everything, all that hold. */
  readonly told?: readonly string[]
  readonly tellsEverything?: boolean
}

/** What an action in which known names stand could mean, the likeliest first: by the kinds of names, its words, what held, and what came of it. */
export function readAction(game: Game, action: string, names: Names, circumstance: Circumstance): readonly Reading[] {
  const text = action.trim().replace(/\s*\.$/, '')
  const found = names.find(text)
  if (found.length === 0 || found.length > 8) return []
  const parts: string[] = []
  let from = 0
  for (const { at, length } of found) {
    parts.push(text.slice(from, at))
    from = at + length
  }
  parts.push(text.slice(from))
  const words = wordsIn(parts.join(' '))
  const keys = found.map(({ key }) => key)
  const readings = game.deeds.flatMap((deed) =>
    assign(deed.roles, keys.length, (slot, { kind }) =>
      names.kinds.get(keys[slot]!)?.has(kind) === true ? 0 : undefined,
    ).map(({ places, score }): Reading => {
      const objects = places.map((slot) => keys[slot]!)
      const sense = senseOf(deed, objects, circumstance)
      const form = { verb: deed.name, template: templateOf(parts, places) }
      return { deed, form, objects, score: score + sense + 2 * wordScore(game, deed, words) }
    }),
  )
  return readings.sort((a, b) => b.score - a.score)
}

/** How well a deed goes with what held before and what came of it. */
export function senseOf(
  deed: Deed,
  objects: readonly string[],
  { before, told, tellsEverything }: Circumstance,
): number {
  let score = 0
  if (before !== undefined) {
    for (const need of deed.needs) score += before.has(ground(need, objects)) ? 1 : -1
  }
  if (told === undefined) return score
  const adds = deed.adds.map((atom) => ground(atom, objects))
  const news = told.filter((fact) => before?.has(fact) !== true)
  for (const fact of adds) {
    if (news.some((one) => isToldBy(one, fact))) score += 2
    else if (!told.some((one) => isToldBy(one, fact))) score -= 2
  }
  for (const fact of news) if (!adds.some((one) => isToldBy(fact, one))) score -= 1
  if (tellsEverything === true) {
    for (const atom of deed.deletes) if (told.includes(ground(atom, objects))) score -= 2
  }
  return score
}

/** Whether what is told is the fact, or as much of it as is ever said. */
export function isToldBy(told: string, fact: string): boolean {
  return told === fact || fact.startsWith(`${told} `)
}

/** Of several meanings of a form, those are thought of that score at most so much less than the best. */
const nearlyAsLikely = 0.6

/** The deeds that an advertised form could stand for, the likeliest first: by what its slots are called, its words and those beside it. */
export function readForms(game: Game, template: string, meaning: string): readonly Form<string>[] {
  const { literals, slots } = parseTemplate(template)
  if (slots.length === 0 || slots.length > 8) return []
  const named = slots.map((slot) => slot.toLowerCase().replace(/[^a-z]/g, ''))
  const words = wordsIn(literalWords(template))
  const beside = wordsIn(meaning).slice(0, 24)
  const readings = game.deeds.flatMap((deed) =>
    assign(deed.roles, slots.length, (slot, role) => fitOf(game, named[slot]!, role)).map(({ places, score }) => ({
      form: { verb: deed.name, template: templateOf(literals, places) },
      score:
        score + prepositions(literals, places, deed) + 3 * wordScore(game, deed, words) + wordScore(game, deed, beside),
    })),
  )
  const best = Math.max(...readings.map(({ score }) => score))
  return readings
    .filter(({ score }) => score >= best - nearlyAsLikely)
    .sort((a, b) => b.score - a.score)
    .map(({ form }) => form)
}

/** How well what a slot is called goes with a role; undefined where it is something else. */
function fitOf(game: Game, slot: string, { name, kind }: Role): number | undefined {
  if (slot === name) return 2
  const called = synonyms[slot] ?? slot
  if (called === kind) return 1
  const known = game.deeds.some(({ roles }) => roles.some((role) => role.kind === called))
  return !known || wider[called] === kind || wider[kind] === called ? 0 : undefined
}

const synonyms: Readonly<Record<string, string>> = {
  arm: 'gripper',
  object: 'obj',
  item: 'obj',
  thing: 'obj',
  glass: 'shot',
  place: 'room',
  drink: 'beverage',
  tyre: 'wheel',
}
/** Whether `from` and `to` stand before what they belong to. */
function prepositions(literals: readonly string[], places: readonly number[], { roles }: Deed): number {
  return places.reduce((score, slot, index) => {
    const word = wordsIn(literals[slot]!).at(-1)
    return score + (word !== undefined && word === roles[index]!.name ? 0.5 : 0)
  }, 0)
}

interface Assignment {
  /** The slot of each role. */
  readonly places: readonly number[]
  readonly score: number
}

/** All ways to give each slot to a role that fits it. The order of the rules is a little likelier than others. */
function assign(
  roles: readonly Role[],
  slots: number,
  fit: (slot: number, role: Role) => number | undefined,
): readonly Assignment[] {
  if (roles.length !== slots) return []
  const found: Assignment[] = []
  const places: number[] = []
  const give = (score: number): void => {
    const role = roles[places.length]
    if (role === undefined) {
      found.push({ places: [...places], score })
      return
    }
    for (let slot = 0; slot < slots; slot++) {
      const worth = places.includes(slot) ? undefined : fit(slot, role)
      if (worth === undefined) continue
      const inOrder = slot > (places.at(-1) ?? -1) ? 0.01 : 0
      places.push(slot)
      give(score + worth + inOrder)
      places.pop()
    }
  }
  give(0)
  return found
}

/** A template whose slots are called by the number of the role. */
function templateOf(literals: readonly string[], places: readonly number[]): string {
  return literals
    .map((literal, slot) => literal + (slot < places.length ? `{${String(places.indexOf(slot))}}` : ''))
    .join('')
}

/** How much words speak for a deed: those count most that are used of few deeds. */
function wordScore({ deeds }: Game, { words }: Deed, said: readonly string[]): number {
  let score = 0
  for (const word of words) {
    if (said.some((one) => isInflected(one, word))) {
      score += 1 / deeds.filter((deed) => deed.words.includes(word)).length
    }
  }
  return score
}
