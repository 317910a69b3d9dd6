import type { Exchange } from '../_layout.js'
import type { Form } from '../_lessons.js'
import { listedCommands, isRefusal } from '../_prompt.js'
import type { Reading } from './classify.js'
import { isToldBy, readAction } from './classify.js'
import type { Deed } from './deed.js'
import type { Game } from './game.js'
import { gatherNames } from './names.js'
import { apply, viewOf } from './view.js'

/** A deed with names for its roles. */
export interface Meant {
  readonly deed: Deed
  readonly objects: readonly string[]
}

/** Facts that are believed after an action: what it does by the rules, and what was told. @param meant what it was, where that is known */
export function believe(
  game: Game,
  facts: ReadonlySet<string>,
  told: readonly string[],
  meant?: Meant,
): ReadonlySet<string> {
  if (told.length === 0) return facts
  const isEverything = told.some((fact) => fact.startsWith(`${game.mark} `))
  const after = meant === undefined ? new Set(facts) : apply(facts, meant.deed, meant.objects)
  if (!isEverything) {
    for (const fact of told) if (wholeOf(after, fact) === undefined) after.add(fact)
    return after
  }
  // Of a fact that is told in part, such as which hand holds something, the rest is kept in mind.
  return withHolders(new Set(told.map((fact) => wholeOf(after, fact) ?? fact)))
}

/** What is held is what is not on the table. */
function withHolders(facts: Set<string>): ReadonlySet<string> {
  const open = [...facts].filter((fact) => /^holding \S+$/.test(fact))
  if (open.length === 0) return facts
  const containers = new Set(
    [...facts].flatMap((fact) => /^(?:clean|empty|contains|used|shaker-level) (\S+)/.exec(fact)?.[1] ?? []),
  )
  const gone = [...containers].filter(
    (one) =>
      !facts.has(`ontable ${one}`) &&
      ![...facts].some((fact) => fact.startsWith('holding ') && fact.endsWith(` ${one}`)),
  )
  for (const [index, fact] of open.entries()) {
    const container = gone[index]
    if (container === undefined) continue
    facts.delete(fact)
    facts.add(`${fact} ${container}`)
  }
  return facts
}

/** A believed fact that is told, be it in part; undefined where there is none. */
function wholeOf(facts: ReadonlySet<string>, told: string): string | undefined {
  if (facts.has(told)) return told
  for (const fact of facts) if (isToldBy(told, fact)) return fact
  return undefined
}

/** What worked examples teach: what was done in them, known by what came of it. */
export function learnFromExamples(game: Game, opening: string, examples: readonly Exchange[]): readonly Form<string>[] {
  const seen = [opening, ...examples.map(({ observation }) => observation)]
  const names = gatherNames(seen.flatMap((text) => game.read(text).met))
  const forms: Form<string>[] = []
  let facts = believe(game, new Set<string>(), game.read(opening).facts)
  for (const { action, observation } of examples) {
    const before = viewOf(facts)
    const commands = listedCommands(observation)
    for (const command of commands) forms.push(...likeliest(readAction(game, command, names, { before })))
    if (commands.length > 0 || isRefusal(observation)) continue
    const told = game.read(observation).facts
    const readings = readAction(game, action, names, { before, told, tellsEverything: tellsEverything(game, told) })
    forms.unshift(...likeliest(readings))
    const [reading] = readings
    facts = believe(game, facts, told, reading)
  }
  return forms
}

/** Whether everything that holds was told. */
export function tellsEverything(game: Game, told: readonly string[]): boolean {
  return told.some((fact) => fact.startsWith(`${game.mark} `))
}

/** The form of the likeliest reading, where there is a likely one. */
export function likeliest(readings: readonly Reading[]): readonly Form<string>[] {
  const [reading] = readings
  return reading !== undefined && reading.score > 0 ? [reading.form] : []
}
