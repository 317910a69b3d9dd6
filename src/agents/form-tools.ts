import { type ActionForm, parseTemplate } from '../core/form.js'
import type { ToolDefinition } from '../core/model.js'

/** A function for an action form. */
export interface FormTool {
  readonly definition: ToolDefinition
  readonly template: string
  /** The slot of each parameter, in the order of the parameters. */
  readonly slots: readonly string[]
}

/** Limits of the chat completions API. */
const maxNameLength = 64
const maxDescriptionLength = 1000

/**
 * Action forms as functions for chat completions. A function's name consists of the form's words: `take {obj} from
 * {recep}` is `take_from`; its parameters are the slots, in the form's order. Where two forms have the same words,
 * their names include the slots: `move_to_recep` and `move_obj_to_recep`. Everything is derived from the forms that the
 * agent sees, so perturbations apply to all of it.
 */
export function toolsOf(forms: readonly ActionForm[]): readonly FormTool[] {
  const shapes = forms.map(({ template }) => shapeOf(template))
  const count = new Map<string, number>()
  for (const { short } of shapes) count.set(short, (count.get(short) ?? 0) + 1)
  const taken = new Set<string>()
  return forms.map(({ template, meaning }, index): FormTool => {
    const { short, long, slots, names } = shapes[index]!
    const name = unique(count.get(short) === 1 ? short : long, taken)
    return {
      definition: {
        name,
        description: `'${template}': ${meaning}`.slice(0, maxDescriptionLength),
        parameters: slots.map((slot, at) => ({
          name: names[at]!,
          description: `what stands for {${slot}} in '${template}'`.slice(0, maxDescriptionLength),
        })),
      },
      template,
      slots,
    }
  })
}

/**
 * The action of a call, derived from the function's name alone: the arguments stand between the name's words, so that
 * `take_from` with two arguments is `take mug 1 from desk 1`. An argument whose name occurs in the function's name
 * takes its place there.
 * @param argumentList names and values of the arguments, in the order of the call
 */
export function wordCall(name: string, argumentList: readonly (readonly [name: string, value: string])[]): string {
  const words = name.split(/[_\s]+/).filter((word) => word !== '')
  const places = argumentList.map(([parameter]) => words.indexOf(parameter))
  const isNamed =
    argumentList.length < words.length && places.every((place, index) => place > (places[index - 1] ?? -1))
  const behind = isNamed ? 0 : Math.min(Math.max(0, argumentList.length - 1), Math.max(0, words.length - 1))
  const texts = words.map((word) => word.replaceAll('-', '/'))
  if (isNamed) {
    argumentList.forEach(([, value], index) => (texts[places[index]!] = value))
    return texts.join(' ')
  }
  const [head, tail] = [texts.slice(0, texts.length - behind), texts.slice(texts.length - behind)]
  return [
    ...head,
    ...argumentList.flatMap(([, value], index) =>
      index === 0 ? [value] : [...(tail[index - 1] === undefined ? [] : [tail[index - 1]!]), value],
    ),
  ].join(' ')
}

/** The short and the long name of a function for a form, its slots, and the names of its parameters. */
function shapeOf(template: string) {
  const { literals, slots: all } = parseTemplate(template)
  const slots = [...new Set(all)]
  const taken = new Set<string>()
  const names = slots.map((slot) => unique(nameOf(slot.replaceAll('}/{', ' or ')), taken))
  const named = literals.map((literal, at) => `${literal} ${at < all.length ? names[slots.indexOf(all[at]!)]! : ''} `)
  return { short: nameOf(literals.join(' ')), long: nameOf(named.join('')), slots, names }
}

/** A valid name of letters and digits, with `-` for a slash and `_` for all other separators. */
function nameOf(text: string): string {
  const name = text
    .slice(0, 1000)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/]+/g, '_')
    .replace(/\//g, '-')
  let [start, end] = [0, name.length]
  while (start < end && '_-'.includes(name[start]!)) start++
  while (end > start && '_-'.includes(name[end - 1]!)) end--
  const tidy = name.slice(start, Math.min(end, start + maxNameLength))
  return tidy === '' ? 'action' : tidy
}

function unique(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) {
    const suffix = `_${String(number)}`
    free = name.slice(0, maxNameLength - suffix.length) + suffix
  }
  taken.add(free)
  return free
}
