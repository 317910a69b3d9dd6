import { type Model, ShaketableError } from '../src/define.js'
import { createInformed, createReciting } from './_informed.js'
import { createHouseholdPlayer } from './household/player.js'
import { memorisedSpeaker } from './household/speakers.js'

/** ALFWorld's two wordings, as rules for games of the other one. */
const memories: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  old: { 'move {obj} to {recep}': 'put {obj} in/on {recep}' },
  new: { 'put {obj} in/on {recep}': 'move {obj} to {recep}' },
}

/**
 * Control model with a memorised environment: the reader's skill in the wording and item spelling that it has
 * memorised, whatever the prompt says. By default that is the unperturbed wording of each environment; `parrot:old` has
 * memorised ALFWorld's `put … in/on`, on which AgentGym, Agent-FLAN and others were tuned, and `parrot:new` its `move …
 * to` of
 * 2024. Behind a server, where it has text alone, it plays the household.
 */
export function createParrot(option?: string): Model {
  if (option !== undefined && !Object.hasOwn(memories, option)) {
    throw new ShaketableError(
      'usage',
      `The parrot takes the option 'old', 'new' or none, got '${option.slice(0, 100)}'.`,
    )
  }
  const card = {
    name: option === undefined ? 'parrot' : `parrot:${option}`,
    settings: { version: 2, memorised: option ?? 'unperturbed' },
  }
  const rules = option === undefined ? {} : memories[option]!
  return {
    ...createHouseholdPlayer(card, memorisedSpeaker(option === 'new' ? 'new' : 'old')),
    withWorld: createInformed(card, (world) => createReciting(world, rules)),
  }
}
