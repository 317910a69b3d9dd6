import { describe, expect, it } from 'vitest'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { applicableActions, goalHolds } from '../../../src/environments/pddl/play.js'
import { parseProblem } from '../../../src/environments/pddl/problem.js'
import type { Task } from '../../../src/environments/pddl/task.js'
import { compileTask } from '../../../src/environments/pddl/task.js'

type Definition = readonly [action: string, objects?: string, init?: string, goal?: string]

function compile(...[action, objects = 'a b', init = '', goal = '(p a)']: Definition): Task {
  const domain = parseDomain(`(define (domain d) (:predicates (p ?x) (q ?x ?y)) (:action act ${action}))`, 'domain')
  const parts = `(:objects ${objects}) (:init ${init}) (:goal ${goal})`
  return compileTask(parseProblem(`(define (problem p) (:domain d) ${parts})`, domain, 'problem'))
}

const many = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ')
const objects = (count: number): string => many(count, (n) => `o${String(n)}`)
const marked = (count: number): string => many(count, (n) => `(p o${String(n)})`)

describe('large input', () => {
  it('is read in linear time: facts in any order', () => {
    const facts = many(60_000, (n) => `(q o${(n * 7919) % 300} o${Math.floor(n / 300)})`)
    const of = compile('', objects(300), facts, '(q o1 o2)')
    expect(of.table.ofPredicate(of.predicate('q')!).length).toBe(60_000)
    expect(goalHolds(of, of.init)).toBe(true)
  })

  it('may have a goal of very many parts', () => {
    const goal = `(and ${marked(20_000)} ${many(20_000, (n) => `(not (q o${n} o${n}))`)})`
    const [of, other] = [20_000, 19_999].map((facts) => compile('', objects(20_000), marked(facts), goal)) as [
      Task,
      Task,
    ]
    expect([goalHolds(of, of.init), goalHolds(other, other.init)]).toEqual([true, false])
  })

  it('may have disjunctions of very many parts', () => {
    const of = compile('', objects(5_000), '(p o4999)', `(and ${many(3, () => `(or ${marked(5_000)})`)})`)
    expect(goalHolds(of, of.init)).toBe(true)
  })

  it('may have preconditions with a very large number of atoms', () => {
    const action = `:parameters (?x ?y) :precondition (and ${many(3_000, (n) => (n % 2 === 0 ? '(q ?x ?y)' : '(p ?y)'))}) :effect (p ?x)`
    const of = compile(action, 'a b', '(q a b) (p b)')
    expect(applicableActions(of, of.init)).toHaveLength(1)
  })

  it('is refused if an action has too many combinations of objects to list', () => {
    const action = `:parameters (${many(12, (n) => `?x${n}`)}) :precondition (and ${many(12, (n) => `(p ?x${n})`)}) :effect (q ?x1 ?x2)`
    const of = compile(action, objects(22), marked(22), '(q o1 o2)')
    expect(() => applicableActions(of, of.init)).toThrow("got 'act' with more. Its 12 parameters have 1.29e+16 comb")
  })

  it('is refused with more than 500 variables in a scope', () => {
    const action = `:parameters (${many(2_000, (n) => `?x${n}`)}) :effect (p ?x1)`
    expect(() => compile(action)).toThrow("domain, action 'act': expected at most 500 variables, got 2000")
    const goal = `(exists (${many(501, (n) => `?x${n}`)}) (p ?x0))`
    expect(() => compile('', 'a', '', goal)).toThrow('problem, goal: expected at most 500')
  })
})
