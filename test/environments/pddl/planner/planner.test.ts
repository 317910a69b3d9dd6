import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDomain } from '../../../../src/environments/pddl/domain.js'
import { applyAction } from '../../../../src/environments/pddl/play.js'
import type { Planned } from '../../../../src/environments/pddl/planner/index.js'
import { planTask, solveTask } from '../../../../src/environments/pddl/planner/index.js'
import { parseProblem } from '../../../../src/environments/pddl/problem.js'
import type { Task } from '../../../../src/environments/pddl/task.js'
import { compileTask } from '../../../../src/environments/pddl/task.js'
import { compile, world } from '../_random-worlds.js'
import { layersOf, reaches, shortest, writtenFacts } from './_every-state.js'
import { smallWorld, smallWorlds } from './_small-worlds.js'

/** Actions without parameters on seven atoms: few states, and long plans through them. */
const switches = ['(p one)', '(p two)', '(p three)', '(q one two)', '(q two one)', '(r one one)', '(z)'] as const
const literal = fc.tuple(fc.constantFrom(...switches), fc.boolean()).map(([atom, on]) => (on ? atom : `(not ${atom})`))
const literals = (least: number, most: number) =>
  fc.array(literal, { minLength: least, maxLength: most }).map((parts) => parts.join(' '))
const needed = fc.oneof(
  { weight: 8, arbitrary: literals(1, 3).map((parts) => `(and ${parts})`) },
  fc.tuple(literals(2, 3), literal).map(([parts, part]) => `(and (or ${parts}) ${part})`),
  fc.tuple(literal, literal).map(([left, right]) => `(imply ${left} ${right})`),
  fc.constantFrom('(forall (?x - b) (p ?x))', '(exists (?x - a) (not (p ?x)))', '(forall (?x - a) (imply (p ?x) (z)))'),
)
const done = fc.oneof(
  { weight: 5, arbitrary: literals(1, 2).map((parts) => `(and ${parts})`) },
  fc.tuple(literal, literal, literal).map(([now, when, then]) => `(and ${now} (when ${when} ${then}))`),
  fc.constantFrom('(forall (?x - b) (when (p ?x) (not (p ?x))))', '(forall (?x - a) (p ?x))'),
)
const puzzle = fc.record({
  actions: fc.array(
    fc.tuple(needed, done).map(([when, then]) => `:precondition ${when} :effect ${then}`),
    { minLength: 8, maxLength: 14 },
  ),
  init: fc.array(fc.constantFrom(...switches), { maxLength: 4 }),
  goal: needed,
  /** The goal is a state that is farthest away, that state except for one atom, or `goal`. */
  aim: fc.constantFrom('far', 'far', 'far', 'beside', 'goal'),
  pick: fc.nat(1000),
})

type Puzzle = (typeof puzzle extends fc.Arbitrary<infer T> ? T : never) & { readonly aim: string }

function withAim({ actions, init, goal, aim, pick }: Puzzle): Task {
  if (aim === 'goal') return compile(actions, init, goal)
  const task = compile(actions, init, `(and ${switches.map((atom) => `(or ${atom} (not ${atom}))`).join(' ')})`)
  const far = layersOf(task, 200).layers.at(-1)!
  const state = far[pick % far.length]!
  const on = new Set(writtenFacts(task, state))
  const flipped = aim === 'beside' ? switches[pick % switches.length] : undefined
  const parts = switches.map((atom) => (on.has(atom) !== (atom === flipped) ? atom : `(not ${atom})`))
  return compile(actions, init, `(and ${parts.join(' ')})`)
}

/**
 * Some of the facts that differ between a far state of a small world and its start: unnamed objects are
 * interchangeable.
 */
const someOfFar = fc
  .record({
    name: fc.constantFrom(...(Object.keys(smallWorlds) as (keyof typeof smallWorlds)[])),
    layer: fc.nat(1000),
    state: fc.nat(1000),
    parts: fc.array(fc.nat(1000), { minLength: 1, maxLength: 8 }),
  })
  .map(({ name, layer, state, parts }) => {
    const free = smallWorld(name, '(and)')
    const { layers } = layersOf(free, 1500)
    const reached = layers[1 + (layer % (layers.length - 1))]!
    const [before, after] = [writtenFacts(free, free.init), writtenFacts(free, reached[state % reached.length]!)]
    const changed = [
      ...after.filter((atom) => !before.includes(atom)),
      ...before.filter((atom) => !after.includes(atom)).map((atom) => `(not ${atom})`),
    ]
    return smallWorld(name, `(and ${parts.map((part) => changed[part % changed.length]!).join(' ')})`)
  })

describe('planning for any domain', () => {
  it.each([
    [
      'with actions of any shape',
      world(4, 2).map(({ actions, init, goal }) => compile(actions, init, goal)),
      { runs: 60, impossible: 20, plans: 10, several: 0 },
    ],
    ['if plans are long', puzzle.map(withAim), { runs: 200, impossible: 30, plans: 100, several: 40 }],
    ['in small worlds', someOfFar, { runs: 150, impossible: 0, plans: 150, several: 35 }],
  ])('finds a plan exactly if there is one, %s', (_, tasks, { runs, impossible, plans, several }) => {
    const counts = { impossible: 0, plans: 0, several: 0, longer: 0 }
    fc.assert(
      fc.property(tasks, (task) => {
        const expected = shortest(task, 2000)
        const planned = planTask(task, task.init, { work: 2_000_000 })
        if (expected === 'none') {
          expect(planned.kind).toBe('impossible')
          counts.impossible++
        } else if (expected !== undefined) {
          if (planned.kind !== 'plan') throw new Error(planned.kind)
          expect(reaches(task, planned.actions)).toBe(true)
          expect(planned.actions.length).toBeGreaterThanOrEqual(expected)
          counts.plans++
          if (expected > 3) counts.several++
          if (planned.actions.length > expected) counts.longer++
        }
      }),
      { numRuns: runs, seed: 20260102 },
    )
    expect(counts.impossible).toBeGreaterThanOrEqual(impossible)
    expect(counts.plans).toBeGreaterThanOrEqual(plans)
    expect(counts.several).toBeGreaterThanOrEqual(several)
    expect(counts.longer).toBeLessThanOrEqual(counts.plans / 50)
  })
})

