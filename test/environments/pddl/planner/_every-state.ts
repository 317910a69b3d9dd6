import type { Facts } from '../../../../src/environments/pddl/tables.js'
import {
  applicableActions,
  applyAction,
  factsOf,
  goalHolds,
  isApplicable,
} from '../../../../src/environments/pddl/play.js'
import type { GroundAction, Task } from '../../../../src/environments/pddl/task.js'

interface Layers {
  readonly layers: readonly (readonly Facts[])[]
  readonly complete: boolean
}

/**
 * The reachable states by their minimum number of actions; truncated where there are more than the given
 * number.
 */
export function layersOf(task: Task, most: number): Layers {
  const seen = new Set([task.init.key()])
  const layers: Facts[][] = [[task.init]]
  for (let layer = layers[0]!; layer.length > 0; layer = layers.at(-1)!) {
    const next: Facts[] = []
    for (const facts of layer) {
      for (const ground of applicableActions(task, facts)) {
        const after = facts.clone()
        applyAction(task, ground, after)
        if (seen.has(after.key())) continue
        if (seen.size >= most) return { layers, complete: false }
        seen.add(after.key())
        next.push(after)
      }
    }
    layers.push(next)
  }
  return { layers: layers.slice(0, -1), complete: true }
}

/**
 * The length of a shortest plan by exhaustive search; `none` without one, undefined with too many states.
 */
export function shortest(task: Task, most: number): number | 'none' | undefined {
  const { layers, complete } = layersOf(task, most)
  const length = layers.findIndex((layer) => layer.some((facts) => goalHolds(task, facts)))
  return length !== -1 ? length : complete ? 'none' : undefined
}

/** Whether the actions can be executed one after the other, and reach the goal. */
export function reaches(task: Task, actions: readonly GroundAction[]): boolean {
  const facts = task.init.clone()
  for (const ground of actions) {
    if (!isApplicable(ground, facts)) return false
    applyAction(task, ground, facts)
  }
  return goalHolds(task, facts)
}

/** The atoms that hold, written as PDDL. */
export function writtenFacts(task: Task, facts: Facts): readonly string[] {
  return [...task.problem.domain.predicates.keys()].flatMap((name) =>
    factsOf(task, facts, task.predicate(name)!).map(
      (objects) => `(${[name, ...objects.map((object) => task.objects[object])].join(' ')})`,
    ),
  )
}
