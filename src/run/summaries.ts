import type { World } from '../core/environment.js'
import type { Perturbation } from '../core/perturbation.js'

/** A form of the environment whose wording the summaries of shipped perturbations quote. */
const quotedForm = 'take {obj} from {recep}'

/**
 * The summary of a perturbation for a run on an environment: with a wording of that environment in place of another's
 * that the summary quotes, and without one where none is known.
 * @param perturbed the world with this perturbation alone; absent in a stack
 */
export function summaryIn(
  { summary, environment }: Pick<Perturbation, 'summary' | 'environment'>,
  { briefing, names }: Pick<World, 'briefing' | 'names'>,
  perturbed?: Pick<World, 'briefing' | 'names'>,
): string {
  const isItsOwn = ({ template }: { readonly template: string }): boolean =>
    template === quotedForm || (template.includes('{') && summary.includes(template))
  if (!/[→↔]/.test(summary) || environment !== undefined || briefing.forms.some(isItsOwn)) return summary
  const colon = summary.indexOf(': ')
  const what = colon > 0 && colon < summary.search(/[→↔]/) ? summary.slice(0, colon) : ''
  const pairs = [
    ...briefing.forms.map(({ template }, place) => [template, perturbed?.briefing.forms[place]?.template]),
    ...names.map((name, place) => [name, perturbed?.names[place]]),
    [briefing.goal, perturbed?.briefing.goal],
  ]
  const [before, after] = pairs.find(([one, other]) => other !== undefined && one !== other) ?? []
  const example = before === undefined ? '' : `${before} → ${after!}`
  return [what, example].filter((part) => part !== '').join(': ')
}
