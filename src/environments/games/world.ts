import type { ReadAction, Turn, World } from '../../core/environment.js'
import { parseTemplate } from '../../core/form.js'
import { textOf } from '../../core/text.js'
import type { GameBriefing } from './briefing.js'
import type { CompiledGame } from './compile-game.js'
import { areOfRightKind } from './could-be.js'
import type { GameForm } from './forms.js'
import { readLoosely } from './read-loosely.js'
import type { Answer, TextGame } from './text-game.js'

/** What a live game needs to be a world. */
export interface WorldOptions {
  readonly compiled: CompiledGame
  readonly game: TextGame
  readonly briefing: GameBriefing
  solve(): readonly string[] | undefined
}

/** A PDDL game as a world. It ends when its goal holds, and never as lost. */
export function createWorld({ compiled, game, briefing, solve }: WorldOptions): World {
  const { forms } = briefing
  const actions = forms.map(({ action }) => action)
  const turnOf = ({ text, understood, progress, won }: Answer, command: string | undefined): Turn => ({
    observation: text,
    original: textOf(text),
    command,
    understood,
    progress,
    ended: won && 'success',
  })
  return {
    briefing,
    opening: [game.opening],
    originalOpening: game.opening,
    names: compiled.names,
    admissible: game.admissible,
    understands: game.understands,
    refuse: () => turnOf(game.refuse(), undefined),
    step: (action) => turnOf(game.step(action), action),
    solve,
    read(action, templates, names, ever = false): ReadAction | undefined {
      const isPossible = ever ? undefined : game.isPossible
      const found = readLoosely(action, templates, names, { actions, ...(isPossible && { isPossible }) })
      if (found === undefined) return undefined
      const form = forms[templates.indexOf(found.template)]
      if (form === undefined) return found
      const said = parseTemplate(form.template).slots.map((slot) => names.indexOf(found.filling[slot]!))
      // Of what only an example has no kind is known.
      const isKnown = said.every((place) => place < compiled.names.length)
      return !isKnown || fits(compiled, form, said) ? found : undefined
    },
  }
}

/** Whether the action can be meant with these objects, given by their places among the names; what is no action of the domain always can. */
function fits({ task, wording, names }: CompiledGame, form: GameForm, said: readonly number[]): boolean {
  const action = task.actions.find(({ name }) => name === form.action)
  if (action === undefined) return true
  const objects: number[] = []
  wording.actions.get(form.action)!.parameters.forEach((parameter, slot) => {
    objects[parameter] = task.object(names[said[slot]!]!)!
  })
  return areOfRightKind(task, action, objects)
}
