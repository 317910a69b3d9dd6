import type { Model } from 'shaketable'
import { createPlayer } from './_player.js'
import { readBabyai } from './babyai/read.js'
import { readGames } from './games/read.js'
import { readHousehold } from './household/read.js'

/**
 * Control model that reads. It takes the wording of its actions from the prompt it is given (worked examples first, then the advertised
 * forms), never repeats a wording that was just refused, and asks for the possible actions when it knows no other.
 */
export function createReader(): Model {
  return createPlayer('reader', { version: 1 }, [readBabyai(), readGames(), readHousehold()])
}
