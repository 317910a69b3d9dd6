import { parseTemplate, readForm } from '../../core/form.js'
import type { Facts } from '../pddl/tables.js'
import { groundAction } from '../pddl/play.js'
import type { GroundAction, TaskAction } from '../pddl/task.js'
import type { CompiledGame } from './compile-game.js'
import { isPossible } from './possible.js'
import { readWords } from './read.js'
import type { ActionWording } from './wording.js'

interface Verb {
  readonly action: TaskAction
  readonly wording: ActionWording
  /** In small letters. */
  readonly template: string
  readonly slots: number
}

/** An action as it was read; none where an object cannot stand where it was named. */
export interface ReadAction {
  readonly ground: GroundAction | undefined
}

/** Reads actions in small letters in a live game. */
export interface ActionReader {
  /** Undefined where a text names none that can be done now. */
  read(text: string): ReadAction | undefined
  /** As far as a text has an action's words to the letter, which counts only in a domain of somebody's own. */
  readExactly(text: string): ReadAction | undefined
}

/** Reads actions as AgentBoard does, and before that, in a domain of somebody's own, to the letter: its names may be any. */
export function createActionReader(game: CompiledGame, facts: Facts): ActionReader {
  const { task, wording } = game
  const verbs = game.task.actions.map((action) => {
    const worded = wording.actions.get(action.name)!
    return { action, wording: worded, slots: worded.parameters.length, template: worded.template.toLowerCase() }
  })
  const byWord = new Map(verbs.map((verb) => [verb.wording.verb, verb]))
  const objects = new Set(game.names)
  const longest = game.names.reduce((most, { length }) => Math.max(most, length), 0)
  const isObject = (word: string): boolean => objects.has(word)
  const verbOf = (word: string): Verb | undefined => {
    const verb = byWord.get(word)
    return verb !== undefined && isPossible(game, verb.action, facts) ? verb : undefined
  }
  const ground = ({ action, wording: { parameters } }: Verb, names: readonly string[]): ReadAction => {
    const given: number[] = []
    parameters.forEach((parameter, slot) => (given[parameter] = task.object(names[slot]!)!))
    return { ground: groundAction(task, action, given) }
  }
  const readExactly = (text: string): ReadAction | undefined => {
    if (wording.manner !== 'plain') return undefined
    const body = text.trim().replace(/\.$/, '')
    for (const verb of verbs) {
      const filling = readForm(verb.template, body, isObject, longest)
      if (filling === undefined) continue
      return ground(
        verb,
        parseTemplate(verb.template).slots.map((slot) => filling[slot]!),
      )
    }
    return undefined
  }
  return {
    readExactly,
    read(text) {
      const exact = readExactly(text)
      if (exact !== undefined) return exact
      const found = readWords(text, verbOf, isObject)
      return found && ground(found.verb, found.objects)
    },
  }
}
