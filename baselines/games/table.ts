import type { Exchange } from '../_layout.js'
import type { Form, Lessons } from '../_lessons.js'
import { accept, doubt } from '../_lessons.js'
import { isRefusal, listedCommands } from '../_prompt.js'
import type { Circumstance } from './classify.js'
import { readAction, senseOf } from './classify.js'
import type { Game } from './game.js'
import type { Names } from './names.js'
import { believe, likeliest, tellsEverything } from './scene.js'
import type { View } from './view.js'
import { viewOf } from './view.js'
import type { Understood } from './wording.js'
import { lessonOf, understand } from './wording.js'

/** What is known of a game at some moment, from what was said and seen. */
export interface Table {
  readonly game: Game
  readonly names: Names
  readonly goal: readonly string[]
  /** Wordings that were known from the beginning. */
  readonly forms: readonly Form<string>[]
  readonly facts: ReadonlySet<string>
  readonly view: View
  readonly lessons: Lessons<string>
  /** Actions refused since something last changed. */
  readonly refused: readonly string[]
  /** The possible actions, where they were listed since something last changed. */
  readonly listed: readonly string[] | undefined
  /** Whether everything was told since something last changed. */
  readonly looked: boolean
}

/** The table after an action and what came of it. */
export function after(table: Table, { action, observation }: Exchange): Table {
  const { game, names, forms, lessons, facts } = table
  const commands = listedCommands(observation)
  if (commands.length > 0) return { ...table, listed: commands, lessons: learn(table, commands) }
  const meanings = understand(game, action, [...lessons.learned, ...forms], names)
  if (isRefusal(observation)) return afterRefusal(table, action, meanings)
  const { facts: told } = game.read(observation)
  const full = tellsEverything(game, told)
  const circumstance = { before: table.view, told, tellsEverything: full }
  const meant = likeliestOf(meanings, circumstance)
  const [guess] = meant === undefined ? readAction(game, action, names, circumstance) : []
  const next = believe(game, facts, told, meant ?? guess)
  const known = meant === undefined ? lessons : accept(lessons, lessonOf(meant.form))
  const changed = next.size !== facts.size || [...next].some((fact) => !facts.has(fact))
  if (!changed) return { ...table, lessons: known, looked: table.looked || full, refused: [...table.refused, action] }
  return { ...table, lessons: known, facts: next, view: viewOf(next), refused: [], listed: undefined, looked: false }
}

/** Of several meanings of one wording, the one that makes most sense of what came of it. */
function likeliestOf(meanings: readonly Understood[], circumstance: Circumstance): Understood | undefined {
  if (meanings.length < 2) return meanings[0]
  const scores = meanings.map(({ deed, objects }) => senseOf(deed, objects, circumstance))
  return meanings[scores.indexOf(Math.max(...scores))]
}

/** A wording that was never understood is doubted; where one is known to be right, it is the situation that is wrong. */
function afterRefusal(table: Table, action: string, meanings: readonly Understood[]): Table {
  const { lessons } = table
  const refused = [...table.refused, action]
  const isProven = meanings.some(({ form }) => lessons.accepted.includes(lessonOf(form)))
  const doubted = meanings.find(({ form }) => !lessons.refused.includes(lessonOf(form)))
  if (isProven || doubted === undefined) return { ...table, refused }
  return { ...table, refused, lessons: doubt(lessons, lessonOf(doubted.form)) }
}

/** Takes the wordings of a list of possible actions to heart: what is in the list is right after all. */
function learn({ game, names, forms, lessons, view }: Table, commands: readonly string[]): Lessons<string> {
  const learned = [...lessons.learned]
  const right = new Set<string>()
  for (const command of commands) {
    const [meant] = understand(game, command, [...learned, ...forms], names)
    const [reading] = likeliest(readAction(game, command, names, { before: view }))
    const form = reading ?? meant?.form
    if (form === undefined) continue
    right.add(lessonOf(form))
    if (![...learned, ...forms].some((one) => lessonOf(one) === lessonOf(form))) learned.push(form)
  }
  return { ...lessons, learned, refused: lessons.refused.filter((lesson) => !right.has(lesson)) }
}
