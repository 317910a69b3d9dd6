import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/core/text.js'
import { readTemplates } from '../../../src/environments/games/plain-wording.js'
import { createTextGame } from '../../../src/environments/games/text-game.js'
import { plainGame } from './small-games.js'
import { scratchFolder } from '../../scratch.js'

const scratch = scratchFolder()

/** Lamps in rooms: with types, a conditional effect, quantifiers, and an action without parameters. */
const domain = `(define (domain lamps) (:requirements :adl) (:types lamp room)
  (:predicates (lit ?l - lamp) (inside ?l - lamp ?r - room) (dark ?r - room) (power))
  (:action switch :parameters (?l - lamp ?r - room) :precondition (and (power) (inside ?l ?r))
    :effect (and (when (lit ?l) (not (lit ?l))) (when (not (lit ?l)) (and (lit ?l) (not (dark ?r))))))
  (:action plug-in :parameters () :precondition (not (power)) :effect (power))
  (:action compare :parameters (?a ?b - lamp) :precondition (and (lit ?a) (lit ?b)) :effect (and (lit ?a) (lit ?b))))`

const problem = (goal: string): string => `(define (problem one) (:domain lamps)
  (:objects lamp1 lamp2 in - lamp hall attic - room)
  (:init (inside lamp1 hall) (inside lamp2 attic) (inside in hall) (dark hall) (dark attic)) (:goal ${goal}))`

function templates(texts: unknown) {
  const path = join(scratch, 'templates.json')
  writeFileSync(path, typeof texts === 'string' ? texts : JSON.stringify(texts))
  return readTemplates(path)
}

const messageOf = (work: () => unknown): string => {
  try {
    return `nothing is wrong: ${JSON.stringify(work())}`
  } catch (thrown) {
    return (thrown as Error).message.replaceAll(scratch, 'FOLDER')
  }
}

