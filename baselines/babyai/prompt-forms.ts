import { findWhole } from '../_lessons.js'
import type { Prompt } from '../_prompt.js'
import { formByOutcome, templateOf } from './outcome.js'
import type { Sight } from './sight.js'
import { readSight } from './sight.js'
import type { Form } from './words.js'
import { literalWords, readTemplate, verbOf } from './words.js'

/**
 * The wordings that a prompt shows, the best proven first: what the worked examples did (known by what came of it), what was listed as possible in
 * them, then what the instruction advertises (known by the words beside a form, or by its own), then the helping commands.
 */
export function formsOf(prompt: Prompt): readonly Form[] {
  const shown: Form[] = []
  const listed: Form[] = []
  const names: string[] = []
  let before: Sight | undefined
  for (const { action, observation } of prompt.examples) {
    const after = readSight(observation)
    const form = formByOutcome(action, before, after)
    if (form !== undefined) shown.push(form)
    if (after.isView) before = after
    names.push(...after.things.map(({ name }) => name))
  }
  for (const { observation } of prompt.examples) {
    for (const command of readSight(observation).commands) listed.push(...formInList(command, names))
  }
  const helping = prompt.help.map((template) => ({ template, meaning: '' }))
  const advertised = [...prompt.forms, ...helping].flatMap(({ template: given, meaning }): Form[] => {
    const read = readTemplate(given)
    if (read === undefined) return []
    const { template, isAboutThing } = read
    const verb =
      shown.find((form) => form.template === template)?.verb ??
      verbOf(meaning, isAboutThing) ??
      verbOf(literalWords(template), isAboutThing)
    return verb === undefined ? [] : [{ verb, template }]
  })
  return [...new Map([...shown, ...listed, ...advertised].map((form) => [form.template, form])).values()]
}

/** The form of a command in a list of possible ones, known by its words; nothing where they say nothing. */
export function formInList(command: string, names: readonly string[]): Form[] {
  let name = ''
  for (const one of names) if (one.length > name.length && findWhole(command, one) !== -1) name = one
  const template = name === '' ? command : templateOf(command, name)
  if (name === '' && /\d/.test(command)) return []
  const verb = verbOf(literalWords(template), name !== '')
  return verb === undefined ? [] : [{ verb, template }]
}
