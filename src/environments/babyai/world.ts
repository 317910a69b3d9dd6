import type { Briefing, Turn, World } from '../../core/environment.js'
import { textOf } from '../../core/text.js'
import type { Answer, TextGame } from './game.js'
import { tidy } from './game.js'
import { namesOf } from './names.js'

/** What a live game needs to be a world. */
export interface WorldOptions {
  readonly game: TextGame
  readonly briefing: Briefing
  solve(): readonly string[] | undefined
}

/** BabyAI's text game as a world. An action in other letters or with white space around it is understood as the game understands it. */
export function createWorld({ game, briefing, solve }: WorldOptions): World {
  const turnOf = ({ text, understood, progress, ended }: Answer, command: string | undefined): Turn => ({
    observation: text,
    original: textOf(text),
    command,
    understood,
    progress,
    ended,
  })
  return {
    briefing,
    opening: [game.opening],
    originalOpening: game.opening,
    names: namesOf(game.simulation.board),
    admissible: () => [...game.moves().possible.keys()],
    understands(given) {
      const action = tidy(given)
      return action.includes('check') || game.moves().possible.has(action)
    },
    refuse: () => turnOf(game.step(unheardOf), undefined),
    step: (action) => turnOf(game.step(action), action),
    solve,
  }
}

/** No action of any level, so that it is answered as one that is not understood. */
const unheardOf = 'unheard of'
