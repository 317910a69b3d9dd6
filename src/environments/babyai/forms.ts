import type { ActionForm } from '../../core/form.js'
import { checkAction } from './moves.js'

/** What AgentBoard's prompts call the list of actions: anything with `check` in it brings it up. */
export const checkValidActions = 'check valid actions'

/** What can be said, as it is advertised. */
export const advertisedForms: readonly ActionForm[] = [
  { template: 'turn left', meaning: 'turn a quarter to the left' },
  { template: 'turn right', meaning: 'turn a quarter to the right' },
  { template: 'move forward', meaning: 'take a step ahead' },
  { template: 'go to {obj}', meaning: 'walk up to something in view until you face it' },
  {
    template: 'pickup {obj}',
    meaning: 'walk up to a key, ball or box in view and pick it up; you hold one thing at a time',
  },
  { template: 'drop', meaning: 'put down what you hold, onto the free cell in front of you' },
  { template: 'go through {door}', meaning: 'walk onto the cell of an open door' },
  {
    template: 'toggle and go through {door}',
    meaning:
      'walk up to a closed door, open it and step into it; a locked one too, with a key of its colour in your hand',
  },
  { template: 'toggle', meaning: 'open the closed or locked door right in front of you' },
  { template: checkAction, meaning: 'be told every action that is possible now' },
]

/** Every form of action that is understood. */
export const allForms: readonly ActionForm[] = [
  ...advertisedForms,
  { template: checkValidActions, meaning: 'the same' },
]
