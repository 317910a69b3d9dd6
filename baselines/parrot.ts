import type { Model } from 'shaketable'
import { ShaketableError } from 'shaketable'
import { createPlayer } from './_player.js'
import { reciteBabyai } from './babyai/recite.js'
import { reciteGames } from './games/recite.js'
import { reciteHousehold } from './household/recite.js'

/**
 * Control model with a memorised environment: the reader's skill, but it speaks the original wording and item spelling (ALFWorld's, AgentBoard's)
 * whatever the prompt says, and takes every refusal for the world's doing. Of the household one wording is learned by heart: by default that
 * of the old generation (`put … in/on`), on which AgentGym, Agent-FLAN and the like were tuned; `parrot:new` has learned `move … to`.
 */
export function createParrot(option = 'old'): Model {
  if (option !== 'old' && option !== 'new') {
    throw new ShaketableError('usage', `The parrot knows 'old' or 'new' by heart, got '${option.slice(0, 100)}'.`)
  }
  const name = option === 'old' ? 'parrot' : 'parrot:new'
  return createPlayer(name, { version: 1, memorised: option }, [reciteBabyai(), reciteGames(), reciteHousehold(option)])
}
