import type { TurnDefinition, WorldDefinition } from '../../core/complete-world.js'
import type { ReadAction } from '../../core/environment.js'
import { parseTemplate } from '../../core/form.js'
import type { GameBriefing } from './briefing.js'
import type { CompiledGame } from './compile-game.js'
import { areOfRightKind, readLoosely } from './read-loosely.js'
import type { GameForm } from './wording.js'
import type { Answer, TextGame } from './text-game.js'

/** What a live game needs to be a world. */
export interface WorldOptions {
  readonly compiled: CompiledGame
  readonly game: TextGame
  readonly briefing: GameBriefing
  solve(): readonly string[] | undefined
}

/** A PDDL game as a world. It ends when its goal holds, and never as lost. */
export function createWorld({ compiled, game, briefing, solve }: WorldOptions) {
  const { forms } = briefing
  const actions = forms.map(({ action }) => action)
  const turnOf = ({ text, understood, progress, won }: Answer): TurnDefinition => ({
    observation: text,
    understood,
    progress,
    ended: won && 'success',
  })
  return {
    briefing,
    opening: [game.opening],
    names: compiled.names,
    admissible: game.admissible,
    understands: game.understands,
    refuse: () => turnOf(game.refuse()),
    step: (action: string) => turnOf(game.step(action)),
    solve,
    read(action: string, templates: readonly string[], names: readonly string[], ever = false): ReadAction | undefined {
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
  } satisfies WorldDefinition
}

/**
 * Whether the action can be meant with these objects, given by their places among the names; what is no action of the
 * domain always can.
 */
function fits({ task, wording, names }: CompiledGame, form: GameForm, said: readonly number[]): boolean {
  const action = task.actions.find(({ name }) => name === form.action)
  if (action === undefined) return true
  const objects: number[] = []
  wording.actions.get(form.action)!.parameters.forEach((parameter, slot) => {
    objects[parameter] = task.object(names[said[slot]!]!)!
  })
  return areOfRightKind(task, action, objects)
}
