import type { Example } from '../../core/environment.js'
import { createTextGame } from './game.js'
import { createMilestones } from './milestones.js'
import { checkAction } from './moves.js'
import { namesOf } from './names.js'
import { makeLevel } from './simulator/simulation.js'

/** A level of ours for tuning (not of the benchmark), and one way through it. */
const shown = {
  level: 25,
  seed: 5,
  actions: [
    checkAction,
    'toggle and go through grey locked door 1',
    'move forward',
    'pickup grey key 1',
    'go to grey locked door 1',
    'toggle',
  ],
}

let made: readonly Example[] | undefined

/** Our own worked example: what the game really said when it was played. */
export function ownExamples(): readonly Example[] {
  return (made ??= [play()])
}

function play(): Example {
  const game = createTextGame(makeLevel(shown.level, shown.seed), 'agentboard', createMilestones)
  return {
    opening: [`Your goal: ${game.simulation.mission}\n${game.opening}`],
    exchanges: shown.actions.map((action) => ({ action, observation: game.step(action).text })),
    names: namesOf(game.simulation.board),
  }
}
