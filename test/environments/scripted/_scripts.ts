/** The script of docs/benchmarks.md: a mug to wash, and honey in a closed chest. */
export const honey = {
  Environment: {
    kitchen: { sink: {}, shelf: { mug: { is: ['dirty'] } } },
    cellar: { chest: { is: ['closed'], 'jar of honey': {} } },
  },
  Start: 'kitchen',
  Goal: 'Put the clean mug and the jar of honey on the shelf.',
  'Completion Conditions': ['mug in shelf', 'not mug is dirty', 'jar of honey in shelf'],
  'Available Actions': {
    'go to {place}': {
      'verification code': '^go to (.+)$',
      parameters: { place: ['kitchen', 'cellar'] },
      meaning: 'walk to a place',
      preconditions: [],
      effects: ['player at {place}'],
      observation: 'You walk to the {place}.',
    },
    'take {thing} from {holder}': {
      parameters: { thing: ['mug', 'jar of honey'], holder: ['shelf', 'chest', 'sink'] },
      meaning: 'pick a thing up',
      preconditions: ['{thing} in {holder}'],
      effects: ['player has {thing}'],
      observation: 'You take the {thing} from the {holder}.',
    },
    'put {thing} in {holder}': {
      parameters: { thing: ['mug', 'jar of honey'], holder: ['shelf', 'chest', 'sink'] },
      meaning: 'put down a thing that you carry',
      preconditions: ['player has {thing}', 'not {holder} is closed'],
      effects: ['{thing} in {holder}'],
      observation: 'You put the {thing} in the {holder}.',
    },
    'open {box}': {
      parameters: { box: ['chest'] },
      meaning: 'open a thing that is closed',
      preconditions: ['{box} is closed'],
      effects: ['not {box} is closed'],
      observation: 'You open the {box}.',
    },
    'wash {thing}': {
      parameters: { thing: ['mug'] },
      meaning: 'clean a thing that you carry, in the kitchen',
      preconditions: ['player has {thing}', 'player at kitchen'],
      effects: ['not {thing} is dirty'],
      observation: 'You wash the {thing}.',
    },
  },
}
