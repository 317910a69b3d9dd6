import { type Model, ShaketableError } from '../src/define.js'
import { createInformed, createReading } from './_informed.js'
import { createHouseholdPlayer } from './household/player.js'
import { readingSpeaker } from './household/speakers.js'

/**
 * Control model that follows its prompt. In any environment with a planner it plays the planner's solution in the
 * wording of the prompt, and asks for the possible actions after a refusal. `reader:text` has text alone, as every
 * reader has behind a server, and plays the household only: it searches for things as a model would have to.
 */
export function createReader(option?: string): Model {
  if (option !== undefined && option !== 'text') {
    throw new ShaketableError('usage', `The reader takes the option 'text' or none, got '${option.slice(0, 100)}'.`)
  }
  if (option === 'text') {
    return createHouseholdPlayer({ name: 'reader:text', settings: { version: 2, told: 'text' } }, readingSpeaker)
  }
  const card = { name: 'reader', settings: { version: 2 } }
  return { ...createHouseholdPlayer(card, readingSpeaker), withWorld: createInformed(card, createReading) }
}
