import { type ErrorFlag, type ScriptedTurn, masterTurn } from '../../../src/training/verify/turn.js'
import script from '../../fixtures/scripts/synthesised.json' with { type: 'json' }

/** A script whose solution takes eight actions. */
export const honey = script

/** Turns of a trajectory; an action may have a flag after `!`, such as `wash mug !logic_error`. */
export function turnsOf(actions: readonly string[], end = 'Done.\nTask Succeed'): ScriptedTurn[] {
  const turns: ScriptedTurn[] = [masterTurn(0, 'You are in the kitchen.')]
  for (const [index, said] of actions.entries()) {
    const [action = '', flag] = said.split(' !')
    turns.push({ turn: turns.length, role: 'Player', Thought: 'I go on.', Action: action })
    turns.push(masterTurn(turns.length, index === actions.length - 1 ? end : 'Well.', flag as ErrorFlag | undefined))
  }
  return turns
}

/** A trajectory that holds, with two mistakes. */
export const rightActions = [
  'wash mug !logic_error',
  'take mug from shelf',
  'wash mug',
  'put mug on shelf',
  'fetch jar of honey !parameter_error',
  'walk to cellar',
  'open chest',
  'take jar of honey from chest',
  'walk to kitchen',
  'put jar of honey on shelf',
] as const
