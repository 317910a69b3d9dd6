import * as z from 'zod'
import type { ActionForm } from '../../core/form.js'
import { packagedData } from '../../files/packaged.js'
import { formList } from '../prompts.js'

/** AgentBoard's command for the list of actions. */
export const checkAction = 'check valid actions'

/** Whether AgentBoard answers an action with the list of actions: any text with both words. */
export function isCheck(action: string): boolean {
  const lower = action.toLowerCase()
  return lower.includes('check') && lower.includes('action')
}

const known = packagedData(
  'src/environments/jericho/forms.yaml',
  z.strictObject({ advertised: formList, others: formList }),
)

/** The forms that the instruction advertises. */
export const advertisedForms = (): readonly ActionForm[] => [
  ...known().advertised,
  { template: checkAction, meaning: 'hear which other actions are possible now' },
]

/** Every form that a story may have. */
export const allForms = (): readonly ActionForm[] => [...advertisedForms(), ...known().others]
