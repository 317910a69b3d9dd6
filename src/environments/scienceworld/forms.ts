import type { ReadAction } from '../../core/environment.js'
import type { ActionForm, Filling } from '../../core/form.js'
import { literalLength, printForm, readForm } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import { names } from './tasks.js'

/** The command for the list of kinds of action. It belongs to AgentBoard's wrapper and does not reach the engine. */
export const checkValidActions = 'check valid actions'

const form = (template: string, meaning: string): ActionForm => ({ template, meaning })

/** The actions that our instruction advertises. */
const advertisedForms: readonly ActionForm[] = [
  form('look around', 'get a description of the room'),
  form('look at {obj}', 'get a description of an object'),
  form('look in {obj}', 'see what is inside a container'),
  form('read {obj}', 'read a book, a note or a recipe'),
  form('open {obj}', 'open a door or a container'),
  form('close {obj}', 'close a door or a container'),
  form('go to {place}', 'walk to a room next to this one, through an open door'),
  form('pick up {obj}', 'take an object into your inventory'),
  form('put down {obj}', 'lay an object of your inventory down in the room'),
  form('move {obj} to {other}', 'put an object into or onto another'),
  form('pour {obj} into {other}', 'pour a liquid, or what a container has, into a container'),
  form('dunk {obj} into {other}', 'fill a container by dipping it into a liquid'),
  form('mix {obj}', 'let the contents of a container react'),
  form('activate {obj}', 'switch a device on'),
  form('deactivate {obj}', 'switch a device off'),
  form('use {obj} on {other}', 'use a tool or an instrument on an object'),
  form('eat {obj}', 'eat something'),
  form('flush {obj}', 'flush a toilet'),
  form('focus on {obj}', 'declare that an object is the one that the task is about; a wrong choice ends most tasks'),
  form('wait', 'let ten moments pass'),
  form('wait1', 'let one moment pass'),
  form('task', 'read the task again'),
  form('inventory', 'list what you have with you'),
]

/** The actions for electrical circuits, which most simplifications leave out. */
const electricalForms: readonly ActionForm[] = [
  form('connect {obj} to {other}', 'connect two electrical parts'),
  form('disconnect {obj}', 'take an electrical part out of its circuit'),
]

/** The action that the engine's simplification `teleportAction` would add; other benchmarks use it. */
const teleportForm = form('teleport to {place}', 'be in a room at once')

/** As the list of kinds of action has it; `go to kitchen` is not of this form, but of the longer one. */
const goForm = 'go {place}'

/** Actions that are understood, but not advertised: those of the engine's and the wrapper's lists. */
const otherForms: readonly ActionForm[] = [
  form(checkValidActions, 'list the kinds of action'),
  form(goForm, 'walk to a room'),
  form('pour {obj} in {other}', 'pour a liquid into a container'),
  form('dunk {obj} in {other}', 'fill a container by dipping it into a liquid'),
  form('reset task', 'forget the progress and what was focused on'),
  form('help', 'list the kinds of action'),
  form('objects', 'list the objects that can be named'),
]

/** All forms of an episode. */
export function formsOf(isElectrical: boolean): readonly ActionForm[] {
  return [...advertisedOf(isElectrical), ...otherForms]
}

/** The forms that our instruction advertises in an episode. */
export function advertisedOf(isElectrical: boolean): readonly ActionForm[] {
  return [...advertisedForms, ...(isElectrical ? electricalForms : [])]
}

/** Every form of any episode. */
export const allForms: readonly ActionForm[] = [...advertisedOf(true), teleportForm, ...otherForms]
export const allTemplates: readonly string[] = allForms.map(({ template }) => template)

/** Other wordings that the engine takes for a form (`scienceworld/actions`, engine 1.3.0). */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  'look around': ['look'],
  'look at {obj}': ['look on {obj}', 'examine {obj}'],
  'go to {place}': ['go through', 'go into', 'walk to', 'walk through', 'move to', 'move through', 'move into'].map(
    (verb) => `${verb} {place}`,
  ),
  'pick up {obj}': ['get {obj}', 'take {obj}'],
  'put down {obj}': ['drop {obj}'],
  'move {obj} to {other}': ['move', 'put'].flatMap((verb) =>
    ['to', 'in', 'into', 'on'].map((word) => `${verb} {obj} ${word} {other}`),
  ),
  'pour {obj} into {other}': ['pour {obj} on {other}', 'pour {obj} to {other}'],
  'mix {obj}': ['stir {obj}'],
  'activate {obj}': ['turn on {obj}'],
  'deactivate {obj}': ['turn off {obj}'],
  'use {obj} on {other}': ['use {obj} with {other}'],
  'eat {obj}': ['consume {obj}'],
  'focus on {obj}': ['focus {obj}'],
  'connect {obj} to {other}': ['connect {obj} in {other}', 'connect {obj} into {other}'],
  'teleport to {place}': ['teleport into {place}', 'teleport {place}'],
}

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
  const found = templates
    .flatMap((template) => [template, ...(synonyms[template] ?? [])].map((wording) => ({ template, wording })))
    .map((one) => ({ ...one, folded: fold(one.wording) }))
    .sort((one, other) => literalLength(other.wording) - literalLength(one.wording))
  patterns.set(templates, found)
  return found
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

function namesByFold(given: readonly string[]): ReadonlyMap<string, string> {
  const known = foldedNames.get(given) ?? new Map(given.map((name) => [fold(name), name]))
  foldedNames.set(given, known)
  return known
}

/**
 * Reads an action as the engine does: in any letter case, with or without articles, in any of its own wordings. Slots
 * take any text, since objects have many names; known names decide where a text can be divided in several ways.
 */
export function readAction(
  action: string,
  templates: readonly string[],
  given: readonly string[] = names(),
): ReadAction | undefined {
  const [text, folded, known] = [action.trim().replace(/\s+/g, ' '), fold(action), namesByFold(given)]
  const isName = (value: string): boolean => known.has(fold(value))
  const found = patternsOf(templates)
  for (const accepts of [isName, undefined]) {
    for (const { template, wording, folded: lower } of found) {
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
  const found = readAction(action, allTemplates)
  return found === undefined ? action : printForm(found.template, found.filling)
}

/** The engine's answer to what it does not understand. */
export const unknownInput = 'No known action matches that input.'
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
