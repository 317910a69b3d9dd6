import { describe, expect, it } from 'vitest'
import { readScript } from '../../../src/training/verify/script.js'
import { type Verdict, profiles, verifyTrajectory } from '../../../src/training/verify/verify-trajectory.js'
import good from '../../fixtures/verify/good.json' with { type: 'json' }
import scriptFile from '../../fixtures/verify/script.json' with { type: 'json' }

type Loose = Readonly<Record<string, unknown>>
const script = readScript(scriptFile)
const { strict, 'paper-literal': literal } = profiles

/** The valid trajectory with other fields in one turn, counted from 0. */
function but(position: number, fields: Loose): Loose[] {
  return good.map((turn, index) => (index === position ? { ...turn, ...fields } : turn))
}

function without(position: number, key: string): Loose[] {
  return good.map((turn: Loose, index) =>
    index === position ? Object.fromEntries(Object.entries(turn).filter(([name]) => name !== key)) : turn,
  )
}

/** The turns at these places, numbered again. */
function only(...places: readonly number[]): Loose[] {
  return places.map((place, turn) => ({ ...good[place], turn }))
}

/** `accepted` or the broken rule `@` its turn, then the number of verified turns. */
function summary({ accepted, rejection, verified }: Verdict): string {
  return `${accepted ? 'accepted' : `${rejection!.rule}@${String(rejection!.turn ?? '?')}`} ${String(verified.length)}`
}

const all = [...good.keys()]
const error = { parameter_error: true }

describe('verifying a trajectory', () => {
  it('accepts a valid one unchanged', () => {
    for (const options of [strict, literal]) {
      expect(verifyTrajectory(good, script, options)).toEqual({ accepted: true, verified: good, errors: 2 })
    }
  })

  const cases: readonly [string, readonly unknown[], strict: string, literal: string][] = [
    ['an unknown action', but(7, { Action: 'fetch milk' }), 'action@7 7', 'action@7 7'],
    ['a value that is not listed', but(7, { Action: 'take cheese from fridge' }), 'value@7 7', 'value@7 7'],
    ['an unknown action that the DM calls wrong', but(3, { Action: 'fetch milk' }), 'accepted 15', 'accepted 15'],
    ['a value with spaces and a line end', but(5, { Action: '  open  fridge \n' }), 'accepted 15', 'accepted 15'],
    ['a missing key', without(6, 'logic_error'), 'keys@6 5', 'keys@6 6'],
    ['another role', but(7, { role: 'dm' }), 'keys@7 7', 'keys@7 7'],
    ['a flag that is a text', but(6, { parameter_error: 'false' }), 'keys@6 5', 'keys@6 6'],
    ['a key of another role', but(7, { Observation: 'x' }), 'keys@7 7', 'accepted 15'],
    ['numbers out of order', but(7, { turn: 9 }), 'order@9 7', 'accepted 15'],
    ['two turns of a role in a row', only(0, 1, 1, ...all.slice(2)), 'order@2 1', 'accepted 16'],
    ['an error in the last turn', but(14, error), 'last-error@14 13', 'last-error@14 14'],
    ['no success', but(14, { Observation: 'Done' }), 'success@14 13', 'success@14 14'],
    ['one error that is corrected', only(...all.slice(0, 9), ...all.slice(11)), 'error-turns@12 0', 'accepted 13'],
    [
      'two errors in a row, corrected once',
      only(...all.slice(0, 5), 3, 4, ...all.slice(5, 9), ...all.slice(11)),
      'error-turns@14 0',
      'accepted 15',
    ],
    ['no answer at the end', good.slice(0, 14), 'last-turn@13 13', 'accepted 14'],
    ['an unknown last action', [...good.slice(0, 13), { ...good[13], Action: 'dance' }], 'action@13 13', 'accepted 14'],
    ['a key of its own', but(7, { note: '' }), 'keys@7 7', 'accepted 15'],
    ['no turns', [], 'last-turn@? 0', 'accepted 0'],
  ]
  it.each(cases)('%s', (_, turns, underStrict, underLiteral) => {
    expect([
      summary(verifyTrajectory(turns, script, strict)),
      summary(verifyTrajectory(turns, script, literal)),
    ]).toEqual([underStrict, underLiteral])
  })
})

it('a script of an invalid shape is refused', () => {
  for (const value of [null, [], 'x', {}, { 'Available Actions': {} }, { 'Available Actions': [1] }]) {
    expect(() => readScript(value)).toThrow(/^Expected a script with actions under "Available Actions": /)
  }
})

it('a script does not hang the process with its patterns, however many', () => {
  const actions = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      `act ${String(index)} {x}`,
      { 'verification code': `^(((a|a?)+)+){9}${String(index)}$`, parameters: { x: ['1'] } },
    ]),
  )
  const hostile = readScript({ ...scriptFile, 'Available Actions': actions })
  const start = performance.now()
  const found = verifyTrajectory(but(1, { Action: 'a'.repeat(400) }), hostile, strict)
  expect(found.rejection!.rule).toBe('action')
  expect(performance.now() - start).toBeLessThan(20_000)
})

it.each([
  [false, 'value@1 1'],
  [true, 'accepted 3'],
])('a script whose pattern has more groups than slots, literally: %s', (isLiteral, expected) => {
  const odd = readScript({
    'Available Actions': {
      'put {thing} in/on {place}': {
        'verification code': 'put (\\w+) ((?:in|on) )(\\w+)',
        parameters: { thing: ['milk'], place: ['on '] },
      },
    },
  })
  const turns = [good[0], { ...good[1], Action: 'put milk on shelf' }, { ...good[14], turn: 2 }]
  expect(summary(verifyTrajectory(turns, odd, { literal: isLiteral, minErrorTurns: 0 }))).toBe(expected)
})
