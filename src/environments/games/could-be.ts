import type { Literal } from '../pddl/normal-form.js'
import { groundAction } from '../pddl/play.js'
import type { Task, TaskAction } from '../pddl/task.js'

const demands = new WeakMap<Task, ReadonlyMap<TaskAction, readonly Literal[]>>()

/**
 * Whether objects are of the right kind for an action: of its parameters' types, and such that whatever its precondition says of facts that no
 * action ever changes, as `(ball ?b)` where types are not declared, holds.
 */
export function areOfRightKind(task: Task, action: TaskAction, objects: readonly number[]): boolean {
  if (groundAction(task, action, objects) === undefined) return false
  const wanted = demands.get(task) ?? lastingDemands(task)
  demands.set(task, wanted)
  return wanted.get(action)!.every(({ predicate, terms }) => {
    const atom = task.table.find(task.predicate(predicate)!, terms, action.frame.registers)
    return atom !== -1 && task.init.has(atom)
  })
}

/** For each action what its precondition demands of its parameters that no action ever changes. */
function lastingDemands(task: Task): ReadonlyMap<TaskAction, readonly Literal[]> {
  const changing = new Set(task.actions.flatMap(({ normal }) => normal.effects.map(({ literal }) => literal.predicate)))
  return new Map(
    task.actions.map((action) => {
      const { precondition, registers, schema } = action.normal
      const known = (term: number): boolean => term < schema.parameters.length || registers.isName(term)
      const literals = precondition.length === 1 ? precondition[0]!.positive : []
      return [action, literals.filter(({ predicate, terms }) => !changing.has(predicate) && terms.every(known))]
    }),
  )
}
