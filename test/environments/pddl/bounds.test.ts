import { describe, expect, it } from 'vitest'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { applicableActions, goalHolds } from '../../../src/environments/pddl/play.js'
import { parseProblem } from '../../../src/environments/pddl/problem.js'
import type { Task } from '../../../src/environments/pddl/task.js'
import { compileTask } from '../../../src/environments/pddl/task.js'

const many = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ')

function compile(action: string, objects: string, init: string, goal: string): Task {
  const domain = parseDomain(`(define (domain d) (:predicates (p ?x) (q ?x ?y)) (:action act ${action}))`, 'domain')
  return compileTask(
    parseProblem(
      `(define (problem p) (:domain d) (:objects ${objects}) (:init ${init}) (:goal ${goal}))`,
      domain,
      'problem',
    ),
  )
}

describe('large input', () => {
  it('is read in linear time: facts in any order', () => {
    const of = compile(
      '',
      many(300, (n) => `o${n}`),
      many(60_000, (n) => `(q o${(n * 7919) % 300} o${Math.floor(n / 300)})`),
      '(q o1 o2)',
    )
    expect(of.table.ofPredicate(of.predicate('q')!).length).toBe(60_000)
    expect(goalHolds(of, of.init)).toBe(true)
  })

  it('may have a goal of very many parts', () => {
    const objects = many(20_000, (n) => `o${n}`)
    const goal = `(and ${many(20_000, (n) => `(p o${n})`)} ${many(20_000, (n) => `(not (q o${n} o${n}))`)})`
    const of = compile(
      '',
      objects,
      many(20_000, (n) => `(p o${n})`),
      goal,
    )
    expect(goalHolds(of, of.init)).toBe(true)
    const other = compile(
      '',
      objects,
      many(19_999, (n) => `(p o${n})`),
      goal,
    )
    expect(goalHolds(other, other.init)).toBe(false)
  })

  it('may have disjunctions of very many parts', () => {
    const goal = `(and ${many(3, () => `(or ${many(5_000, (n) => `(p o${n})`)})`)})`
    const of = compile(
      '',
      many(5_000, (n) => `o${n}`),
      '(p o4999)',
      goal,
    )
    expect(goalHolds(of, of.init)).toBe(true)
  })

  it('may have preconditions with a very large number of atoms', () => {
    const action = `:parameters (?x ?y) :precondition (and ${many(3_000, (n) => (n % 2 === 0 ? '(q ?x ?y)' : '(p ?y)'))}) :effect (p ?x)`
    const of = compile(action, 'a b', '(q a b) (p b)', '(p a)')
    expect(applicableActions(of, of.init)).toHaveLength(1)
  })

  it('is refused if an action has too many combinations of objects to list', () => {
    const action = `:parameters (${many(12, (n) => `?x${n}`)}) :precondition (and ${many(12, (n) => `(p ?x${n})`)}) :effect (q ?x1 ?x2)`
    const objects = many(22, (n) => `o${n}`)
    const of = compile(
      action,
      objects,
      many(22, (n) => `(p o${n})`),
      '(q o1 o2)',
    )
    expect(() => applicableActions(of, of.init)).toThrow(
      "domain: expected an action that at most 1,000,000 combinations of objects can take, got 'act' with more. Its 12 parameters have 1.29e+16 combinations. Give them types, or conditions that fewer objects meet.",
    )
  })

  it('is refused with more than 500 variables in a scope', () => {
    const action = `:parameters (${many(2_000, (n) => `?x${n}`)}) :effect (p ?x1)`
    expect(() => compile(action, 'a', '', '(p a)')).toThrow(
      /domain, action 'act': expected at most 500 variables, got 2000/,
    )
    expect(() => compile('', 'a', '', `(exists (${many(501, (n) => `?x${n}`)}) (p ?x0))`)).toThrow(
      /problem, goal: expected at most 500/,
    )
  })
})
