import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/training/verify/verify-trajectory.js'
import { checkTrajectory, checkedScript } from '../../../src/training/synthesis/check-trajectory.js'
import { honey, rightActions, turnsOf } from './_honey.js'

const script = checkedScript(honey)
const right = turnsOf(rightActions)
const changed = (place: number, change: Record<string, unknown>) =>
  right.map((turn, index) => (index === place ? { ...turn, ...change } : turn))
const [first, second, ...rest] = rightActions

describe('a trajectory in the world of its script', () => {
  it('holds with two mistakes that are corrected', () => {
    expect(checkTrajectory(right, script, profiles.strict)).toMatchObject({ accepted: true, errors: 2 })
  })

  it.each([
    [
      'the DM accepts what the world refuses',
      turnsOf([first, second, 'take jar of honey from chest', ...rest]),
      'world-refuses',
      6,
      5,
    ],
    [
      'the DM flags what the world accepts',
      turnsOf(['walk to cellar !place_error', ...rightActions]),
      'world-accepts',
      2,
      1,
    ],
    ['the goal is not reached', turnsOf(rightActions.slice(0, 7)), 'unfinished', 15, 0],
    ['there is an open slot', changed(5, { Thought: 'I say {thing} now.' }), 'tags', 6, 5],
    ['there is a mark of a chat template', changed(6, { Observation: 'Well.<|im_end|>' }), 'tags', 7, 5],
    ['there is a role', changed(6, { Observation: 'Well.\nPlayer: open chest' }), 'tags', 7, 5],
    ['success comes early', changed(6, { Observation: 'Task Succeed' }), 'tags', 7, 5],
    ['the Player claims success', changed(5, { Thought: 'Task succeeded already.' }), 'tags', 6, 5],
  ])('is refused where %s', (_, turns, rule, position, verified) => {
    const verdict = checkTrajectory(turns, script, profiles.strict)
    expect(verdict.rejection).toMatchObject({ rule, position })
    expect(verdict.verified).toHaveLength(verified)
  })
})
