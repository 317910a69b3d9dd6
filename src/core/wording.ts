import type { Briefing } from './environment.js'
import { ShaketableError, nearMiss } from './errors.js'
import type { ActionForm, Filling } from './form.js'
import { literalLength, parseTemplate, printForm, readForm } from './form.js'
import type { Lens } from './perturbation.js'

/** An action form in an environment's wording and an agent's. */
export interface Reworded {
  readonly form: ActionForm
  readonly from: string
  readonly to: string
}

const checked = new WeakMap<Briefing, WeakSet<Lens>>()

/**
 * Refuses a lens with a rule for a form that no task of the environment has: it would never change anything. Without
 * `knownForms` nothing is known to be wrong.
 * @throws ShaketableError `perturbation` with the rule, the near miss and the forms of the scene
 */
export function checkRules(name: string, lens: Lens, briefing: Briefing): void {
  const { rules, forms, knownForms } = { rules: lens.rules ?? [], ...briefing }
  if (rules.length === 0 || knownForms === undefined || checked.get(briefing)?.has(lens)) return
  const here = forms.map(({ template }) => template)
  const known = new Set([...here, ...knownForms])
  const unknown = rules.find((rule) => !known.has(rule))
  if (unknown !== undefined) {
    const near = [...known].find((form) => shape(form) === shape(unknown)) ?? nearMiss(unknown, known)
    throw new ShaketableError(
      'perturbation',
      `The perturbation '${name}' has a rule for '${unknown.slice(0, 200)}', but the environment has no such action form.${near === undefined ? '' : ` Did you mean '${near}'?`} ` +
        `Its forms here: ${here.map((template) => `'${template}'`).join(', ')}. Write the rule for one of them, slots included, or leave it out.`,
    )
  }
  checked.set(briefing, (checked.get(briefing) ?? new WeakSet<Lens>()).add(lens))
}

/** A template whatever its slots are called. */
export function shape(template: string): string {
  return parseTemplate(template).literals.join('{}')
}

/** The new wording of a template.
 * @throws ShaketableError `perturbation` when a slot got lost, or no action on one line can be of the new wording */
export function rewordTemplate(lens: Lens, from: string): string {
  const to: unknown = lens.form?.(from) ?? from
  if (to === from) return from
  if (typeof to !== 'string') {
    throw new ShaketableError(
      'perturbation',
      `The action form '${from}' must be given a wording that is a string, got ${typeof to}.`,
    )
  }
  const wanted = [...parseTemplate(from).slots].sort().join(' ')
  const got = [...parseTemplate(to).slots].sort().join(' ')
  if (wanted !== got) {
    throw new ShaketableError(
      'perturbation',
      `The action form '${from}' has the slots [${wanted}], but its new wording '${to}' has [${got}]. Use each slot exactly once.`,
    )
  }
  if (to === '' || to !== to.trim() || /[\r\n]/.test(to) || parseTemplate(to).literals.slice(1, -1).includes('')) {
    throw new ShaketableError(
      'perturbation',
      `The action form '${from}' cannot be worded as ${JSON.stringify(to)}. Write it on one line, without blanks at its ends, with words between its slots.`,
    )
  }
  return to
}

/** The forms of an environment in both wordings. */
export function rewordForms(lens: Lens, forms: readonly ActionForm[]): readonly Reworded[] {
  return forms.map((form) => ({ form, from: form.template, to: rewordTemplate(lens, form.template) }))
}

/**
 * Refuses a rewording after which one text would be two different actions. Tried with two items in the slots; what only
 * special names bring about is found by the laws.
 */
export function checkWordings(reworded: readonly Reworded[], items: readonly string[]): void {
  const sample = [items[0] ?? 'thing 1', items[1] ?? 'thing 2']
  for (const one of reworded) {
    if (one.from === one.to) continue
    const { slots } = parseTemplate(one.to)
    const text = printForm(one.to, Object.fromEntries(slots.map((slot, index) => [slot, sample[index % 2]!])))
    for (const other of reworded) {
      if (other === one || readForm(other.to, text, (value) => sample.includes(value)) === undefined) continue
      throw new ShaketableError(
        'perturbation',
        `'${one.from}' worded as '${one.to}' collides with '${other.to}': '${text}' would be both. Choose other words.`,
      )
    }
  }
}

/**
 * The form that says most about a text among those that it can be of, whatever stands in their slots; the earlier of
 * two equals.
 */
export function nearestForm<T extends { readonly template: string }>(
  templates: readonly T[],
  text: string,
): { readonly found: T; readonly filling: Filling } | undefined {
  let best: { readonly found: T; readonly filling: Filling } | undefined
  let most = -1
  for (const found of templates) {
    const length = literalLength(found.template)
    if (length <= most) continue
    const filling = readForm(found.template, text)
    if (filling === undefined) continue
    best = { found, filling }
    most = length
  }
  return best
}
