/** A script whose solution takes eight actions. */
export const honey = {
  Environment: {
    kitchen: { sink: {}, shelf: { mug: { is: ['dirty'] } } },
    cellar: { chest: { is: ['closed'], 'jar of honey': {} } },
  },
  Start: 'kitchen',
  Goal: 'Put the washed mug and the jar of honey on the shelf.',
  'Completion Conditions': ['mug in shelf', 'not mug is dirty', 'jar of honey in shelf'],
  'Available Actions': {
    'walk to {place}': {
      'verification code': '^walk to (.+)$',
      parameters: { place: ['kitchen', 'cellar'] },
      effects: ['player at {place}'],
      observation: 'You walk to the {place}.',
    },
    'take {thing} from {holder}': {
      'verification code': '^take (.+) from (.+)$',
      parameters: { thing: ['mug', 'jar of honey'], holder: ['shelf', 'chest'] },
      preconditions: ['{thing} in {holder}'],
      effects: ['player has {thing}'],
      observation: 'You take the {thing}.',
    },
    'put {thing} on {holder}': {
      'verification code': '^put (.+) on (.+)$',
      parameters: { thing: ['mug', 'jar of honey'], holder: ['shelf'] },
      preconditions: ['player has {thing}'],
      effects: ['{thing} in {holder}'],
      observation: 'You put the {thing} on the {holder}.',
    },
    'open {box}': {
      'verification code': '^open (.+)$',
      parameters: { box: ['chest'] },
      preconditions: ['{box} is closed'],
      effects: ['not {box} is closed'],
      observation: 'You open the {box}.',
    },
    'wash {thing}': {
      'verification code': '^wash (.+)$',
      parameters: { thing: ['mug'] },
      preconditions: ['player has {thing}', 'player at kitchen'],
      effects: ['not {thing} is dirty'],
      observation: 'You wash the {thing}.',
    },
  },
} as const

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
