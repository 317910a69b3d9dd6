import type { Task } from '../task.js'
import type { Condition } from './condition.js'
import { all, partsOf } from './condition.js'
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
  /** All of these. */
  readonly parts: readonly Part[]
}

/** A part of what a search looks for. */
export interface Part {
  readonly condition: Condition
  /** What it means as propositions. */
  readonly propositions: readonly number[]
}

/** What a search looks for, as one condition. */
export const goalOf = (quest: Quest): Condition => all(quest.parts.map(({ condition }) => condition))

/** What a search looks for, as propositions. */
export const propositionsOf = (quest: Quest): readonly number[] => [
  ...new Set(quest.parts.flatMap(({ propositions }) => propositions)),
]

/** How far a search has come. */
export interface Outcome {
  /** Operators, in order. */
  readonly plan?: readonly number[]
  /** Whether everything that can be reached was looked at, and there is no plan. */
  readonly exhausted: boolean
}

/** A search, which goes on from where it is until the work of its space's estimate comes to so much, or it has run out of memory. */
export type Search = (until: number) => Outcome

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
  const parts = partsOf(ground.goal).map((condition, index) => ({ condition, propositions: rules.goals[index]! }))
  return { space, quest: { start, parts } }
}

/** A search holds no more than about this many states in memory. */
export const mostNodes = 250_000

/** What it costs to take in a state apart from estimating it, in the unit of an estimate's work. */
export const upkeep = (ground: GroundTask, holding: readonly number[]): number =>
  20 + 2 * holding.length + (ground.atoms.length >> 3)
