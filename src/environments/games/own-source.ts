import { agentBoardWording } from './agentboard-wording.js'
import { ownGames } from './generator/index.js'
import type { GameSource } from './source.js'
import { findAmong } from './source.js'
import type { GameName, Split } from './wording.js'
import { gameNames } from './wording.js'

/** How games of our own are asked for. */
export interface OwnOptions {
  readonly split: Split | undefined
  readonly games: readonly GameName[] | undefined
}

/** Games of our own, in AgentBoard's words. A game is found by its id whatever is asked for. */
export function ownSource({ split = 'test', games = gameNames }: OwnOptions): GameSource {
  return {
    name: 'own',
    list: () => games.flatMap((name) => ownGames(split).filter(({ game }) => game === name)),
    find(id) {
      const advice =
        "Games of our own are called such as 'gripper/0' and 'train/gripper/0'; for AgentBoard's give 'data'."
      return findAmong(ownGames(id.startsWith('train/') ? 'train' : 'test'), id, advice)
    },
    wordingOf:
      ({ game }) =>
      (domain) =>
        agentBoardWording(game as GameName, domain),
  }
}
