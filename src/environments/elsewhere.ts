import { ShaketableError } from '../core/errors.js'
import type { ActionForm } from '../core/form.js'
import type { Piece, Text } from '../core/text.js'

/** The option of environments that answer from elsewhere. */
export const deadline = {
  type: 'number',
  summary: 'seconds that an answer is waited for; an episode that gets none is an environment error',
} as const

/** How many milliseconds a deadline is. @throws ShaketableError `usage` for one that no timer can keep */
export function deadlineMs(seconds: number): number {
  if (seconds > 0 && seconds <= 86_400) return seconds * 1000
  throw new ShaketableError(
    'usage',
    `--deadline: expected seconds, more than 0 and up to 86400, got ${String(seconds)}.`,
  )
}

/**
 * An instruction as text: the action forms that stand in it are quoted as such, so that perturbations reach them, and
 * those that it lacks are listed below it with what they mean.
 */
export function instruct(rules: string, forms: readonly ActionForm[]): Text {
  const templates = forms.map(({ template }) => template).sort((a, b) => b.length - a.length)
  const pieces: Piece[] = []
  let prose = ''
  for (let at = 0; at < rules.length;) {
    const found = templates.find((template) => template.includes('{') && rules.startsWith(template, at))
    if (found === undefined) prose += rules[at]!
    else {
      pieces.push(prose, { form: found })
      prose = ''
    }
    at += found?.length ?? 1
  }
  pieces.push(prose)
  const missing = forms.filter(
    ({ template }) => !pieces.some((piece) => typeof piece !== 'string' && 'form' in piece && piece.form === template),
  )
  if (missing.length > 0) pieces.push(rules === '' ? 'You can do this:\n' : '\n\nYou can do this:\n')
  for (const { template, meaning } of missing) pieces.push("- '", { form: template }, `': ${meaning}\n`)
  return pieces.filter((piece) => piece !== '')
}
