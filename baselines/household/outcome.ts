import type { Sight } from './sight.js'
import type { Form } from './wording.js'
import { formOf } from './wording.js'
import { literalWords } from '../_words.js'
import { verbOf } from './words.js'

/** The form behind an action, told by what came of it; undefined where that tells nothing. */
export function formByOutcome(action: string, { done, places, refused }: Sight): Form | undefined {
  if (refused) return undefined
  if (done !== undefined) return formOf(action, done)
  const place = places[0]?.name
  if (place === undefined) return undefined
  const form = formOf(action, { verb: 'go', place })
  return form && verbOf(literalWords(form.template), '?') === 'examine' ? { ...form, verb: 'examine' } : form
}
