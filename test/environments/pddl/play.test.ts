import { describe, expect, it } from 'vitest'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { applicableActions } from '../../../src/environments/pddl/play.js'
import { parseProblem } from '../../../src/environments/pddl/problem.js'
import type { Task } from '../../../src/environments/pddl/task.js'
import { compileTask } from '../../../src/environments/pddl/task.js'

function task(actions: string, init: string, goal = '(and)', objects = 'x y z'): Task {
  const domain = parseDomain(
    `(define (domain d) (:requirements :adl) (:predicates (at ?x) (on ?x) (off ?x) (link ?x ?y)) ${actions})`,
    'domain',
  )
  return compileTask(
    parseProblem(
      `(define (problem p) (:domain d) (:objects ${objects}) (:init ${init}) (:goal ${goal}))`,
      domain,
      'problem',
    ),
  )
}

const listed = (of: Task, dropIdle: boolean): string[] =>
  applicableActions(of, of.init, { dropIdle }).map((ground) =>
    [ground.action.name, ...ground.arguments.map((object) => of.objects[object])].join(' '),
  )

describe('idle actions', () => {
  const go =
    '(:action go :parameters (?from ?to) :precondition (and (at ?from) (link ?to ?to)) :effect (and (not (at ?from)) (at ?to)))'

  it('are those whose precondition already implies their effects, in any initial state', () => {
    const of = task(go, '(at x) (link x x) (link y y)')
    expect(listed(of, false)).toEqual(['go x x', 'go x y'])
    expect(listed(of, true)).toEqual(['go x y'])
  })
})
