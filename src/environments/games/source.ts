import type { Domain } from '../pddl/domain.js'
import { ShaketableError, nearMiss } from '../../core/errors.js'
import type { GameText, Wording } from './wording.js'

/** Where the games of an environment come from. */
export interface GameSource {
  /** Where from, in a word. */
  readonly name: string
  /** What else decides what an episode looks like; part of every episode's key. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** In the order in which they are played. @throws ShaketableError `bad-input` where they cannot be read */
  list(): readonly GameText[]
  /** @throws ShaketableError `bad-input` with the near miss where there is no such game */
  find(id: string): GameText
  wordingOf(game: GameText): (domain: Domain) => Wording
}

/** Finds a game among some. */
export function findAmong(games: readonly GameText[], id: string, advice: string): GameText {
  const found = games.find((game) => game.id === id)
  if (found !== undefined) return found
  const near = nearMiss(
    id,
    games.map((game) => game.id),
  )
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`
  throw new ShaketableError('bad-input', `There is no PDDL game '${id.slice(0, 200)}'.${hint} ${advice}`)
}
