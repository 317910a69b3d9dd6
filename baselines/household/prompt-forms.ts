import { formByOutcome } from './outcome.js'
import type { Prompt } from '../_prompt.js'
import { readSight } from './sight.js'
import type { Form } from './wording.js'
import type { Verb } from './words.js'
import { literalWords } from '../_words.js'
import { readSlots, verbOf } from './words.js'

/**
 * The wordings that a prompt shows, the best proven first: what the worked examples did (known by what came of it),
 * then what the instruction advertises (known by the words beside a form, or by its own), then the helping commands.
 */
export function formsOf(prompt: Prompt): readonly Form[] {
  const shown = prompt.examples.flatMap(
    ({ action, observation }) => formByOutcome(action, readSight(observation)) ?? [],
  )
  const helping = prompt.help.map((template) => ({ template, meaning: '' }))
  const advertised = [...prompt.forms, ...helping].flatMap(({ template, meaning }): Form[] => {
    const slots = readSlots(template)
    if (slots === undefined) return []
    const example = shown.find((form) => form.template === slots.template)
    const verb = example?.verb ?? verbOf(meaning, slots.about) ?? verbOf(literalWords(template), slots.about)
    return verb === undefined ? [] : [{ verb, template: settle(slots.template, verb) }]
  })
  return [...new Map([...shown, ...advertised].map((form) => [`${form.verb} ${form.template}`, form])).values()]
}

/** A slot of unknown kind takes what its verb is about. */
function settle(template: string, verb: Verb): string {
  return template.replace('{x}', verb === 'use' ? '{t}' : '{p}')
}
