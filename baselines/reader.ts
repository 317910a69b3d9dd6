import type { Model } from 'shaketable'
import { createInformed, createReading } from './_informed.js'
import { createPlayer } from './_player.js'
import { readHousehold } from './household/read.js'

/**
 * Control model that reads. In any environment with a planner it plays the planner's solution in the wording that its
 * prompt gives it now, and asks for the possible actions where that was refused. Behind a server, where it has text
 * alone, it plays the household.
 */
export function createReader(): Model {
  const card = { name: 'reader', settings: { version: 2 } }
  return { ...createPlayer(card, readHousehold()), sighted: createInformed(card, createReading) }
}
