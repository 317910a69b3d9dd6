import type { Exchange } from '../_layout.js'
import type { Form, Lessons } from '../_lessons.js'
import { accept, doubt } from '../_lessons.js'
import { isRefusal, listedCommands } from '../_prompt.js'
import { readAction } from './classify.js'
import type { Game } from './game.js'
import type { Names } from './names.js'
import { believe, likeliest, tellsEverything } from './scene.js'
import type { View } from './view.js'
import { viewOf } from './view.js'
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
  const meant = understand(game, action, [...lessons.learned, ...forms], names)
  if (isRefusal(observation)) {
    const refused = [...table.refused, action]
    if (meant === undefined || lessons.accepted.includes(lessonOf(meant.form))) return { ...table, refused }
    return { ...table, refused, lessons: doubt(lessons, lessonOf(meant.form)) }
  }
  const { facts: told } = game.read(observation)
  const full = tellsEverything(game, told)
  const [guess] =
    meant === undefined ? readAction(game, action, names, { before: table.view, told, tellsEverything: full }) : []
  const next = believe(game, facts, told, meant ?? guess)
  const known = meant === undefined ? lessons : accept(lessons, lessonOf(meant.form))
  const changed = next.size !== facts.size || [...next].some((fact) => !facts.has(fact))
  if (!changed) return { ...table, lessons: known, looked: table.looked || full, refused: [...table.refused, action] }
  return { ...table, lessons: known, facts: next, view: viewOf(next), refused: [], listed: undefined, looked: false }
}

/** Takes the wordings of a list of possible actions to heart: what is in the list is right after all. */
function learn({ game, names, forms, lessons, view }: Table, commands: readonly string[]): Lessons<string> {
  const learned = [...lessons.learned]
  const right = new Set<string>()
  for (const command of commands) {
    const meant = understand(game, command, [...learned, ...forms], names)
    const [reading] = likeliest(readAction(game, command, names, { before: view }))
    const form = reading ?? meant?.form
    if (form === undefined) continue
    right.add(lessonOf(form))
    if (![...learned, ...forms].some((one) => lessonOf(one) === lessonOf(form))) learned.push(form)
  }
  return { ...lessons, learned, refused: lessons.refused.filter((lesson) => !right.has(lesson)) }
}
