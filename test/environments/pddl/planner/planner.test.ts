import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDomain } from '../../../../src/environments/pddl/domain.js'
import { solveTask } from '../../../../src/environments/pddl/planner/index.js'
import { parseProblem } from '../../../../src/environments/pddl/problem.js'
import type { Task } from '../../../../src/environments/pddl/task.js'
import { compileTask } from '../../../../src/environments/pddl/task.js'
import { explore, reaches, writtenFacts } from './_every-state.js'

/** Compiles a problem whose actions are called `act0`, `act1`, … */
function compile(actions: readonly string[], init: readonly string[], goal: string): Task {
  const domain = parseDomain(
    `(define (domain d) (:requirements :adl) (:constants one two three)
      (:predicates (p ?x) (q ?x ?y) (r ?x ?y) (z))
      ${actions.map((text, index) => `(:action act${index} ${text})`).join('\n')})`,
    'domain',
  )
  const problem = `(define (problem p) (:domain d) (:init ${init.join(' ')}) (:goal ${goal}))`
  return compileTask(parseProblem(problem, domain, 'problem'))
}

/** Actions without parameters on seven atoms: few states, and long plans through them. */
const switches = ['(p one)', '(p two)', '(p three)', '(q one two)', '(q two one)', '(r one one)', '(z)'] as const
const literal = fc.tuple(fc.constantFrom(...switches), fc.boolean()).map(([atom, on]) => (on ? atom : `(not ${atom})`))
const literals = (most: number) =>
  fc.array(literal, { minLength: 1, maxLength: most }).map((parts) => `(and ${parts.join(' ')})`)
const puzzle = fc
  .record({
    actions: fc.array(
      fc.tuple(literals(3), literals(2)).map(([when, then]) => `:precondition ${when} :effect ${then}`),
      { minLength: 8, maxLength: 14 },
    ),
    init: fc.array(fc.constantFrom(...switches), { maxLength: 4 }),
    goal: literals(3),
    /** Whether the goal is a state that is farthest away. */
    isFar: fc.boolean(),
    pick: fc.nat(1000),
  })
  .map(({ actions, init, goal, isFar, pick }) => {
    const task = compile(actions, init, goal)
    if (!isFar) return task
    const far = explore(task, 200).farthest
    const on = writtenFacts(task, far[pick % far.length]!)
    const parts = switches.map((atom) => (on.includes(atom) ? atom : `(not ${atom})`))
    return compile(actions, init, `(and ${parts.join(' ')})`)
  })

describe('planning', () => {
  it('finds a plan exactly if there is one', () => {
    const counts = { impossible: 0, plans: 0, several: 0, longer: 0 }
    fc.assert(
      fc.property(puzzle, (task) => {
        // Seven atoms have 128 states.
        const expected = explore(task, 200).shortest
        const actions = solveTask(task, task.init)
        if (expected === 'none') {
          expect(actions).toBeUndefined()
          counts.impossible++
          return
        }
        expect(reaches(task, actions!)).toBe(true)
        expect(actions!.length).toBeGreaterThanOrEqual(expected)
        counts.plans++
        if (expected > 3) counts.several++
        if (actions!.length > expected) counts.longer++
      }),
      { numRuns: 200, seed: 20260102 },
    )
    expect(counts.impossible).toBeGreaterThanOrEqual(30)
    expect(counts.plans).toBeGreaterThanOrEqual(60)
    expect(counts.several).toBeGreaterThanOrEqual(20)
    expect(counts.longer).toBeLessThanOrEqual(counts.plans / 25)
  })

  it('refuses tasks that are not of STRIPS', () => {
    const task = compile([':precondition (or (z) (p one)) :effect (p two)'], [], '(p two)')
    expect(() => solveTask(task, task.init)).toThrow('domain: only conjunctions of literals can be planned for.')
  })
})
