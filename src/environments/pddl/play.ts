import type { Facts } from './tables.js'
import { isIdle } from './normal-form.js'
import { satisfied, solve } from './solve.js'
import type { Changes, GroundAction, Task, TaskAction } from './task.js'

interface Listing {
  /**
   * Leaves out actions all of whose effects their own precondition already implies, such as a move from a place to the
   * same place. Planners that ground a task drop them, and so do environments built on one.
   */
  readonly dropIdle?: boolean
}

/**
 * Every applicable ground action, by action in the order of the domain. Within an action the order is deterministic and
 * arbitrary.
 */
export function applicableActions(task: Task, facts: Facts, listing: Listing = {}): GroundAction[] {
  const found: GroundAction[] = []
  for (const action of task.actions) {
    const { registers } = action.frame
    const seen = mayRepeat(action) ? new Set<GroundAction>() : undefined
    solve(action.all, action.frame, facts, (conjunction) => {
      const idle = listing.dropIdle === true ? action.normal.idle[conjunction] : undefined
      if (idle !== undefined && isIdle(idle, registers)) return false
      const ground = instance(task, action)
      if (seen?.has(ground) === true) return false
      seen?.add(ground)
      found.push(ground)
      return false
    })
  }
  return found
}

/** Whether a ground action is applicable. */
export function isApplicable(ground: GroundAction, facts: Facts): boolean {
  load(ground)
  return satisfied(ground.action.one, ground.action.frame, facts)
}

/** The ground action with these arguments; undefined where an argument is of the wrong type. */
export function groundAction(task: Task, action: TaskAction, objects: readonly number[]): GroundAction | undefined {
  const { registers, allowed } = action.frame
  for (let index = 0; index < action.normal.schema.parameters.length; index++) {
    const object = objects[index]
    if (object === undefined || allowed[index]?.[object] !== 1) return undefined
    registers[index] = object
  }
  return instance(task, action)
}

/** The effects of a ground action in a state. An atom that is both added and deleted counts as added. */
export function changesOf(task: Task, ground: GroundAction, facts: Facts): Changes {
  const kept = task.instances.changes[ground.number]
  if (kept !== undefined) return kept
  load(ground)
  const added: number[] = []
  const deleted: number[] = []
  for (const effect of ground.action.effects) {
    const into = effect.adds ? added : deleted
    if (effect.condition === undefined) into.push(atomOf(task, ground.action, effect))
    else {
      solve(effect.condition, ground.action.frame, facts, () => {
        into.push(atomOf(task, ground.action, effect))
        return false
      })
    }
  }
  const changes = { added, deleted: deleted.filter((atom) => !added.includes(atom)) }
  if (!ground.action.conditional) task.instances.changes[ground.number] = changes
  return changes
}

/**
 * Applies an action to a state, in place, without testing whether it is applicable.
 * @returns the atoms that really changed
 */
export function applyAction(task: Task, ground: GroundAction, facts: Facts): Changes {
  const { added, deleted } = changesOf(task, ground, facts)
  const changes = {
    added: added.filter((atom) => !facts.has(atom)),
    deleted: deleted.filter((atom) => facts.has(atom)),
  }
  for (const atom of changes.deleted) facts.delete(atom)
  for (const atom of changes.added) facts.add(atom)
  return changes
}

/** Whether the goal holds. */
export function goalHolds(task: Task, facts: Facts): boolean {
  return satisfied(task.goal.plan, task.goal.frame, facts)
}

/** The arguments of the true atoms of a predicate, sorted. */
export function factsOf(task: Task, facts: Facts, predicate: number): (readonly number[])[] {
  const { table } = task
  return table
    .ofPredicate(predicate)
    .filter((atom) => facts.has(atom))
    .map((atom) => table.argumentsOf[atom]!)
}

function mayRepeat(action: TaskAction): boolean {
  return action.all.length > 1 || action.normal.precondition.some((conjunction) => conjunction.locals.length > 0)
}

/** The registers of an action with the arguments of one of its instances. */
export function load(ground: GroundAction): Int32Array {
  const { registers } = ground.action.frame
  for (let index = 0; index < ground.arguments.length; index++) registers[index] = ground.arguments[index]!
  return registers
}

/** The unique ground action with the arguments in the registers. */
function instance(task: Task, action: TaskAction): GroundAction {
  const { registers } = action.frame
  const count = action.normal.schema.parameters.length
  let code = 0
  for (let index = 0; index < count; index++) code = code * task.objects.length + registers[index]!
  const key = code <= Number.MAX_SAFE_INTEGER ? code : registers.subarray(0, count).join()
  const known = action.instances.get(key)
  if (known !== undefined) return known
  const objects: number[] = []
  for (let index = 0; index < count; index++) objects.push(registers[index]!)
  const ground: GroundAction = { action, arguments: objects, number: task.instances.count++ }
  action.instances.set(key, ground)
  return ground
}

function atomOf(
  task: Task,
  action: TaskAction,
  effect: { readonly predicate: number; readonly terms: readonly number[] },
): number {
  return task.table.number(
    effect.predicate,
    effect.terms.map((term) => action.frame.registers[term]!),
  )
}

/** Whether the first `count` objects all differ. */
export function areDistinct(objects: ArrayLike<number>, count = objects.length): boolean {
  for (let index = 1; index < count; index++) {
    for (let before = 0; before < index; before++) if (objects[index] === objects[before]) return false
  }
  return true
}
