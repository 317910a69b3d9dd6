import type { World } from '../core/environment.js'
import type { InvalidKind } from '../core/episode.js'
import { parseTemplate, readForm } from '../core/form.js'
import { createNameFinder } from '../core/names.js'

/**
 * Classifies actions that were not understood by the forms and item names of an episode, in the agent's wording.
 * Undefined where the environment names no action forms, or has forms with slots and names no items.
 */
export function createInvalidClassifier(
  world: Pick<World, 'briefing' | 'names' | 'read'>,
): ((action: string, isWhole: boolean) => InvalidKind) | undefined {
  const templates = world.briefing.forms.map(({ template }) => template)
  const needsNames = templates.some((template) => parseTemplate(template).slots.length > 0)
  if (templates.length === 0 || (needsNames && world.names.length === 0)) return undefined
  const names = new Set(world.names)
  const longest = world.names.reduce((length, name) => Math.max(length, name.length), 0)
  const finder = createNameFinder(names)
  const isNamed = (value: string): boolean => {
    let found = names.has(value)
    if (!found) finder.replace(value, (name) => ((found = true), name))
    return found
  }
  const verbs = new Set(templates.map((template) => firstWord(parseTemplate(template).literals[0]!)))
  // An environment that takes texts around names may read an action without any item of the episode.
  const isRead = (action: string): boolean => {
    const filling = world.read?.(action, templates, world.names, true)?.filling
    return filling !== undefined && Object.values(filling).every(isNamed)
  }
  const isForm = (action: string): boolean =>
    templates.some((template) => readForm(template, action, (value) => names.has(value), longest) !== undefined) ||
    isRead(action)
  return (action, isWhole) => {
    const said = action.trim()
    if (!isWhole || said === '') return 'unparsable'
    if (isForm(said)) return 'wrong-state'
    // A form that begins with a slot has no first word, so every action begins like it.
    return verbs.has('') || verbs.has(firstWord(said)) ? 'unknown-item' : 'unknown-verb'
  }
}

/** The letters, digits and marks up to the first blank, bracket or quotation mark, in lower case. */
function firstWord(text: string): string {
  return /^[^\s()[\]{}"']*/.exec(text.trimStart())![0].toLowerCase()
}
