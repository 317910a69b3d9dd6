import type { Vocabulary } from 'shaketable'

/** BabyAI in AgentBoard's words. `toggle` gets the same word alone and with `and go through`. */
export const babyai: Vocabulary = {
  actions: {
    'turn left': ['rotate left', 'pivot left', 'swivel left', 'spin left', 'veer left'],
    'turn right': ['rotate right', 'pivot right', 'swivel right', 'spin right', 'veer right'],
    'move forward': ['step ahead', 'advance', 'walk straight on', 'proceed ahead', 'stride on'],
    'go to {obj}': ['walk to {obj}', 'head to {obj}', 'travel to {obj}', 'proceed to {obj}', 'approach {obj}'],
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
  items: {
    ball: ['orb', 'sphere', 'globe'],
    box: ['crate', 'chest', 'case'],
    key: ['latchkey', 'passkey', 'opener'],
    door: ['gate', 'doorway', 'portal'],
  },
  swaps: [
    ['turn left', 'turn right'],
    ['go to {obj}', 'pickup {obj}'],
  ],
}
