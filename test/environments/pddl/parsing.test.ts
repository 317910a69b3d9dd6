import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { readExpressions } from '../../../src/environments/pddl/expression.js'
import { parseProblem } from '../../../src/environments/pddl/problem.js'

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
})

describe('reading a domain', () => {
  it.each([
    ['', 'line 1, column 1', '(define (domain …) …), got nothing'],
    ['(define (problem x))', 'line 1, column 9', "expected (domain name), got '(problem …)'"],
    ['(define (domain d)\n (:predicates (p\u0007)))', 'line 2, column 17', 'expected text, got a control character'],
    [domain('(:derived (p ?x) (q ?x ?x))'), 'line 5, column 1', "got '(:derived …)', which is not supported"],
    [act(':parameters (?x ?x)'), 'line 5, column 30', "expected each variable once, got '?x' again"],
    [act(':precondition (r k)'), 'line 5, column 28', "expected a declared predicate, got '(r …)'"],
    [act(':precondition (p k k)'), 'line 5, column 28', "expected 1 term in '(p …)', got 2"],
    [act(':precondition (p ?x)'), 'line 5, column 31', "expected a variable of this place, got '?x'"],
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

  it.each([
    ['(:init)', 'line 1, column 1', 'expected a (:goal …), got none'],
    ['(:init (p m)) (:goal (p k))', 'line 2, column 8', "expected declared objects in '(p …)', got 'm'"],
    ['(:goal (p k) (p k))', 'line 2, column 1', "expected 1 part in '(:goal …)', got 2"],
  ])('refuses %j', (rest, place, message) => {
    const said = refusal(() => read(rest))
    expect(said).toContain(`here, ${place}`)
    expect(said).toContain(message)
  })
})
