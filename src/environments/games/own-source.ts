import { ShaketableError } from '../../core/errors.js'
import type { GameSource } from './source.js'
import type { GameName, Split } from './wording.js'
import { gameNames } from './wording.js'

/** How games of our own are asked for. */
export interface OwnOptions {
  readonly split: Split | undefined
  readonly games: readonly GameName[] | undefined
}

/** Games of our own. */
export function ownSource({ split = 'test', games = gameNames }: OwnOptions): GameSource {
  throw new ShaketableError(
    'usage',
    `There are no games of our own (${split}: ${games.join(', ')}) yet. Give --data DIR.`,
  )
}
