import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Facts } from '../../../src/environments/pddl/tables.js'
import {
  applicableActions,
  applyAction,
  factsOf,
  goalHolds,
  groundAction,
  isApplicable,
} from '../../../src/environments/pddl/play.js'
import type { GroundAction, Task } from '../../../src/environments/pddl/task.js'
import { compile, world } from './_random-worlds.js'
import * as naive from './naive.js'

const shown = (task: Task, ground: GroundAction): string =>
  [ground.action.name, ...ground.arguments.map((object) => task.objects[object])].join(' ')

function stateOf(task: Task, facts: Facts): Set<string> {
  const atoms = [...task.problem.domain.predicates.keys()].flatMap((name) =>
    factsOf(task, facts, task.predicate(name)!).map((objects) =>
      [name, ...objects.map((object) => task.objects[object])].join(' '),
    ),
  )
  return new Set(atoms)
}

describe('a compiled task', () => {
  it('has the semantics of PDDL', () => {
    let applied = 0
    fc.assert(
      fc.property(world(1, 3), ({ actions, init, goal }) => {
        const task = compile(actions, init, goal)
        const { problem } = task
        const schema = problem.domain.actions[0]!
        const start = new Set(problem.init.map((atom) => naive.written(atom)))
        expect(stateOf(task, task.init)).toEqual(start)
        expect(goalHolds(task, task.init)).toBe(naive.holds(problem, problem.goal, start))
        const found = applicableActions(task, task.init)
        const wanted = naive.applicable(problem, schema, start)
        expect(found.map((ground) => shown(task, ground)).sort()).toEqual(wanted)
        for (const values of naive.assignments(problem, schema.parameters)) {
          const objects = [...values.values()].map((name) => task.object(name)!)
          const ground = groundAction(task, task.actions[0]!, objects)!
          expect(isApplicable(ground, task.init)).toBe(wanted.includes(shown(task, ground)))
        }
        for (const ground of found.slice(0, 6)) {
          const facts = task.init.clone()
          applyAction(task, ground, facts)
          const [, ...objects] = shown(task, ground).split(' ')
          expect(stateOf(task, facts)).toEqual(naive.after(problem, schema, objects, start))
          applied++
        }
      }),
      { numRuns: 1500, seed: 20260101 },
    )
    expect(applied).toBeGreaterThan(500)
  })
})
