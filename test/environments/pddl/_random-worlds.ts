import fc from 'fast-check'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { parseProblem } from '../../../src/environments/pddl/problem.js'
import type { Task } from '../../../src/environments/pddl/task.js'
import { compileTask } from '../../../src/environments/pddl/task.js'

const predicates = new Map([
  ['p', 1],
  ['q', 2],
  ['r', 2],
  ['s', 3],
  ['z', 0],
])
const types = ['object', 'a', 'b', 'c', '(either a c)', 'nothing']
/** The objects of every problem. */
export const names = ['one', 'two', 'three', 'four']

/** Formulas over the variables in scope, written as PDDL. */
export function formula(variables: readonly string[], depth: number): fc.Arbitrary<string> {
  const term = fc.constantFrom(...variables, ...names)
  const atom = fc
    .constantFrom(...predicates)
    .chain(([predicate, arity]) =>
      fc.array(term, { minLength: arity, maxLength: arity }).map((terms) => `(${[predicate, ...terms].join(' ')})`),
    )
  const equal = fc.tuple(term, term).map(([left, right]) => `(= ${left} ${right})`)
  if (depth === 0) return fc.oneof({ weight: 4, arbitrary: atom }, equal)
  const inner = formula(variables, depth - 1)
  const fresh = `?v${variables.length}`
  const within = formula([...variables, fresh], depth - 1)
  const shadowed = variables[0]
  return fc.oneof(
    { weight: 3, arbitrary: atom },
    fc.array(inner, { maxLength: 3 }).map((parts) => `(and ${parts.join(' ')})`),
    fc.array(inner, { maxLength: 3 }).map((parts) => `(or ${parts.join(' ')})`),
    inner.map((part) => `(not ${part})`),
    fc.tuple(inner, inner).map(([left, right]) => `(imply ${left} ${right})`),
    fc
      .tuple(fc.constantFrom('exists', 'forall'), fc.constantFrom(...types), within)
      .map(([quantifier, type, part]) => `(${quantifier} (${fresh} - ${type}) ${part})`),
    fc
      .tuple(fc.constantFrom('exists', 'forall'), fc.constantFrom(...types), inner)
      .map(([quantifier, type, part]) => `(${quantifier} (${shadowed ?? '?x'} - ${type}) ${part})`),
  )
}

function effect(variables: readonly string[], depth: number): fc.Arbitrary<string> {
  const atom = formula(variables, 0).filter((text) => !text.startsWith('(='))
  const literal = fc.oneof(
    atom,
    atom.map((text) => `(not ${text})`),
  )
  if (depth === 0) return literal
  const fresh = `?w${variables.length}`
  return fc.oneof(
    literal,
    fc.array(effect(variables, depth - 1), { maxLength: 3 }).map((parts) => `(and ${parts.join(' ')})`),
    fc.tuple(formula(variables, 1), effect(variables, depth - 1)).map(([when, then]) => `(when ${when} ${then})`),
    fc
      .tuple(fc.constantFrom('a', 'object'), effect([...variables, fresh], depth - 1))
      .map(([type, part]) => `(forall (${fresh} - ${type}) ${part})`),
  )
}

/** Parameters, precondition and effect of an action. */
const action = (depth: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...types.slice(0, 5)), { maxLength: 3 }).chain((of) => {
    const variables = of.map((_, index) => `?x${index}`)
    const parameters = of.map((type, index) => `?x${index} - ${type}`).join(' ')
    return fc
      .tuple(formula(variables, depth), effect(variables, 2))
      .map(([when, then]) => `:parameters (${parameters}) :precondition ${when} :effect ${then}`)
  })

/** A ground atom. */
export const fact = fc
  .constantFrom(...predicates)
  .chain(([predicate, arity]) =>
    fc
      .array(fc.constantFrom(...names), { minLength: arity, maxLength: arity })
      .map((terms) => `(${[predicate, ...terms].join(' ')})`),
  )

/** A problem with the given number of actions and depth of preconditions. */
export const world = (most: number, depth: number) =>
  fc.record({
    actions: fc.array(action(depth), { minLength: 1, maxLength: most }),
    init: fc.array(fact, { maxLength: 14 }),
    goal: formula([], 3),
  })

/** Compiles a problem whose actions are called `act0`, `act1`, … */
export function compile(actions: readonly string[], init: readonly string[], goal: string): Task {
  const declared = [...predicates].map(
    ([name, arity]) => `(${[name, ...Array.from({ length: arity }, (_, index) => `?x${index}`)].join(' ')})`,
  )
  const domain = parseDomain(
    `(define (domain d) (:requirements :adl) (:types b c - a a nothing) (:constants one - b)
      (:predicates ${declared.join(' ')})
      ${actions.map((text, index) => `(:action act${index} ${text})`).join('\n')})`,
    'domain',
  )
  const problem = parseProblem(
    `(define (problem p) (:domain d) (:objects two - a three - c four) (:init ${init.join(' ')}) (:goal ${goal}))`,
    domain,
    'problem',
  )
  return compileTask(problem)
}
