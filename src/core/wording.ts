import type { Briefing } from './environment.js'
import { ShaketableError, nearMiss } from './errors.js'
import { type ActionForm, type Filling, literalLength, parseTemplate, printForm, readForm } from './form.js'
import type { Lens } from './perturbation.js'

/**
 * Checks that each form in the `rules` of a lens exists, since a rule for any other form would never change anything.
 * Not checked where `knownForms` is absent.
 * @throws ShaketableError `perturbation` with the rule, the near miss and the forms of the episode
 */
export function checkRules(name: string, lens: Lens, briefing: Briefing): void {
  const { rules, forms, knownForms } = { rules: lens.rules ?? [], ...briefing }
  if (rules.length === 0 || knownForms === undefined) return
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
}

/** A template without the names of its slots, for comparison. */
export function shape(template: string): string {
  return parseTemplate(template).literals.join('{}')
}

/**
 * The reworded template.
 * @throws ShaketableError `perturbation` if the slots differ, or no action on one line can match the new wording
 */
export function rewordTemplate(lens: Lens, from: string): string {
  const to = lens.form?.(from) ?? from
  if (to === from) return from
  const expected = [...parseTemplate(from).slots].sort().join(' ')
  const got = [...parseTemplate(to).slots].sort().join(' ')
  if (expected !== got) {
    throw new ShaketableError(
      'perturbation',
      `The action form '${from}' has the slots [${expected}], but its new wording '${to}' has [${got}]. Use each slot exactly once.`,
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

/** Action forms in the environment's wording (`from`) and the agent's (`to`). */
export function rewordForms(lens: Lens, forms: readonly ActionForm[]) {
  return forms.map((form) => ({ form, from: form.template, to: rewordTemplate(lens, form.template) }))
}

/**
 * Checks that no text is two different actions after the rewording. It is tried with two items in the slots; collisions
 * that need particular names are found by the laws.
 * @throws ShaketableError `perturbation` with both wordings
 */
export function checkWordings(
  reworded: readonly { readonly from: string; readonly to: string }[],
  items: readonly string[],
): void {
  for (const pair of reworded) {
    if (pair.from === pair.to) continue
    const { text, isItem } = sampleAction(pair.to, items)
    for (const other of reworded) {
      if (other === pair || readForm(other.to, text, isItem) === undefined) continue
      throw new ShaketableError(
        'perturbation',
        `'${pair.from}' worded as '${pair.to}' collides with '${other.to}': '${text}' would be both. Choose other words.`,
      )
    }
  }
}

/** A template with two items of the episode in its slots, and whether a text is one of these items. */
export function sampleAction(
  template: string,
  items: readonly string[],
): { readonly text: string; readonly isItem: (value: string) => boolean } {
  const sample = [items[0] ?? 'thing 1', items[1] ?? 'thing 2']
  const { slots } = parseTemplate(template)
  const text = printForm(template, Object.fromEntries(slots.map((slot, index) => [slot, sample[index % 2]!])))
  return { text, isItem: (value) => sample.includes(value) }
}

/**
 * The form with the most literal characters that matches a text, with any text in its slots; the earlier of two equals.
 */
export function nearestForm<T extends { readonly template: string }>(
  templates: readonly T[],
  text: string,
): { readonly found: T; readonly filling: Filling } | undefined {
  let best: { readonly found: T; readonly filling: Filling } | undefined
  let longest = -1
  for (const template of templates) {
    const length = literalLength(template.template)
    if (length <= longest) continue
    const filling = readForm(template.template, text)
    if (filling === undefined) continue
    best = { found: template, filling }
    longest = length
  }
  return best
}

/** Splits off what environments tolerate around a command: white space on both sides, and full stops at the end. */
export function frame(text: string): { readonly before: string; readonly body: string; readonly after: string } {
  let end = text.length
  while (end > 0 && (text[end - 1] === '.' || isBlank(text[end - 1]!))) end--
  let start = 0
  while (start < end && isBlank(text[start]!)) start++
  return { before: text.slice(0, start), body: text.slice(start, end), after: text.slice(end) }
}

function isBlank(character: string): boolean {
  return character <= ' ' || character.trim() === ''
}
