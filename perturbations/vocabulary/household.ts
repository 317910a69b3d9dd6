import type { Vocabulary } from 'shaketable'

/**
 * `at` in place of `in/on`: AgentBoard reads `in` and `on` after `put` as `in/on`, and a wording with `in/on` would
 * have to be said more exactly than the original.
 */
const place = [
  'place {obj} at {recep}',
  'set down {obj} at {recep}',
  'deposit {obj} at {recep}',
  'lay {obj} at {recep}',
  'leave {obj} at {recep}',
]

/** The household of ALFWorld, both generations of its data. */
export const household: Vocabulary = {
  actions: {
    'go to {recep}': [
      'walk to {recep}',
      'head to {recep}',
      'travel to {recep}',
      'proceed to {recep}',
      'approach {recep}',
    ],
    'open {recep}': [
      'unlatch {recep}',
      'pull open {recep}',
      'unfasten {recep}',
      'unseal {recep}',
      'swing open {recep}',
    ],
    'close {recep}': ['shut {recep}', 'push shut {recep}', 'fasten {recep}', 'seal {recep}', 'swing shut {recep}'],
    'take {obj} from {recep}': [
      'grab {obj} from {recep}',
      'collect {obj} from {recep}',
      'fetch {obj} from {recep}',
      'pick up {obj} from {recep}',
      'get {obj} out of {recep}',
    ],
    'put {obj} in/on {recep}': place,
    'move {obj} to {recep}': place,
    'clean {obj} with {recep}': [
      'wash {obj} with {recep}',
      'rinse {obj} with {recep}',
      'scrub {obj} with {recep}',
      'cleanse {obj} with {recep}',
      'wipe {obj} with {recep}',
    ],
    'heat {obj} with {recep}': [
      'warm {obj} with {recep}',
      'warm up {obj} with {recep}',
      'reheat {obj} with {recep}',
      'make {obj} hot with {recep}',
      'give heat to {obj} with {recep}',
    ],
    'cool {obj} with {recep}': [
      'chill {obj} with {recep}',
      'chill down {obj} with {recep}',
      'refrigerate {obj} with {recep}',
      'make {obj} cold with {recep}',
      'draw heat from {obj} with {recep}',
    ],
    'use {obj}': ['switch on {obj}', 'turn on {obj}', 'activate {obj}', 'operate {obj}', 'power on {obj}'],
    'examine {item}': ['inspect {item}', 'study {item}', 'survey {item}', 'view {item}', 'observe {item}'],
    look: ['glance around', 'scan the room', 'peer about', 'gaze around', 'watch'],
    inventory: ['list belongings', 'show belongings', 'name what is held', 'count belongings', 'state what is held'],
    'slice {obj} with {tool}': [
      'cut {obj} with {tool}',
      'carve {obj} with {tool}',
      'chop {obj} with {tool}',
      'divide {obj} with {tool}',
      'dice {obj} with {tool}',
    ],
    help: ['assist', 'guide', 'aid', 'support', 'advise'],
  },
  swaps: [
    ['open {recep}', 'close {recep}'],
    ['heat {obj} with {recep}', 'cool {obj} with {recep}'],
  ],
}
