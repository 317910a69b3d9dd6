import type { ActionForm } from '../../core/form.js'

/** AgentBoard's command for the list of actions. */
export const checkAction = 'check valid actions'

/** Whether AgentBoard answers an action with the list of actions: any text with both words. */
export function isCheck(action: string): boolean {
  const lower = action.toLowerCase()
  return lower.includes('check') && lower.includes('action')
}

/** The forms that AgentBoard's instruction advertises, except for those of movement. */
const generalForms: readonly ActionForm[] = [
  { template: 'inventory', meaning: 'hear what you carry' },
  { template: 'look', meaning: 'hear where you are and what is there' },
  { template: 'examine {obj}', meaning: 'look at something closely' },
  { template: 'take {obj}', meaning: 'pick something up' },
  { template: 'drop {obj}', meaning: 'put down something that you carry' },
]

const directionForms: readonly ActionForm[] = [
  { template: 'north', meaning: 'go north' },
  { template: 'south', meaning: 'go south' },
  { template: 'east', meaning: 'go east' },
  { template: 'west', meaning: 'go west' },
  { template: 'up', meaning: 'go up' },
  { template: 'down', meaning: 'go down' },
]

const checkForm: ActionForm = { template: checkAction, meaning: 'hear which other actions are possible now' }

/** The forms that the instruction advertises. */
export const advertisedForms: readonly ActionForm[] = [...generalForms, ...directionForms, checkForm]

/**
 * Every form that a story may have, the more common wording first. Which of them one has is found in its grammar; of
 * two that mean the same to it the first counts.
 */
export const allForms: readonly ActionForm[] = [
  ...advertisedForms,
  { template: 'northeast', meaning: 'go northeast' },
  { template: 'northwest', meaning: 'go northwest' },
  { template: 'southeast', meaning: 'go southeast' },
  { template: 'southwest', meaning: 'go southwest' },
  { template: 'in', meaning: 'go in' },
  { template: 'out', meaning: 'go out' },
  { template: 'wait', meaning: 'let time pass' },
  { template: 'read {obj}', meaning: 'read what is written on something' },
  { template: 'open {obj}', meaning: 'open something' },
  { template: 'close {obj}', meaning: 'close something' },
  { template: 'unlock {obj} with {other}', meaning: 'unlock something with a key' },
  { template: 'lock {obj} with {other}', meaning: 'lock something with a key' },
  { template: 'put {obj} in {other}', meaning: 'put something into something else' },
  { template: 'put {obj} on {other}', meaning: 'put something onto something else' },
  { template: 'give {obj} to {other}', meaning: 'give something to someone' },
  { template: 'show {obj} to {other}', meaning: 'show something to someone' },
  { template: 'light {obj}', meaning: 'set light to something' },
  { template: 'light {obj} with {other}', meaning: 'set light to something with something else' },
  { template: 'extinguish {obj}', meaning: 'put out a light' },
  { template: 'turn on {obj}', meaning: 'switch something on' },
  { template: 'turn off {obj}', meaning: 'switch something off' },
  { template: 'move {obj}', meaning: 'move something out of the way' },
  { template: 'push {obj}', meaning: 'push something' },
  { template: 'pull {obj}', meaning: 'pull something' },
  { template: 'turn {obj}', meaning: 'turn something' },
  { template: 'enter {obj}', meaning: 'go into something' },
  { template: 'climb {obj}', meaning: 'climb something' },
  { template: 'fill {obj}', meaning: 'fill something' },
  { template: 'pour {obj} in {other}', meaning: 'pour something into something else' },
  { template: 'wear {obj}', meaning: 'put on something to wear' },
  { template: 'eat {obj}', meaning: 'eat something' },
  { template: 'drink {obj}', meaning: 'drink something' },
  { template: 'attack {obj} with {other}', meaning: 'attack someone with something' },
  { template: 'tie {obj} to {other}', meaning: 'tie something to something else' },
  { template: 'throw {obj} at {other}', meaning: 'throw something at something else' },
  { template: 'search {obj}', meaning: 'look for something in something' },
  { template: 'ring {obj}', meaning: 'ring something' },
]
