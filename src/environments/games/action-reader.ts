import { parseTemplate, readForm } from '../../core/form.js'
import { applicableActions, changesOf, groundAction, isApplicable } from '../pddl/play.js'
import { solve } from '../pddl/solve.js'
import type { Facts } from '../pddl/tables.js'
import type { GroundAction, Task, TaskAction } from '../pddl/task.js'
import type { CompiledGame } from './compile-game.js'
import { wordsOf } from './tokens.js'
import type { ActionWording } from './wording.js'

interface ReadableVerb {
  readonly action: TaskAction
  readonly wording: ActionWording
  /** In lower case. */
  readonly template: string
  readonly slots: number
}

/** A recognised action; `ground` is undefined where an object has the wrong type for its slot. */
interface ReadAction {
  readonly ground: GroundAction | undefined
}

/** Reads actions in lower case in a live game. */
interface ActionReader {
  /** Undefined where the text names no action that is possible now. */
  read(text: string): ReadAction | undefined
  /** Reads the exact wording of an action; only in the plain style. */
  readExactly(text: string): ReadAction | undefined
}

/** Reads actions as AgentBoard does; in the plain style it tries the exact wording first. */
export function createActionReader(game: CompiledGame, facts: Facts): ActionReader {
  const { task, wording } = game
  const verbs = game.task.actions.map((action) => {
    const worded = wording.actions.get(action.name)!
    return { action, wording: worded, slots: worded.parameters.length, template: worded.template.toLowerCase() }
  })
  const byWord = new Map(verbs.map((verb) => [verb.wording.verb, verb]))
  const objects = new Set(game.names)
  const longest = game.names.reduce((max, { length }) => Math.max(max, length), 0)
  const isObject = (word: string): boolean => objects.has(word)
  const verbOf = (word: string): ReadableVerb | undefined => {
    const verb = byWord.get(word)
    return verb !== undefined && isPossible(game, verb.action, facts) ? verb : undefined
  }
  const ground = ({ action, wording: { parameters } }: ReadableVerb, names: readonly string[]): ReadAction => {
    const given: number[] = []
    parameters.forEach((parameter, slot) => (given[parameter] = task.object(names[slot]!)!))
    return { ground: groundAction(task, action, given) }
  }
  const readExactly = (text: string): ReadAction | undefined => {
    if (wording.style !== 'plain') return undefined
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

/**
 * Reads an action as AgentBoard does. The first verb counts, wherever it is; its objects are the first ones that the
 * text names, in order. All other words are ignored.
 * @param verbOf the action of a word, where it is possible now
 * @returns undefined where there is no verb, or too few objects
 */
function readWords(
  text: string,
  verbOf: (word: string) => ReadableVerb | undefined,
  isObject: (word: string) => boolean,
): { readonly verb: ReadableVerb; readonly objects: readonly string[] } | undefined {
  const words = wordsOf(text)
  for (const word of words) {
    const verb = verbOf(word)
    if (verb === undefined) continue
    if (verb.slots === 0) return { verb, objects: [] }
    const objects = words.filter(isObject)
    return objects.length < verb.slots ? undefined : { verb, objects: objects.slice(0, verb.slots) }
  }
  return undefined
}

/** Whether an applicable action changes anything. */
function wouldChange(task: Task, ground: GroundAction, facts: Facts): boolean {
  const { added, deleted } = changesOf(task, ground, facts)
  return added.some((atom) => !facts.has(atom)) || deleted.some((atom) => facts.has(atom))
}

/** Whether an action is applicable and either offered by the game or not without effect. */
export function isUnderstood({ task, wording }: CompiledGame, ground: GroundAction, facts: Facts): boolean {
  if (!isApplicable(ground, facts)) return false
  const isOffered = wording.style === 'agentboard' && areDistinct(ground.arguments, ground.arguments.length)
  return isOffered || wouldChange(task, ground, facts)
}

/** All actions that the game lists now. */
export function listActions({ task, wording }: CompiledGame, facts: Facts): readonly GroundAction[] {
  const all = applicableActions(task, facts)
  return wording.style === 'agentboard'
    ? all.filter((ground) => areDistinct(ground.arguments, ground.arguments.length))
    : all.filter((ground) => wouldChange(task, ground, facts))
}

/** Whether the game offers an action with any objects. */
export function isPossible({ task, wording }: CompiledGame, action: TaskAction, facts: Facts): boolean {
  const count = action.normal.schema.parameters.length
  const { registers } = action.frame
  return solve(action.all, action.frame, facts, () =>
    wording.style === 'agentboard'
      ? areDistinct(registers, count)
      : wouldChange(task, groundAction(task, action, [...registers.subarray(0, count)])!, facts),
  )
}

/** Whether the first `count` objects all differ. */
function areDistinct(objects: ArrayLike<number>, count: number): boolean {
  for (let index = 1; index < count; index++) {
    for (let before = 0; before < index; before++) if (objects[index] === objects[before]) return false
  }
  return true
}
