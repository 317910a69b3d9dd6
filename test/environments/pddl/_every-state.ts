import type { Facts } from '../../../src/environments/pddl/tables.js'
import {
  applicableActions,
  applyAction,
  factsOf,
  goalHolds,
  isApplicable,
} from '../../../src/environments/pddl/play.js'
import type { GroundAction, Task } from '../../../src/environments/pddl/task.js'

/**
 * Visits all states, the nearest first, up to a number of them: the length of a shortest plan, and the states that are
 * farthest away.
 */
export function explore(task: Task, most: number) {
  const seen = new Set([task.init.key()])
  let [layer, shortest]: [readonly Facts[], number | 'none'] = [[task.init], 'none']
  for (let length = 0; ; length++) {
    if (shortest === 'none' && layer.some((facts) => goalHolds(task, facts))) shortest = length
    const next: Facts[] = []
    for (const facts of layer) {
      for (const ground of applicableActions(task, facts)) {
        const after = facts.clone()
        applyAction(task, ground, after)
        if (seen.has(after.key())) continue
        seen.add(after.key())
        next.push(after)
      }
    }
    if (next.length === 0 || seen.size > most) return { shortest, farthest: layer }
    layer = next
  }
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

export function writtenFacts(task: Task, facts: Facts): readonly string[] {
  return [...task.problem.domain.predicates.keys()].flatMap((name) =>
    factsOf(task, facts, task.predicate(name)!).map(
      (objects) => `(${[name, ...objects.map((object) => task.objects[object])].join(' ')})`,
    ),
  )
}
