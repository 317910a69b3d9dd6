import type { Model } from 'shaketable'
import { ShaketableError } from 'shaketable'
import { createInformed, createReciting } from './_informed.js'
import { createPlayer } from './_player.js'
import { reciteHousehold } from './household/recite.js'

/** ALFWorld's two wordings, as rules for games of the other one. */
const memories: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  old: { 'move {obj} to {recep}': 'put {obj} in/on {recep}' },
  new: { 'put {obj} in/on {recep}': 'move {obj} to {recep}' },
}

/**
 * Control model with a memorised environment: the reader's skill, but it speaks the wording and item spelling that it
 * has memorised, whatever the prompt says, and has no other. By default that is the unperturbed wording of each
 * environment; `parrot:old` has memorised ALFWorld's `put … in/on`, on which AgentGym, Agent-FLAN and the like were
 * tuned, and `parrot:new` its `move … to` of 2024. Behind a server, where it has text alone, it plays the household.
 */
export function createParrot(option?: string): Model {
  if (option !== undefined && !Object.hasOwn(memories, option)) {
    throw new ShaketableError('usage', `The parrot knows 'old' or 'new' by heart, got '${option.slice(0, 100)}'.`)
  }
  const card = {
    name: option === undefined ? 'parrot' : `parrot:${option}`,
    settings: { version: 2, memorised: option ?? 'unperturbed' },
  }
  const rules = option === undefined ? {} : memories[option]!
  return {
    ...createPlayer(card, reciteHousehold(option === 'new' ? 'new' : 'old')),
    sighted: createInformed(card, (world) => createReciting(world, rules)),
  }
}
