import { count } from '../../../src/tables/words.js'
import type { Markup } from '../markup.js'
import { element } from '../markup.js'
import type { Subject } from './findings.js'
import type { VerdictKind } from './verdict.js'

/** `1 of 3 models is clearly worse under at least one perturbation.` Nothing for a single card. */
export function sumUpAll(subjects: readonly Subject[]): Markup[] {
  const compared = subjects.filter(({ findings }) => findings.some(({ column }) => !column.identity))
  if (compared.length < 2) return []
  const worse = compared.filter(({ findings }) =>
    findings.some(({ column, verdict }) => !column.identity && verdict.kind === 'worse'),
  )
  const share = worse.length === 0 ? 'None' : String(worse.length)
  const are = worse.length === 1 ? 'is' : 'are'
  const isPlain = (['environment', 'agent'] as const).every(
    (field) => new Set(compared.map((one) => one[field])).size === 1,
  )
  const noun = isPlain ? 'models' : 'cards below'
  return [
    element(
      'p',
      { class: 'overall' },
      `${share} of ${String(compared.length)} ${noun} ${are} clearly worse under at least one perturbation.`,
    ),
  ]
}

/**
 * `Clearly worse under 3 of 4 perturbations; cannot tell under 1.` Nothing for a single one, of which the next sentence
 * tells.
 */
export function sumUpOne({ clean, findings }: Subject): Markup | undefined {
  const says = (text: string): Markup => element('p', { class: 'says' }, text)
  if (clean === undefined) return says('No clean twin was played, so there is nothing to compare with.')
  const perturbed = findings.filter(({ column }) => !column.identity)
  if (perturbed.length === 0) return says('No perturbation was played.')
  if (perturbed.length === 1) return undefined
  const words = order
    .map((kind) => perturbed.filter(({ verdict }) => verdict.kind === kind))
    .filter((alike) => alike.length > 0)
    .map((alike, index) => {
      const words = index === 0 ? alike[0]!.verdict.says : alike[0]!.verdict.says.toLowerCase()
      return `${words} under ${String(alike.length)}${index === 0 ? ` of ${count(perturbed.length, 'perturbation')}` : ''}`
    })
  return says(`${words.join('; ')}.`)
}

const order: readonly VerdictKind[] = ['worse', 'better', 'steady', 'unclear', 'unknown', 'untouched']
