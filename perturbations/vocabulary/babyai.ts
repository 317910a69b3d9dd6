import type { Vocabulary } from 'shaketable'

/** BabyAI in AgentBoard's words. `toggle` gets the same word alone and with `and go through`. */
export const babyai: Vocabulary = {
  actions: {
    'turn left': ['rotate left', 'pivot left', 'swivel left', 'spin left', 'veer left'],
    'turn right': ['rotate right', 'pivot right', 'swivel right', 'spin right', 'veer right'],
    'move forward': ['step ahead', 'advance', 'walk straight on', 'proceed ahead', 'stride on'],
    'go to {obj}': ['move to {obj}', 'head to {obj}', 'travel to {obj}', 'proceed to {obj}', 'approach {obj}'],
    'pickup {obj}': ['grab {obj}', 'collect {obj}', 'lift {obj}', 'seize {obj}', 'fetch {obj}'],
    drop: ['put down', 'release', 'set down', 'let fall', 'lay down'],
    'go through {door}': ['pass {door}', 'cross {door}', 'walk past {door}', 'exit by {door}', 'step beyond {door}'],
    'toggle and go through {door}': [
      'operate and pass {door}',
      'switch and cross {door}',
      'flip and walk past {door}',
      'unlatch and exit by {door}',
      'unfasten and step beyond {door}',
    ],
    toggle: ['operate', 'switch', 'flip', 'unlatch', 'unfasten'],
  },
  orders: {
    'go through {door}': 'through {door} go',
    'toggle and go through {door}': 'through {door} toggle and go',
  },
  items: {
    ball: ['orb', 'sphere', 'globe'],
    box: ['crate', 'chest', 'case'],
    key: ['latchkey', 'passkey', 'opener'],
    door: ['gate', 'doorway', 'portal'],
  },
  goals: {
    rules: {
      'go to {x}': ['reach {x}', 'walk over to {x}', 'get to {x}', 'move up to {x}', 'make your way to {x}'],
      'pick up {x}': ['get hold of {x}', 'take {x}', 'collect {x}', 'lift {x}', 'bring {x} into your hands'],
      'open {x}': ['get {x} open', 'unlatch {x}', 'make {x} open', 'see that {x} is open', 'have {x} open'],
      'put {x} next to {y}': [
        'place {x} beside {y}',
        'lay {x} down beside {y}',
        'bring {x} beside {y}',
        '{x} should end up beside {y}',
        'get {x} right beside {y}',
      ],
    },
    connectors: {
      ', then ': [', and afterwards ', ', and after that ', ', followed by this: ', ', next ', ', and then '],
      ' after you ': [
        ' once you ',
        ' when you have done this: ',
        ' as soon as you ',
        ' following this: ',
        ' only after you ',
      ],
      ' and ': [' as well as this: ', ' plus ', ' and also ', ' together with this: ', ' and in addition '],
    },
  },
  observations: {
    'There is a {thing} {n#} steps in front of you and {m#} steps to your {side}.': [
      'A {thing} is {n#} steps ahead and {m#} steps to the {side}.',
      'You see a {thing}: {n#} steps ahead, {m#} steps to the {side}.',
      '{n#} steps ahead and {m#} steps to the {side} there is a {thing}.',
      'Ahead by {n#} steps and to the {side} by {m#} steps lies a {thing}.',
      'A {thing}, {n#} steps forward, {m#} steps {side}.',
    ],
    'There is a {thing} right in front of you {n#} steps away.': [
      'A {thing} is straight ahead, {n#} steps away.',
      'You see a {thing} straight ahead at {n#} steps.',
      'Straight ahead, {n#} steps away, there is a {thing}.',
      'Directly in front lies a {thing}, {n#} steps from you.',
      'A {thing}, {n#} steps straight forward.',
    ],
    'The room has walls around you.': [
      'Walls surround you.',
      'There are walls on all sides of the room.',
      'Around you the room has walls.',
      'The room is enclosed by walls.',
      'Walls enclose the room.',
    ],
    'You are facing a {thing} {n#} steps away.': [
      'A {thing} is in front of you at {n#} steps.',
      'You look at a {thing}, {n#} steps from you.',
      'In front of you, {n#} steps off, is a {thing}.',
      'What you face is a {thing} at a distance of {n#} steps.',
      'Facing you: a {thing}, {n#} steps away.',
    ],
    'You are not carrying anything.': [
      'Your hands are empty.',
      'You hold nothing.',
      'You carry nothing.',
      'There is nothing in your hands.',
      'You have nothing with you.',
    ],
    'You are carrying a {thing}.': [
      'You hold a {thing}.',
      'In your hands: a {thing}.',
      'You have a {thing} with you.',
      'What you carry is a {thing}.',
      'You are holding a {thing}.',
    ],
    'You cannot see any objects within sight.': [
      'No objects are in view.',
      'There is nothing to see ahead.',
      'You see no objects.',
      'Nothing is within view.',
      'Your view has no objects.',
    ],
  },
  swaps: [
    ['turn left', 'turn right'],
    ['go to {obj}', 'pickup {obj}'],
  ],
}
