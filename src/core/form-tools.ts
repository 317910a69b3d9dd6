import type { ActionForm } from './form.js'
import { parseTemplate } from './form.js'
import type { ToolDefinition } from './model.js'

/** An action form as a function. */
export interface FormTool {
  readonly definition: ToolDefinition
  readonly template: string
  /** The slot that each parameter fills, in the parameters' order. */
  readonly slots: readonly string[]
}

/** What chat completions takes for a name. */
const longestName = 64
const longestDescription = 1000

const made = new WeakMap<readonly ActionForm[], readonly FormTool[]>()

/**
 * Action forms as functions: the name is made of a form's words, `take {obj} from {recep}` is `take_from`, and
 * parameters are its slots in its own order. Where two forms have the same words the slots come into the name:
 * `move_to_recep` beside `move_obj_to_recep`. As all of it comes from the forms that an agent is told, a perturbation
 * reaches all of it.
 */
export function toolsOf(forms: readonly ActionForm[]): readonly FormTool[] {
  const known = made.get(forms)
  if (known !== undefined) return known
  const shapes = forms.map(({ template }) => shapeOf(template))
  const count = new Map<string, number>()
  for (const { short } of shapes) count.set(short, (count.get(short) ?? 0) + 1)
  const taken = new Set<string>()
  const tools = forms.map(({ template, meaning }, index): FormTool => {
    const { short, long, slots, names } = shapes[index]!
    const name = unique(count.get(short) === 1 ? short : long, taken)
    return {
      definition: {
        name,
        description: `'${template}': ${meaning}`.slice(0, longestDescription),
        parameters: slots.map((slot, at) => ({
          name: names[at]!,
          description: `what stands for {${slot}} in '${template}'`.slice(0, longestDescription),
        })),
      },
      template,
      slots,
    }
  })
  made.set(forms, tools)
  return tools
}

/**
 * The action that a call stands for, by the function's name alone: its words with the arguments between them, so that
 * `take_from` with two arguments reads `take mug 1 from desk 1`. Arguments that are named within the name stand there.
 * @param given the arguments with their names, in the order in which they came
 */
export function wordCall(name: string, given: readonly (readonly [name: string, value: string])[]): string {
  const words = name.split(/[_\s]+/).filter((word) => word !== '')
  const places = given.map(([parameter]) => words.indexOf(parameter))
  const isNamed = given.length < words.length && places.every((place, index) => place > (places[index - 1] ?? -1))
  const behind = isNamed ? 0 : Math.min(Math.max(0, given.length - 1), Math.max(0, words.length - 1))
  const said = words.map((word) => word.replaceAll('-', '/'))
  if (isNamed) {
    given.forEach(([, value], index) => (said[places[index]!] = value))
    return said.join(' ')
  }
  const [head, tail] = [said.slice(0, said.length - behind), said.slice(said.length - behind)]
  return [
    ...head,
    ...given.flatMap(([, value], index) =>
      index === 0 ? [value] : [...(tail[index - 1] === undefined ? [] : [tail[index - 1]!]), value],
    ),
  ].join(' ')
}

interface Shape {
  readonly short: string
  readonly long: string
  readonly slots: readonly string[]
  /** Of the parameters. */
  readonly names: readonly string[]
}

function shapeOf(template: string): Shape {
  const { literals, slots: all } = parseTemplate(template)
  const slots = [...new Set(all)]
  const taken = new Set<string>()
  const names = slots.map((slot) => unique(nameOf(slot.replaceAll('}/{', ' or ')), taken))
  const named = literals.map((literal, at) => `${literal} ${at < all.length ? names[slots.indexOf(all[at]!)]! : ''} `)
  return { short: nameOf(literals.join(' ')), long: nameOf(named.join('')), slots, names }
}

/** A name of letters, digits, `_` for whatever parts words, and `-` for a stroke between them. */
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
  const tidy = name.slice(start, Math.min(end, start + longestName))
  return tidy === '' ? 'action' : tidy
}

function unique(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) {
    const suffix = `_${String(number)}`
    free = name.slice(0, longestName - suffix.length) + suffix
  }
  taken.add(free)
  return free
}
