import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/core/text.js'
import { createBabyai } from '../../../src/environments/babyai/environment.js'
import type { TextGame } from '../../../src/environments/babyai/game.js'
import { createTextGame } from '../../../src/environments/babyai/game.js'
import { createLabelledProgress, createMilestones } from '../../../src/environments/babyai/progress.js'
import { makeLevel } from '../../../src/environments/babyai/simulator/simulation.js'

/** Opens a level. Progress uses the given patterns, or our own sub-goals if there are none. */
function open(level: number, seed: number, patterns?: readonly string[]): TextGame {
  const progressOf = patterns === undefined ? createMilestones : () => createLabelledProgress(patterns)
  return createTextGame(makeLevel(level, seed), progressOf)
}

/** Plays actions. @returns the last answer, with its text */
function play(game: TextGame, ...actions: string[]) {
  let last: ReturnType<TextGame['step']> | undefined
  for (const action of actions) last = game.step(action)
  return { ...last!, said: textOf(last!.observation) }
}

const completed = 'The task is completed.'
const unreachable = 'red herring'

describe('AgentBoard’s text game', () => {
  it('gives an action that takes no step the validity of the one before it', () => {
    const game = open(25, 5)
    const goTo = 'go to grey key 1'
    expect(play(game, goTo)).toMatchObject({ understood: true })
    for (const [before, understood] of [
      [goTo, true],
      ['fly', false],
      [goTo, false],
      ['check', true],
    ] as const) {
      expect(play(game, before, goTo)).toMatchObject({ said: 'No change in state.', understood })
    }
    expect(play(game, '')).toMatchObject({ said: 'No change in state.', understood: false })
  })

  it('numbers a closed door without a way to it with a Python dictionary', () => {
    const door = "green closed door {'green closed door': 1}"
    expect(play(open(18, 21), 'toggle and go through green closed door 1')).toMatchObject({
      understood: false,
      said: `You cannot toggle and go through ${door}, as there is no path leading to it.`,
    })
  })

  it('loses a success during an action, except where every sub-goal is reached', () => {
    const lost = play(open(2, 36, [unreachable]), 'go to green key 2')
    expect(lost).toMatchObject({ understood: true, progress: 0, ended: false })
    expect(lost.said).not.toContain(completed)
    const kept = play(open(2, 36), 'go to green key 2')
    expect(kept).toMatchObject({ progress: 1, ended: 'success' })
    expect(kept.said.endsWith(`\n ${completed}`)).toBe(true)
  })

  it('announces an end at progress 0.5 or less, and ignores it', () => {
    const lost = play(open(2, 36, [completed.slice(0, -1), unreachable]), 'go to red ball 1')
    expect(lost).toMatchObject({ progress: 0.5, ended: false })
    expect(lost.said.endsWith(`\n ${completed}`)).toBe(true)
  })

  it('announces a failed task as completed, which is a success if progress is above 0.5', () => {
    const lost = playWrongDoor()
    expect(lost).toMatchObject({ understood: true, ended: false })
    expect(lost.said).toContain(completed)
    expect(playWrongDoor([completed.slice(0, -1)])).toMatchObject({ progress: 1, ended: 'success' })
  })

  it('fails the second of two doors in order where the first is opened', () => {
    const spoilt = open(16, 2)
    expect(spoilt.simulation.mission).toBe('open the green door after you open the red door')
    expect(play(spoilt, 'turn left', 'go to red closed door 1', 'toggle').said).toContain(completed)
  })

  it('loses the order of the parts of a goal', () => {
    expect(createBabyai({ split: 'test' }).find('57').goal).toBe('open the red door, and open the blue door')
  })
})

/** Opens the blue door where the red one is to be opened first: the agent's place depends on the seed. */
function playWrongDoor(patterns?: readonly string[]) {
  const game = open(15, 1, patterns)
  for (let turns = 0; turns < 4; turns++) {
    const action = [...game.moves().possible.keys()].find((one) => one.startsWith('go to blue'))
    if (action !== undefined) return play(game, action, 'toggle')
    game.step('turn left')
  }
  throw new Error('The blue door is not in sight.')
}
