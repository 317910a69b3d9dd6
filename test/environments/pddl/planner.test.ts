import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDomain, parseDomainOnce } from '../../../src/environments/pddl/domain.js'
import { solveTask } from '../../../src/environments/pddl/planner/index.js'
import { parseProblem } from '../../../src/environments/pddl/problem.js'
import { type Task, compileTask } from '../../../src/environments/pddl/task.js'
import { explore, reaches, writtenFacts } from './_every-state.js'
import { sharedData } from '../../shared-data.js'
import { readExpressions } from '../../../src/environments/pddl/expression.js'

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

it('planning finds a plan exactly if there is one', () => {
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

it('planning refuses tasks that are not of STRIPS', () => {
  const task = compile([':precondition (or (z) (p one)) :effect (p two)'], [], '(p two)')
  expect(() => solveTask(task, task.init)).toThrow('domain: only conjunctions of literals can be planned for.')
})

const folder = join(sharedData ?? '', 'pddl')

/**
 * How many actions the planner needs for each of AgentBoard's problems, in its order. For 34, 35, 35 and 36 in gripper
 * a search through all states found no shorter way, and 39 in tyreworld follows from counting (each of four wheels
 * takes eight actions that do nothing for the others, opening the boot and fetching three tools four, and the one jack
 * has to come down three times): these five problems cannot be solved within the benchmark's 30 steps.
 */
const lengths = {
  gripper: [11, 17, 23, 29, 35, 10, 16, 16, 26, 29, 30, 12, 11, 12, 36, 35, 34, 18, 16, 30],
  blockworld: [8, 18, 6, 6, 12, 8, 12, 8, 14, 14],
  barman: [12, 10, 10, 10, 10, 24, 24, 25, 24, 11, 10, 25, 13, 2, 5, 12, 8, 13, 8, 10],
  tyreworld: [12, 21, 30, 39, 8, 5, 16, 14, 14, 14],
}

it.skipIf(sharedData === undefined).each(Object.entries(lengths))(
  "AgentBoard's problems of %s are solved",
  (game, expected) => {
    const domain = parseDomainOnce(readFileSync(join(folder, `${game}.pddl`), 'utf8'), game)
    const files = readdirSync(join(folder, game)).sort()
    const found = files.map((file) => {
      const task = compileTask(parseProblem(readFileSync(join(folder, game, file), 'utf8'), domain, file))
      const actions = solveTask(task, task.init)
      expect(actions !== undefined && reaches(task, actions), file).toBe(true)
      return actions?.length
    })
    expect(found).toEqual(expected)
  },
)

const head = '(define (domain d)\n (:requirements :adl)\n (:types a - b c)\n (:predicates (p ?x - a) (q ?x ?y - a))\n'
const domain = (rest: string): string => `${head}${rest})`
const act = (rest: string): string => domain(`(:action act ${rest})`)
const problem = (rest: string): string => `(define (problem x) (:domain d)\n${rest})`
const toys = parseDomain(domain(' (:constants k - a)'), 'domain')

function refusal(work: () => unknown): string {
  try {
    work()
    return 'accepted'
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'bad-input' })
    return (thrown as Error).message
  }
}

it('expressions are split at white space, parentheses and question marks, in lower case and without comments', () => {
  const plain = (expression: ReturnType<typeof readExpressions>[number]): unknown =>
    expression.kind === 'word' ? expression.text : expression.items.map(plain)
  const words = (text: string): unknown => readExpressions({ text, where: 'here' }).map(plain)
  expect(words('(Foo ?X-y(b)c?d; (no\n?e - location,)\t\r\nG')).toEqual([
    ['foo', '?x-y', ['b'], 'c', '?d', '?e', '-', 'location,'],
    'g',
  ])
  expect(words(' ; nothing')).toEqual([])
})

it.each([
  ['', 'line 1, column 1', '(define (domain …) …), got nothing'],
  ['(a\n (b)', 'line 1, column 1', "expected ')' for this '(', got the end of the text. Close it."],
  ['(a)\n  )', 'line 2, column 3', "expected an expression, got ')' without a '('. Remove it."],
  ['(define (problem x))', 'line 1, column 9', "expected (domain name), got '(problem …)'"],
  ['(define (domain d)\n (:predicates (p\u0007)))', 'line 2, column 17', 'expected text, got a control character'],
  [domain('(:derived (p ?x) (q ?x ?x))'), 'line 5, column 1', "got '(:derived …)', which is not supported"],
  [act(':parameters (?x ?x)'), 'line 5, column 30', "expected each variable once, got '?x' again"],
  [act(':precondition (r k)'), 'line 5, column 28', "expected a declared predicate, got '(r …)'"],
  [act(':precondition (p k k)'), 'line 5, column 28', "expected 1 term in '(p …)', got 2"],
  [act(':precondition (p ?x)'), 'line 5, column 31', "expected a variable of this place, got '?x'"],
  [problem('(:init)'), 'line 1, column 1', 'expected a (:goal …), got none'],
  [problem('(:init (p m)) (:goal (p k))'), 'line 2, column 8', "expected declared objects in '(p …)', got 'm'"],
  [problem('(:goal (p k) (p k))'), 'line 2, column 1', "expected 1 part in '(:goal …)', got 2"],
])('reading a domain or a problem refuses %j', (text, place, message) => {
  const isProblem = text.includes('(:domain')
  const said = refusal(() => (isProblem ? parseProblem(text, toys, 'here') : parseDomain(text, 'here')))
  expect(said).toContain(`here, ${place}`)
  expect(said).toContain(message)
  expect(said).not.toContain('\n')
})
