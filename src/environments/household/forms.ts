import type { ActionForm } from '../../core/form.js'
import { pythonStrip } from '../python-strip.js'
import type { Generation } from './text/domain.js'

/** AgentBoard's own command, which the engine does not know. */
export const checkActions = 'check valid actions'

/** The action forms that the instruction advertises; every house accepts each of them somewhere. */
export function advertisedForms(generation: Generation): readonly ActionForm[] {
  const put = generation === 'old' ? 'put {obj} in/on {recep}' : 'move {obj} to {recep}'
  return [
    { template: 'go to {recep}', meaning: 'walk to a place' },
    { template: 'open {recep}', meaning: 'open the place you are at' },
    { template: 'close {recep}', meaning: 'close it again' },
    { template: 'take {obj} from {recep}', meaning: 'pick up a thing; you can hold one at a time' },
    { template: put, meaning: 'lay down the thing you hold' },
    { template: 'clean {obj} with {recep}', meaning: 'wash the thing you hold' },
    { template: 'heat {obj} with {recep}', meaning: 'warm up the thing you hold' },
    { template: 'cool {obj} with {recep}', meaning: 'cool down the thing you hold' },
    { template: 'use {obj}', meaning: 'switch on a lamp that stands where you are' },
    { template: 'examine {item}', meaning: 'look closely at the place you are at or the thing you hold' },
    { template: 'look', meaning: 'be told again what you saw last' },
    { template: 'inventory', meaning: 'be told what you hold' },
  ]
}

/** Every action form that is understood, advertised or not. */
export function allForms(generation: Generation): readonly ActionForm[] {
  return [
    ...advertisedForms(generation),
    { template: 'slice {obj} with {tool}', meaning: 'cut a thing that lies here with the knife you hold' },
    ...(generation === 'new' ? [{ template: 'help', meaning: 'be told the forms of action' }] : []),
    { template: checkActions, meaning: 'be told every action that is possible now' },
  ]
}

/**
 * AgentBoard's normalisation of an action (its `parseAction`), in the agent's wording and before any perturbation:
 * outer white space is removed; where the text contains `put`, even inside `computer`, every ` in ` becomes ` in/on `,
 * or every ` on ` where there is no ` in `; one full stop at the end is removed, so `look..` becomes `look.`.
 */
export function normaliseAction(action: string): string {
  let text = pythonStrip(action)
  if (text.includes('put')) {
    if (text.includes(' in ')) text = text.replaceAll(' in ', ' in/on ')
    else text = text.replaceAll(' on ', ' in/on ')
  }
  return text.endsWith('.') ? pythonStrip(text.slice(0, -1)) : text
}
