import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { maxNesting, maxTextLength, readExpressions } from '../../../src/environments/pddl/expression.js'
import { checkMentions, parseProblem } from '../../../src/environments/pddl/problem.js'

const head = '(define (domain d)\n (:requirements :adl)\n (:types a - b c)\n (:predicates (p ?x - a) (q ?x ?y - a))\n'
const domain = (rest: string): string => `${head}${rest})`
const act = (rest: string): string => domain(`(:action act ${rest})`)

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ShaketableError)
    expect((thrown as ShaketableError).code).toBe('bad-input')
    return (thrown as ShaketableError).message
  }
  return 'accepted'
}

describe('reading expressions', () => {
  const words = (text: string): unknown => {
    const plain = (expression: ReturnType<typeof readExpressions>[number]): unknown =>
      expression.kind === 'word' ? expression.text : expression.items.map(plain)
    return readExpressions({ text, where: 'here' }).map(plain)
  }

  it('splits at white space, parentheses and question marks, in lower case and without comments', () => {
    expect(words('(Foo ?X-y(b)c?d; (no\n?e - location,)\t\r\nG')).toEqual([
      ['foo', '?x-y', ['b'], 'c', '?d', '?e', '-', 'location,'],
      'g',
    ])
    expect(words(' ; nothing')).toEqual([])
  })

  it('reports the position of an unmatched parenthesis', () => {
    expect(refusal(() => words('(a\n (b)'))).toBe(
      "here, line 1, column 1: expected ')' for this '(', got the end of the text. Close it.",
    )
    expect(refusal(() => words('(a)\n  )'))).toBe(
      "here, line 2, column 3: expected an expression, got ')' without a '('. Remove it.",
    )
  })

  it('bounds depth and length', () => {
    const nested = (depth: number): string => '('.repeat(depth) + ')'.repeat(depth)
    expect(refusal(() => words(nested(maxNesting)))).toBe('accepted')
    expect(refusal(() => words(nested(maxNesting + 1)))).toContain(`line 1, column ${maxNesting + 1}: expected at most`)
    expect(refusal(() => words('('.repeat(1_000_000)))).toContain('nested parentheses')
    expect(refusal(() => words(' '.repeat(maxTextLength + 1)))).toContain('expected PDDL of at most')
  })
})