const shown = (task: Task, goal: Planned): string | readonly string[] =>
  goal.kind !== 'plan'
    ? goal.kind
    : goal.actions.map(({ action, arguments: objects }) =>
        [action.name, ...objects.map((object) => task.objects[object])].join(' '),
      )

describe('small worlds', () => {
  it.each([
    ['hanoi', '(and (on d4 p3) (on d3 d4) (on d2 d3) (on d1 d2))', 15],
    ['gripper', '(forall (?b) (imply (ball ?b) (at ?b r2)))', 9],
    ['blocks', '(and (on a b) (on b c) (on c d))', 3],
    ['lift', '(forall (?p - person) (served ?p))', 15],
    ['briefcase', '(and (at pen work) (at book home) (at keys shop) (not (inside keys)) (is home))', 8],
    ['lamps', '(forall (?x) (lit ?x))', 2],
    ['lamps', '(and)', 0],
  ] as const)('%s: %s takes %i actions', (name, goal, length) => {
    const task = smallWorld(name, goal)
    const actions = solveTask(task, task.init)
    expect(actions).toHaveLength(length)
    expect(reaches(task, actions!)).toBe(true)
    expect(shortest(task, 5_000)).toBe(length)
  })

  it('may have an unreachable goal', () => {
    for (const goal of ['(on d1 d1)', '(and (on d1 p1) (on d1 p2))', '(on d3 d2)', '(or)']) {
      expect(planTask(smallWorld('hanoi', goal), smallWorld('hanoi', goal).init)).toEqual({ kind: 'impossible' })
    }
    expect(solveTask(smallWorld('blocks', '(on table a)'), smallWorld('blocks', '(on table a)').init)).toBeUndefined()
  })

  it('are planned from any state, and the same way each time', () => {
    const goal = '(and (on d4 p3) (on d3 d4) (on d2 d3) (on d1 d2))'
    const task = smallWorld('hanoi', goal)
    const first = planTask(task, task.init)
    if (first.kind !== 'plan') throw new Error(first.kind)
    const facts = task.init.clone()
    first.actions.slice(0, 5).forEach((ground) => applyAction(task, ground, facts))
    expect(planTask(task, facts)).toMatchObject({ kind: 'plan', actions: { length: 10 } })
    const again = smallWorld('hanoi', goal)
    expect(shown(again, planTask(again, again.init))).toEqual(shown(task, first))
  })

  it('are given up when the work limit is reached', () => {
    const task = smallWorld('hanoi', '(and (on d4 p3) (on d3 d4) (on d2 d3) (on d1 d2))')
    expect(planTask(task, task.init, { work: 1 })).toEqual({ kind: 'gave-up' })
    expect(planTask(task, task.init).kind).toBe('plan')
  })
})

describe('large worlds', () => {
  const many = (count: number): string => Array.from({ length: count }, (_, index) => `o${index}`).join(' ')
  const world = (predicates: string, actions: string, objects: number, goal: string): Task => {
    const domain = parseDomain(`(define (domain d) (:predicates ${predicates}) ${actions})`, 'd.pddl')
    const problem = `(define (problem p) (:domain d) (:objects ${many(objects)}) (:init (p o0)) (:goal ${goal}))`
    return compileTask(parseProblem(problem, domain, 'p.pddl'))
  }

  it('are refused with numbers if ground actions explode', () => {
    const task = world(
      '(p ?x) (q ?a ?b ?c ?d)',
      '(:action mix :parameters (?a ?b ?c ?d) :effect (q ?a ?b ?c ?d))',
      40,
      '(q o1 o2 o3 o4)',
    )
    expect(() => planTask(task, task.init)).toThrow(
      /^p\.pddl: expected at most 100000 ground actions, got more, 100001 of them of 'mix'\. Use fewer objects/,
    )
  })

  it('are refused with numbers if conditions explode', () => {
    const task = world(
      '(p ?x) (q ?a ?b)',
      '(:action a :parameters (?x) :precondition (forall (?y ?z) (or (p ?y) (q ?y ?z) (q ?x ?z))) :effect (and (p ?x) (q ?x ?x)))',
      200,
      '(forall (?x) (p ?x))',
    )
    expect(() => planTask(task, task.init)).toThrow(/p\.pddl: expected at most 1000000 literals/)
  })

  it('are planned if they are merely long', () => {
    const task = world(
      '(p ?x) (next ?x ?y)',
      '(:action go :parameters (?x ?y) :precondition (and (p ?x) (not (= ?x ?y))) :effect (and (p ?y) (not (p ?x)) (next ?x ?y)))',
      60,
      `(and ${Array.from({ length: 58 }, (_, index) => `(next o${index} o${index + 1})`).join(' ')})`,
    )
    expect(solveTask(task, task.init)).toHaveLength(58)
  })
})
