import * as z from 'zod'
import type { ReadAction } from '../../core/environment.js'
import { type ActionForm, type Filling, literalLength, printForm, readForm } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import { packagedData } from '../../files/packaged.js'
import { formList } from '../prompts.js'
import { names } from './tasks.js'

/** The command for the list of kinds of action. It belongs to AgentBoard's wrapper and does not reach the engine. */
export const checkValidActions = 'check valid actions'

const data = packagedData(
  'src/environments/scienceworld/forms.yaml',
  z.strictObject({
    advertised: formList,
    electrical: formList,
    others: formList,
    synonyms: z.record(z.string(), z.array(z.string())),
  }),
)

/** The action that the engine's simplification `teleportAction` would add; other benchmarks use it. */
const teleportForm: ActionForm = { template: 'teleport to {place}', meaning: 'be in a room at once' }

/** As the list of kinds of action has it; `go to kitchen` is not of this form, but of the longer one. */
const goForm = 'go {place}'

/** All forms of an episode. */
export function formsOf(isElectrical: boolean): readonly ActionForm[] {
  return [...advertisedOf(isElectrical), ...data().others]
}

/** The forms that our instruction advertises in an episode. */
export function advertisedOf(isElectrical: boolean): readonly ActionForm[] {
  return [...data().advertised, ...(isElectrical ? data().electrical : [])]
}

/** Every form of any episode. */
export const allForms = (): readonly ActionForm[] => [...advertisedOf(true), teleportForm, ...data().others]
let templates: readonly string[] | undefined
/** Their templates, always the same list. */
export const allTemplates = (): readonly string[] => (templates ??= allForms().map(({ template }) => template))

/** A wording, and the template that it is a wording of. */
interface Pattern {
  readonly template: string
  readonly wording: string
  /** The wording as {@link fold} has it. */
  readonly folded: string
}

const patterns = new WeakMap<readonly string[], readonly Pattern[]>()

/** The wordings of some templates, the longest first: `look at {obj}` before `look`. */
function patternsOf(templates: readonly string[]): readonly Pattern[] {
  const known = patterns.get(templates)
  if (known !== undefined) return known
  const matches = templates
    .flatMap((template) => [template, ...(data().synonyms[template] ?? [])].map((wording) => ({ template, wording })))
    .map((pattern) => ({ ...pattern, folded: fold(pattern.wording) }))
    .sort((one, other) => literalLength(other.wording) - literalLength(one.wording))
  patterns.set(templates, matches)
  return matches
}

const articles = new Set(['a', 'an', 'the'])

/** An action as the engine compares it with its own: in lower case, without articles, with single blanks. */
export function fold(action: string): string {
  return action
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !articles.has(word))
    .join(' ')
}

const foldedNames = new WeakMap<readonly string[], ReadonlyMap<string, string>>()

function namesByFold(names: readonly string[]): ReadonlyMap<string, string> {
  const known = foldedNames.get(names) ?? new Map(names.map((name) => [fold(name), name]))
  foldedNames.set(names, known)
  return known
}

/**
 * Reads an action as the engine does: in any letter case, with or without articles, in any of its own wordings. Slots
 * take any text, since objects have many names; known names decide where a text can be divided in several ways.
 */
export function readAction(
  action: string,
  templates: readonly string[],
  itemNames: readonly string[] = names(),
): ReadAction | undefined {
  const [text, folded, known] = [action.trim().replace(/\s+/g, ' '), fold(action), namesByFold(itemNames)]
  const isName = (value: string): boolean => known.has(fold(value))
  const matches = patternsOf(templates)
  for (const accepts of [isName, undefined]) {
    for (const { template, wording, folded: lower } of matches) {
      const filling = readForm(wording, text, accepts) ?? readForm(lower, folded, accepts)
      if (filling === undefined || (template === goForm && /^(?:to|through|into) /.test(filling['place']!))) continue
      const values = Object.entries(filling).map(([slot, value]) => [slot, known.get(fold(value)) ?? value])
      return { template, filling: Object.fromEntries(values) as Filling }
    }
  }
  return undefined
}

/** An action in the first of the engine's wordings for it; the action itself where it is of no form. */
export function canonical(action: string): string {
  const reading = readAction(action, allTemplates())
  return reading === undefined ? action : printForm(reading.template, reading.filling)
}

/** The engine's answer to what it does not understand. */
const unknownInput = 'No known action matches that input.'
const unknownChoice = 'Unknown action.'
const dialogue = 'Ambiguous request'

/** Whether an observation asks for the number of an action. */
function asksForNumber(observation: string): boolean {
  return observation.startsWith(dialogue)
}

/** Whether an observation says that the engine did not understand. */
export function isRefusal(observation: string): boolean {
  return observation.startsWith(unknownInput) || observation.startsWith(unknownChoice)
}

const helpLead = 'Possible actions: \n\t'
const listSeparator = '\n\t'

/** An observation of the engine, in which the commands that it quotes are pieces. */
export function quote(observation: string): Text {
  if (observation.startsWith(helpLead)) {
    return [helpLead, { list: observation.slice(helpLead.length).split(listSeparator), separator: listSeparator }]
  }
  if (asksForNumber(observation)) {
    return observation
      .split(/^(\d+:\t)(.*)$/m)
      .map((part, index) => (index % 3 === 2 ? { command: part } : part))
      .filter((part) => part !== '')
  }
  const parts = /^(Unknown action\. {2}Type ')(help)(' .*, and ')(objects)(' .*)$/s.exec(observation)
  if (parts === null) return [observation]
  return [parts[1]!, { command: parts[2]! }, parts[3]!, { command: parts[4]! }, parts[5]!]
}
