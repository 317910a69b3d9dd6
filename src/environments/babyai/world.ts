import type { TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { Briefing } from '../../core/environment.js'
import { readFolded } from '../read-folded.js'
import type { Answer, TextGame } from './game.js'
import { tidy } from './game.js'
import { namesOf } from './moves.js'

/** A running game and the other parts that a world needs. */
export interface WorldOptions {
  readonly game: TextGame
  readonly briefing: Briefing
  solve(): readonly string[] | undefined
}

/** BabyAI's text game as a world. As in the game, letter case and white space around an action do not matter. */
export function createWorld({ game, briefing, solve }: WorldOptions) {
  const turnOf = ({ text, ...turn }: Answer): TurnDefinition => ({ ...turn, observation: text })
  return {
    briefing,
    opening: [game.opening],
    names: namesOf(game.simulation.board),
    admissible: () => [...game.moves().possible.keys()],
    understands(given: string) {
      const action = tidy(given)
      return action.includes('check') || game.moves().possible.has(action)
    },
    refuse: () => turnOf(game.step(unknownAction)),
    read: readAction,
    step: (action: string) => turnOf(game.step(action)),
    solve,
  } satisfies WorldDefinition
}

/** Reads an action as the game does, ignoring letter case and white space around it. */
export const readAction: NonNullable<WorldDefinition['read']> = (action, templates, names) =>
  readFolded(action, templates, names, tidy)

/** An action that does not exist in any level. */
const unknownAction = 'unknown action'