describe('reading a domain', () => {
  it('reads its content, in lower case', () => {
    const read = parseDomain(
      `(define (domain Toys) (:requirements :strips :typing :action-costs)
        (:types Box Ball - Thing Bin) (:constants Red - Ball)
        (:predicates (in ?x - Ball ?y - (either Box Bin)) (lost)) (:functions (total-cost) - number)
        (:action Drop :parameters (?x - Ball ?y) :precondition (and (not (in ?x ?y)) (lost))
          :effect (and (in ?x ?y) (not (lost)) (increase (total-cost) 2)))
        (:action wait))`,
      'here',
    )
    expect(read.name).toBe('toys')
    expect([...read.types]).toEqual([
      ['object', []],
      ['box', ['thing']],
      ['ball', ['thing']],
      ['bin', ['object']],
      ['thing', ['object']],
    ])
    expect(read.constants).toMatchObject([{ name: 'red', types: ['ball'] }])
    expect([...read.predicates]).toEqual([
      ['in', 2],
      ['lost', 0],
    ])
    expect(read.actions.map(({ name, parameters, effects }) => [name, parameters.length, effects.length])).toEqual([
      ['drop', 2, 2],
      ['wait', 0, 0],
    ])
  })

  it.each([
    ['', 'line 1, column 1', '(define (domain …) …), got nothing'],
    ['(define (problem x))', 'line 1, column 9', "expected (domain name), got '(problem …)'"],
    ['(define (domain))', 'line 1, column 9', 'expected (domain name)'],
    ['(define (domain d)) (more)', 'line 1, column 21', "expected nothing after the domain, got '(more …)'"],
    ['(define (domain d) x)', 'line 1, column 20', "expected a section in parentheses, got 'x'"],
    ['(define (domain d) (:requirements :strips :fluents))', 'line 1, column 43', "requirement, got ':fluents'"],
    ['(define (domain d) (:types a - a))', 'line 1, column 28', "without a circle, got 'a' above itself"],
    ['(define (domain d) (:types below - a a - b b - c c - a))', 'line 1, column 38', "got 'a' above itself"],
    ['(define (domain d)\n (:predicates (p\u0007)))', 'line 2, column 17', 'expected text, got a control character'],
    [domain('(:derived (p ?x) (q ?x ?x))'), 'line 5, column 1', "got '(:derived …)', which is not supported"],
    [domain('(:durative-action act)'), 'line 5, column 1', "got '(:durative-action …)', which is not supported"],
    [domain('(:predicates (p ?x ?y))'), 'line 5, column 14', "expected one arity for 'p', got 1 and 2"],
    [domain('(:predicates (r x))'), 'line 5, column 17', "expected a variable such as '?x', got 'x'"],
    [domain('(:constants k - nowhere)'), 'line 5, column 13', "expected a declared type for 'k', got 'nowhere'"],
    [domain('(:action act) (:action act)'), 'line 5, column 15', "expected each action once, got 'act' again"],
    [domain('(:action)'), 'line 5, column 1', 'expected the name of an action, got nothing'],
    [act(':parameters x'), 'line 5, column 26', "expected parameters in parentheses, got 'x'"],
    [act(':parameters (?x ?x)'), 'line 5, column 30', "expected each variable once, got '?x' again"],
    [act(':parameters (?x -)'), 'line 5, column 30', "expected a type after '-', got nothing"],
    [act(':parameters (?x - (or a c))'), 'line 5, column 32', "expected a type or '(either …)', got '(or …)'"],
    [act(':precondition'), 'line 5, column 14', "with a value, got ':precondition'"],
    [act(':duration (p k)'), 'line 5, column 14', "got ':duration'"],
    [act(':precondition p'), 'line 5, column 28', "expected a condition in parentheses, got 'p'"],
    [act(':precondition (r k)'), 'line 5, column 28', "expected a declared predicate, got '(r …)'"],
    [act(':precondition (p k k)'), 'line 5, column 28', "expected 1 term in '(p …)', got 2"],
    [act(':precondition (p ?x)'), 'line 5, column 31', "expected a variable of this place, got '?x'"],
    [act(':precondition (not (p k) (p k))'), 'line 5, column 28', "expected 1 part in '(not …)', got 2"],
    [act(':precondition (exists ?x (p ?x))'), 'line 5, column 36', "expected variables in parentheses, got '?x'"],
    [act(':precondition (= k)'), 'line 5, column 28', "expected 2 terms in '(= …)', got 1"],
    [act(':precondition ((p k))'), 'line 5, column 28', "expected a predicate with its terms, got '((…) …)'"],
    [act(':precondition (> (fuel) 3)'), 'line 5, column 28', "got '(> …)', which is not supported"],
    [act(':effect (p k) :effect (q k k)'), 'line 5, column 28', "expected ':effect' once, got it again"],
    [act(':effect p'), 'line 5, column 22', "expected an effect in parentheses, got 'p'"],
    [act(':effect (or (p k) (p k))'), 'line 5, column 22', "expected a declared predicate, got '(or …)'"],
    [act(':effect (decrease (total-cost) 1)'), 'line 5, column 22', "got '(decrease …)', which is not supported"],
    [act(':effect (increase (fuel) 1)'), 'line 5, column 22', 'expected costs as (increase (total-cost) …)'],
  ])('refuses %j', (text, place, message) => {
    const said = refusal(() => parseDomain(text, 'here'))
    expect(said).toContain(place)
    expect(said).toContain(message)
    expect(said).not.toContain('\n')
  })
})

