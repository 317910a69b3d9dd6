import script from '../../fixtures/scripts/synthesised.json' with { type: 'json' }

/** A script whose solution takes eight actions. */
export const honey = script

type Flag = 'parameter_error' | 'place_error' | 'logic_error'

/** Turns of a trajectory; an action may have a flag after `!`, such as `wash mug !logic_error`. */
export function turnsOf(actions: readonly string[], end = 'Done.\nTask Succeed'): Record<string, unknown>[] {
  const turns: Record<string, unknown>[] = [master(0, 'You are in the kitchen.')]
  for (const [index, said] of actions.entries()) {
    const [action = '', flag] = said.split(' !')
    turns.push({ turn: turns.length, role: 'Player', Thought: 'I go on.', Action: action })
    turns.push(master(turns.length, index === actions.length - 1 ? end : 'Well.', flag as Flag | undefined))
  }
  return turns
}

export function master(turn: number, observation: string, flag?: Flag): Record<string, unknown> {
  const flags = { parameter_error: false, place_error: false, logic_error: false }
  return { turn, role: 'DM', Thought: '', Observation: observation, ...flags, ...(flag && { [flag]: true }) }
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
