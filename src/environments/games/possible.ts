import type { Facts } from '../pddl/tables.js'
import { applicableActions, changesOf, groundAction, isApplicable } from '../pddl/play.js'
import { solve } from '../pddl/solve.js'
import type { GroundAction, Task, TaskAction } from '../pddl/task.js'
import type { CompiledGame } from './compile-game.js'

/** Whether an action that can be done changes anything. */
function wouldChange(task: Task, ground: GroundAction, facts: Facts): boolean {
  const { added, deleted } = changesOf(task, ground, facts)
  return added.some((atom) => !facts.has(atom)) || deleted.some((atom) => facts.has(atom))
}

/** Whether an action is one that the game offers, or that changes something although it is not. */
export function isUnderstood({ task, wording }: CompiledGame, ground: GroundAction, facts: Facts): boolean {
  if (!isApplicable(ground, facts)) return false
  const isOffered = wording.manner === 'agentboard' && areDistinct(ground.arguments, ground.arguments.length)
  return isOffered || wouldChange(task, ground, facts)
}

/** All actions that the game offers now. */
export function listActions({ task, wording }: CompiledGame, facts: Facts): readonly GroundAction[] {
  const all = applicableActions(task, facts)
  return wording.manner === 'agentboard'
    ? all.filter((ground) => areDistinct(ground.arguments, ground.arguments.length))
    : all.filter((ground) => wouldChange(task, ground, facts))
}

/** Whether the game offers an action with any objects. */
export function isPossible({ task, wording }: CompiledGame, action: TaskAction, facts: Facts): boolean {
  const count = action.normal.schema.parameters.length
  const { registers } = action.frame
  return solve(action.all, action.frame, facts, () =>
    wording.manner === 'agentboard'
      ? areDistinct(registers, count)
      : wouldChange(task, groundAction(task, action, [...registers.subarray(0, count)])!, facts),
  )
}

/** Whether the first so many objects all differ. */
function areDistinct(objects: ArrayLike<number>, count: number): boolean {
  for (let index = 1; index < count; index++) {
    for (let before = 0; before < index; before++) if (objects[index] === objects[before]) return false
  }
  return true
}