describe('reading a problem', () => {
  const toys = parseDomain(domain(' (:constants k - a)'), 'domain')
  const read = (rest: string): ReturnType<typeof parseProblem> =>
    parseProblem(`(define (problem x) (:domain d)\n${rest})`, toys, 'here')

  it('reads objects, facts and the goal', () => {
    const problem = read(
      '(:objects k - a m n - c) (:init (= (total-cost) 0) (p k) (not (p m)) (q m k) (q m k)) (:goal (p m)) (:metric minimize (total-cost))',
    )
    expect(problem.objects.map(({ name, types }) => [name, types])).toEqual([
      ['k', ['a']],
      ['m', ['c']],
      ['n', ['c']],
    ])
    expect(problem.init.map(({ predicate, terms }) => [predicate, ...terms])).toEqual([
      ['p', 'k'],
      ['q', 'm', 'k'],
      ['q', 'm', 'k'],
    ])
    expect(problem.goal).toEqual({ kind: 'atom', predicate: 'p', terms: ['m'] })
  })

  it("keeps names like __proto__ apart from JavaScript's own properties", () => {
    const problem = read(
      '(:objects __proto__ constructor - a) (:init (p __proto__) (p constructor)) (:goal (p toString))',
    )
    expect(problem.init.map(({ terms }) => terms[0])).toEqual(['__proto__', 'constructor'])
  })

  it.each([
    ['(:init)', 'line 1, column 1', 'expected a (:goal …), got none'],
    ['(:goal (p k)) (:objects k - c)', 'line 2, column 25', "expected one type for 'k', got 'a' and 'c'"],
    ['(:objects m - z) (:goal (p k))', 'line 2, column 11', "expected a declared type for 'm', got 'z'"],
    ['(:init (p m)) (:goal (p k))', 'line 2, column 8', "expected declared objects in '(p …)', got 'm'"],
    ['(:init (p)) (:goal (p k))', 'line 2, column 8', "expected 1 term in '(p …)', got 0"],
    ['(:init p) (:goal (p k))', 'line 2, column 8', "expected a predicate with its terms, got 'p'"],
    ['(:goal (p k) (p k))', 'line 2, column 1', "expected 1 part in '(:goal …)', got 2"],
    ['(:goal (p k)) (:goal (p k))', 'line 2, column 15', 'expected one (:goal …), got another'],
    ['(:init (p k)) (:init (p k)) (:goal (p k))', 'line 2, column 15', 'expected one (:init …), got another'],
    ['(:constraints) (:goal (p k))', 'line 2, column 1', "got '(:constraints …)', which is not supported"],
    ['(:requirements :preferences) (:goal (p k))', 'line 2, column 16', "got ':preferences'"],
  ])('refuses %j', (rest, place, message) => {
    const said = refusal(() => read(rest))
    expect(said).toContain(`here, ${place}`)
    expect(said).toContain(message)
  })

  it.each<[string, string, string]>([
    ['', '(p k)', 'accepted'],
    ['', '(exists (?x - a) (p ?x))', 'accepted'],
    ['', '(p boll1)', "here, line 3, column 4: expected a declared object, got 'boll1'. Did you mean 'ball1'?"],
    ['', '(not (= zz k))', "here, line 3, column 9: expected a declared object, got 'zz'"],
    ['(:action act :precondition (p k)\n :effect (q k elsewhere))', '(p k)', 'domain, line 6, column 15'],
  ])('reports undeclared objects: %s %s', (action, goal, message) => {
    const of = parseDomain(domain(`(:constants k - a) ${action}`), 'domain')
    const problem = parseProblem(`(define (problem x) (:domain d)\n(:objects ball1 - a)(:goal\n${goal}))`, of, 'here')
    expect(refusal(() => checkMentions(problem))).toContain(message)
  })

  it('finds cycles in a very large number of types quickly', () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `t${index}`)
    const chain = names.slice(1).map((name, index) => `${name} - t${index}`)
    const begun = performance.now()
    expect(parseDomain(`(define (domain d) (:types ${chain.join(' ')}))`, 'here').types.size).toBe(50_001)
    expect(
      refusal(() => parseDomain(`(define (domain d) (:types t0 - t49999 ${chain.reverse().join(' ')}))`, 'here')),
    ).toContain('expected types without a circle')
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  it('refuses a problem of another domain', () => {
    expect(refusal(() => parseProblem('(define (problem x) (:domain other) (:goal (p k)))', toys, 'here'))).toContain(
      "expected a problem of domain 'd', got 'other'",
    )
  })
})
