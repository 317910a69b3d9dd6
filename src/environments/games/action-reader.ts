import { parseTemplate } from '../../core/form.js'
import { applicableActions, changesOf, groundAction, isApplicable } from '../pddl/play.js'
import { solve } from '../pddl/solve.js'
import type { Facts } from '../pddl/tables.js'
import type { GroundAction, Task, TaskAction } from '../pddl/task.js'
import type { CompiledGame } from './compile-game.js'
import { wordsOf } from './tokens.js'

/** A recognised action; `ground` is undefined where an object has the wrong type for its slot. */
interface ReadAction {
  readonly ground: GroundAction | undefined
}

/**
 * Reads actions in lower case in a live game as AgentBoard does. The first verb of an action that is possible now
 * counts, wherever it is; its objects are the first ones that the text names, in order. All other words are ignored.
 * @returns a reader, whose result is undefined where there is no verb, or too few objects
 */
export function createActionReader({ task, wording, names }: CompiledGame, facts: Facts) {
  const byWord = new Map(
    task.actions.map((action) => {
      const { verb, template } = wording.actions.get(action.name)!
      return [verb, { action, slots: parseTemplate(template).slots.length }]
    }),
  )
  const objects = new Set(names)
  return (text: string): ReadAction | undefined => {
    const words = wordsOf(text)
    for (const word of words) {
      const verb = byWord.get(word)
      if (verb === undefined || !isPossible(verb.action, facts)) continue
      const named = words.filter((one) => objects.has(one))
      if (named.length < verb.slots) return undefined
      const given = named.slice(0, verb.slots).map((name) => task.object(name)!)
      return { ground: groundAction(task, verb.action, given) }
    }
    return undefined
  }
}

/** Whether an applicable action changes anything. */
function wouldChange(task: Task, ground: GroundAction, facts: Facts): boolean {
  const { added, deleted } = changesOf(task, ground, facts)
  return added.some((atom) => !facts.has(atom)) || deleted.some((atom) => facts.has(atom))
}

/** Whether an action is applicable and either listed by the game or not without effect. */
export function isUnderstood(task: Task, ground: GroundAction, facts: Facts): boolean {
  if (!isApplicable(ground, facts)) return false
  return areDistinct(ground.arguments) || wouldChange(task, ground, facts)
}

/** All actions that the game lists now: those whose arguments all differ, even if they change nothing. */
export function listActions(task: Task, facts: Facts): readonly GroundAction[] {
  return applicableActions(task, facts).filter((ground) => areDistinct(ground.arguments))
}

/** Whether the game lists an action with any objects. */
export function isPossible(action: TaskAction, facts: Facts): boolean {
  const count = action.normal.schema.parameters.length
  return solve(action.all, action.frame, facts, () => areDistinct(action.frame.registers, count))
}

/** Whether the first `count` objects all differ. */
export function areDistinct(objects: ArrayLike<number>, count = objects.length): boolean {
  for (let index = 1; index < count; index++) {
    for (let before = 0; before < index; before++) if (objects[index] === objects[before]) return false
  }
  return true
}
