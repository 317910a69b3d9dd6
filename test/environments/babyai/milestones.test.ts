import { describe, expect, it } from 'vitest'
import { createTextGame } from '../../../src/environments/babyai/game.js'
import { createMilestones } from '../../../src/environments/babyai/progress.js'
import { makeLevel } from '../../../src/environments/babyai/simulator/simulation.js'

function progressOf(level: number, seed: number, actions: readonly string[]) {
  const game = createTextGame(makeLevel(level, seed, 'fixed'), 'fixed', createMilestones)
  return {
    mission: game.simulation.mission,
    turns: actions.map((action) => {
      const { understood, progress, ended } = game.step(action)
      expect(understood, action).toBe(true)
      return ended === false ? progress : { progress, ended }
    }),
  }
}

describe('sub-goals of our own', () => {
  it('are that a thing was seen and that the deed was done, and are not lost again', () => {
    const { mission, turns } = progressOf(25, 5, [
      'check available actions',
      'move forward',
      'turn left',
      'turn right',
      'pickup grey key 1',
      'go to grey locked door 1',
      'toggle',
    ])
    expect(mission).toBe('open the door')
    expect(turns).toEqual([0, 0.5, 0.5, 0.5, 0.5, 0.5, { progress: 1, ended: 'success' }])
  })

  it('are four where one thing is put beside another: both seen, held, done', () => {
    const { mission, turns } = progressOf(22, 4, [
      'turn right',
      'pickup yellow ball 1',
      'turn right',
      'move forward',
      'move forward',
      'move forward',
      'turn right',
      'drop',
    ])
    expect(mission).toBe('put the yellow ball next to the grey key')
    expect(turns).toEqual([0.25, 0.5, 0.75, 0.75, 0.75, 0.75, 0.75, { progress: 1, ended: 'success' }])
  })

  it('count for each deed when its time has come, with what was seen on the way to it', () => {
    const { mission, turns } = progressOf(15, 1, [
      'toggle and go through red closed door 1',
      'turn left',
      'turn left',
      'toggle and go through blue closed door 1',
    ])
    expect(mission).toBe('open the red door, then open the blue door')
    expect(turns).toEqual([0.5, 0.5, 0.75, { progress: 1, ended: 'success' }])
  })

  it('of four deeds are eight', () => {
    const { mission, turns } = progressOf(8, 1, ['turn left', 'go to red ball 1', 'turn right', 'turn right'])
    expect(mission).toBe('go to a key and go to the ball after you go to the red ball and go to a key')
    expect(turns).toEqual([0.25, 0.375, 0.375, 0.375])
  })
})