describe("a user's own domain", () => {
  it('is worded by its names', () => {
    const compiled = plainGame(domain, problem('(and (lit lamp1) (lit lamp2))'))
    const game = createTextGame(compiled)
    expect(compiled.goalText).toBe('The goal is to satisfy the following conditions: lit lamp1, lit lamp2')
    expect(game.opening).toBe('Dark attic Dark hall Inside in hall Inside lamp1 hall Inside lamp2 attic')
    expect(game.admissible()).toEqual(['plug-in', 'check valid actions'])
    game.step('plug-in')
    expect(game.admissible()).toEqual([
      'switch in hall',
      'switch lamp1 hall',
      'switch lamp2 attic',
      'check valid actions',
    ])
    expect(textOf(game.step('switch lamp1 hall').text)).toBe(
      'Dark attic Inside in hall Inside lamp1 hall Inside lamp2 attic Lit lamp1 Power',
    )
    expect(game.step('please switch on lamp2 in the attic').progress).toBe(0.5)
  })

  it('may use names that AgentBoard takes for a request for help', () => {
    const gates = `(define (domain gates) (:predicates (open ?g) (seen ?g))
      (:action check :parameters (?g) :precondition (not (seen ?g)) :effect (seen ?g))
      (:action unlock :parameters (?g) :precondition (seen ?g) :effect (open ?g)))`
    const game = createTextGame(
      plainGame(
        gates,
        '(define (problem p) (:domain gates) (:objects checkpoint tower) (:init) (:goal (open checkpoint)))',
        templates({ unlock: 'Look around {} and unlock it' }),
      ),
    )
    expect(game.admissible()).toEqual(['check checkpoint', 'check tower', 'check valid actions'])
    expect(textOf(game.step('check').text)).toBe(
      'Valid actions are: check checkpoint, check tower, check valid actions',
    )
    expect(textOf(game.step('Check checkpoint.').text)).toBe('Seen checkpoint')
    expect(game.understands('check checkpoint')).toBe(false)
    expect(textOf(game.step('look around').text)).toBe('Seen checkpoint')
    expect(game.step('look around checkpoint and unlock it')).toMatchObject({ understood: true, won: true })
  })

  it('reads only a bounded part of a very long action', () => {
    const game = createTextGame(plainGame(domain, problem('(lit in)')))
    const begun = performance.now()
    for (const piece of [' ', 'switch ', 'a ', '.', 'lamp1 ']) game.step(`switch ${piece.repeat(200_000)} x`)
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  it('lists no action that changes nothing, and objects may have names that are also words', () => {
    const game = createTextGame(plainGame(domain, problem('(lit in)'), templates({ switch: 'Flip {} in {}.' })))
    game.step('plug-in')
    game.step('flip lamp1 in hall')
    expect(game.admissible().filter((action) => action.startsWith('compare'))).toEqual([])
    expect(game.step('compare lamp1 lamp1').understood).toBe(false)
    expect(game.step('Flip in in hall.')).toMatchObject({ understood: true, won: true })
  })

  it('uses the given texts, with arguments in any order', () => {
    const given = templates({
      inside: '{1} has {0}. ',
      switch: 'In {r} press {l}!',
      'plug-in': 'Go for it.',
      dark: 'It is dark.',
    })
    const game = createTextGame(plainGame(domain, problem('(lit lamp1)'), given))
    expect(game.opening).toBe('Attic has lamp2.  Hall has in.  Hall has lamp1.  It is dark. It is dark.')
    expect(game.admissible()).toEqual(['Go for it.', 'check valid actions'])
    game.step('go for it')
    expect(game.admissible()).toContain('In hall press lamp1!')
    expect(game.step('hall, press lamp1').won).toBe(true)
  })

  it('distinguishes tables for predicates from tables for actions', () => {
    const given = templates({ predicates: { lit: 'The {} shines.' }, actions: { SWITCH: 'Press {0} at {1}' } })
    const game = createTextGame(plainGame(domain, problem('(lit lamp1)'), given))
    game.step('plug-in')
    expect(textOf(game.step('press lamp1 at hall').text)).toContain('The lamp1 shines. The goal is satisfied.')
  })

  it.each<[unknown, string]>([
    [{ switch: 'Press {} twice' }, 'it leaves out r'],
    [{ switch: '{l} {l} {r}' }, '{l} is not one of its 2 parameters, or is used twice'],
    [{ switch: 'Press {lamp} {r}' }, '{lamp} is not one of its 2 parameters'],
    [{ switch: 'Press {}{}' }, 'it is not one line with words between its arguments'],
    [{ switch: 'Press\n{} {}' }, 'it is not one line with words between its arguments'],
    [{ inside: '{0} {1} {2}' }, 'it refers to argument {2}, but there are 2 arguments'],
    [{ switch: 'Use {} {}', compare: 'use {} {}' }, "'switch' and 'compare' would both read 'use {a} {b}'"],
    ['{', 'it is not JSON'],
    [[1], 'must contain texts by name only'],
    [{ actions: { switch: 3 } }, 'must contain texts by name only'],
  ])('refuses %j', (texts, message) => {
    expect(messageOf(() => plainGame(domain, problem('(power)'), templates(texts)))).toContain(message)
  })
})

describe('the conditions of a goal', () => {
  const partsOf = (goal: string): readonly string[] => plainGame(domain, problem(goal)).goal.map(({ text }) => text)

  it.each([
    ['(lit lamp1)', ['lit lamp1']],
    ['(and (lit lamp1) (and (power) (not (dark hall))))', ['lit lamp1', 'power', 'not: dark hall']],
    ['(forall (?l - lamp) (lit ?l))', ['lit in', 'lit lamp1', 'lit lamp2']],
    ['(or (power) (exists (?l - lamp) (lit ?l)))', ['power or for some lamp l: lit l']],
    ['(imply (power) (lit lamp1))', ['not: power or lit lamp1']],
    [
      '(exists (?l - lamp) (and (lit ?l) (not (= ?l lamp1))))',
      ['for some lamp l: lit l and not: l is the same as lamp1'],
    ],
  ])('%s', (goal, parts) => {
    expect(partsOf(goal)).toEqual(parts)
  })

  it('are counted separately', () => {
    const game = createTextGame(
      plainGame(domain, problem('(and (forall (?l - lamp) (lit ?l)) (or (power) (dark attic)))')),
    )
    expect(game.step('plug-in').progress).toBe(1 / 4)
    expect(game.step('switch lamp2 attic').progress).toBe(2 / 4)
    expect(game.step('switch lamp2 attic').progress).toBe(2 / 4)
    game.step('switch lamp1 hall')
    game.step('switch lamp2 attic')
    expect(game.step('switch in hall')).toMatchObject({ progress: 1, won: true })
  })
})
