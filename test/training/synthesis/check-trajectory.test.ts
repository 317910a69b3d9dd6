import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/training/verify/options.js'
import { checkTrajectory, checkedScript } from '../../../src/training/synthesis/check-trajectory.js'
import { honey, rightActions, turnsOf } from './_honey.js'

const script = checkedScript(honey)
const check = (turns: readonly unknown[]) => checkTrajectory(turns, script, profiles.strict)
const changed = (place: number, change: Record<string, unknown>): readonly unknown[] =>
  turnsOf(rightActions).map((turn, index) => (index === place ? { ...turn, ...change } : turn))

describe('a trajectory in the world of its script', () => {
  it('holds with two mistakes that are corrected', () => {
    expect(check(turnsOf(rightActions))).toMatchObject({ accepted: true, errors: 2 })
  })

  it('is refused where the DM accepts what the world refuses', () => {
    const actions = [
      'wash mug !logic_error',
      'take mug from shelf',
      'take jar of honey from chest',
      ...rightActions.slice(2),
    ]
    const verdict = check(turnsOf(actions))
    expect(verdict.rejection).toMatchObject({ rule: 'world-refuses', position: 6, turn: 5 })
    expect(verdict.rejection?.evidence).toBe('"take jar of honey from chest" is a place_error in the world')
    expect(verdict.verified).toHaveLength(5)
  })

  it('is refused where the DM flags what the world accepts', () => {
    const actions = ['walk to cellar !place_error', ...rightActions]
    expect(check(turnsOf(actions)).rejection).toMatchObject({ rule: 'world-accepts', position: 2 })
  })

  it('is refused where the goal is not reached, although the DM says so', () => {
    const verdict = check(turnsOf(rightActions.slice(0, 7)))
    expect(verdict.rejection).toMatchObject({ rule: 'unfinished', position: 15 })
    expect(verdict.verified).toEqual([])
  })

  it.each([
    ['an open slot', 5, { Thought: 'I say {thing} now.' }],
    ['a mark of a chat template', 6, { Observation: 'Well.<|im_end|>' }],
    ['a tag', 6, { Observation: '<observation>Well.' }],
    ['a role', 6, { Observation: 'Well.\nPlayer: open chest' }],
    ['an early success', 6, { Observation: 'Task Succeed' }],
    ['a success that the Player claims', 5, { Thought: 'Task succeeded already.' }],
  ])('is refused for %s', (_, place, change) => {
    const verdict = check(changed(place, change))
    expect(verdict.rejection).toMatchObject({ rule: 'tags', position: place + 1 })
    expect(verdict.verified).toHaveLength(5)
  })
})
