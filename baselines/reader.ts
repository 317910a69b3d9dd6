import type { Model } from 'shaketable'
import { ShaketableError } from 'shaketable'
import { createInformed, createReading } from './_informed.js'
import { createPlayer } from './_player.js'
import { readHousehold } from './household/read.js'

/**
 * Control model that reads. In any environment with a planner it plays the planner's solution in the wording that its
 * prompt gives it now, and asks for the possible actions where that was refused. `reader:text` has text alone, as every
 * reader has behind a server, and plays the household by it: it looks for things as a model would have to.
 */
export function createReader(option?: string): Model {
  if (option !== undefined && option !== 'text') {
    throw new ShaketableError('usage', `The reader takes the option 'text' or none, got '${option.slice(0, 100)}'.`)
  }
  if (option === 'text') {
    return createPlayer({ name: 'reader:text', settings: { version: 2, told: 'text' } }, readHousehold())
  }
  const card = { name: 'reader', settings: { version: 2 } }
  return { ...createPlayer(card, readHousehold()), sighted: createInformed(card, createReading) }
}
