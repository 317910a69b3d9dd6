import { describe, expect, it } from 'vitest'
import { createTextGame } from '../../../src/environments/babyai/game.js'
import type { Labels } from '../../../src/environments/babyai/progress.js'
import { createLabelledProgress, createMilestones } from '../../../src/environments/babyai/progress.js'
import { makeLevel } from '../../../src/environments/babyai/simulator/simulation.js'

const said = 'There is a red ball 1 right in front of you 2 steps away.  There is a grey key 1 3 steps in front of you.'

function recordAll(labels: Labels, observations: readonly string[]): number[] {
  const progress = createLabelledProgress(labels)
  return observations.map((observation) => progress.record(observation))
}

describe('the progress of AgentBoard’s labels', () => {
  it.each<[string, string, boolean]>([
    ['prose inside a sentence', 'red ball 1 right in front', true],
    ['a star for anything', 'There is a red ball*2 steps away', true],
    ['a star across sentences', 'red ball*grey key', false],
    ['parts in any order', 'steps away*red ball', true],
    ['double stars', 'There is a ** key ** 3 steps', true],
    ['a full stop at its ends', ' red ball 1 right in front of you 2 steps away. ', true],
    ['full stops at the ends of parts', 'red ball. * .2 steps away.', true],
  ])('handles %s', (_, pattern, isReached) => {
    expect(recordAll([pattern], [said])).toEqual([isReached ? 1 : 0])
  })
})

const done = { progress: 1, ended: 'success' }

describe('our own sub-goals', () => {
  it.each([
    {
      title: 'count that a thing was seen and that the subtask was done, and are never lost',
      level: [25, 5],
      mission: 'open the door',
      actions: `check available actions,move forward,turn left,turn right,pickup grey key 1,go to grey locked door 1,toggle`,
      progress: [0, 0.5, 0.5, 0.5, 0.5, 0.5, done],
    },
    {
      title: 'count a subtask only when it is its turn, and what was seen before',
      level: [15, 1],
      mission: 'open the red door, then open the blue door',
      actions: `toggle and go through red closed door 1,turn left,turn left,toggle and go through blue closed door 1`,
      progress: [0.5, 0.5, 0.75, done],
    },
  ])('$title', ({ level, mission, actions, progress: expected }) => {
    const game = createTextGame(makeLevel(level[0]!, level[1]!), createMilestones)
    const turns = actions.split(',').map((action) => {
      const { understood, progress, ended } = game.step(action)
      expect(understood, action).toBe(true)
      return ended === false ? progress : { progress, ended }
    })
    expect([game.simulation.mission, ...turns]).toEqual([mission, ...expected])
  })
})
