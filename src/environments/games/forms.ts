import type { ActionForm } from '../../core/form.js'
import type { Wording } from './wording.js'

/** Lists the actions. */
export const checkAction = 'check valid actions'
/** What is enough of it. */
export const checkPhrase = 'check'
/** Tells everything that holds; so does anything that has these words in it. */
export const lookAction = 'look around'

/** A form of action, and which action it is of: one of the domain's, or one of the above. */
export interface GameForm extends ActionForm {
  readonly action: string
}

/** Every form of action that a game advertises. */
export function formsOf({ actions }: Wording): readonly GameForm[] {
  return [
    ...Array.from(actions, ([action, { template, meaning }]) => ({ template, meaning, action })),
    { template: checkAction, meaning: 'be told every action that is possible now', action: checkAction },
    { template: lookAction, meaning: 'be told everything that holds now', action: lookAction },
  ]
}
