import { parseTemplate } from '../../core/form.js'
import { applicableActions, areDistinct, changesOf, groundAction, isApplicable } from '../pddl/play.js'
import { solve } from '../pddl/solve.js'
import type { Facts } from '../pddl/tables.js'
import type { GroundAction, Task, TaskAction } from '../pddl/task.js'
import type { CompiledGame } from './compile-game.js'
import { readLoosely } from './read-loosely.js'

/**
 * Reads actions in a live game as AgentBoard does. The first verb of an action that is possible now counts, wherever it
 * is; its objects are the first ones that the text names, in order. All other words are ignored.
 * @returns a reader, whose result is undefined where there is no verb, or too few objects; `ground` is undefined where
 * an object has the wrong type for its slot
 */
export function createActionReader({ task, wording, names }: CompiledGame, facts: Facts) {
  const actions = task.actions.map(({ name }) => name)
  const templates = actions.map((name) => wording.actions.get(name)!.template)
  const isPossibleNow = (name: string): boolean => isPossible(task.actions[actions.indexOf(name)]!, facts)
  return (text: string): { readonly ground: GroundAction | undefined } | undefined => {
    const looseReading = readLoosely(text, templates, names, { actions, isPossible: isPossibleNow })
    if (looseReading === undefined) return undefined
    const { template, filling } = looseReading
    const objects = parseTemplate(template).slots.map((slot) => task.object(filling[slot]!)!)
    return { ground: groundAction(task, task.actions[templates.indexOf(template)]!, objects) }
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
