import type { Task } from '../task.js'
import type { Condition } from './condition.js'
import { Estimate } from './estimate.js'
import type { GroundTask } from './ground-task.js'
import { rulesOf } from './rules.js'
import { Successors } from './successors.js'

/** What all searches of one task share. */
export interface Space {
  readonly task: Task
  readonly ground: GroundTask
  readonly estimate: Estimate
  readonly successors: Successors
  /** The proposition of a literal; undefined for one that no condition asks for. */
  literal(atom: number, holds: boolean): number | undefined
}

/** Where a search begins and what it looks for. */
export interface Quest {
  /** The atoms that hold at the start. */
  readonly start: readonly number[]
  readonly goal: Condition
  /** The goal as propositions. */
  readonly propositions: readonly number[]
}

/** How a search ended. */
export interface Outcome {
  /** Operators, in order. */
  readonly plan?: readonly number[]
  /** Whether everything that can be reached was looked at, so that where there is no plan there is none at all. */
  readonly exhausted: boolean
}

/** Makes a space ready, and the quest for its goal from some atoms. */
export function openSpace(task: Task, ground: GroundTask, start: readonly number[]): { space: Space; quest: Quest } {
  const rules = rulesOf(ground)
  const space = {
    task,
    ground,
    estimate: new Estimate(rules, ground.operators.length),
    successors: new Successors(ground.operators, ground.atoms.length),
    literal: rules.literal,
  }
  return { space, quest: { start, goal: ground.goal, propositions: rules.goal } }
}

/** A search may not hold more than this many nodes in memory. */
export const mostNodes = 250_000
