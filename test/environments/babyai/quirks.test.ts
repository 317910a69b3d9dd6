import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/core/text.js'
import { createBabyai } from '../../../src/environments/babyai/environment.js'
import type { Answer, TextGame } from '../../../src/environments/babyai/game.js'
import { createTextGame } from '../../../src/environments/babyai/game.js'
import { createLabelledProgress, createMilestones } from '../../../src/environments/babyai/progress.js'
import type { Rules } from '../../../src/environments/babyai/sight.js'
import { makeLevel } from '../../../src/environments/babyai/simulator/simulation.js'

/** Opens a level. Progress uses the given patterns, or our own sub-goals if there are none. */
function open(rules: Rules, level: number, seed: number, patterns?: readonly string[]): TextGame {
  const made = makeLevel(level, seed, rules === 'fixed' ? 'fixed' : 'minigrid-2.3.0')
  return createTextGame(made, rules, patterns === undefined ? createMilestones : () => createLabelledProgress(patterns))
}

/** Plays actions. @returns the last answer as text */
function play(game: TextGame, ...actions: string[]): Omit<Answer, 'text'> & { readonly said: string } {
  let last: Answer | undefined
  for (const action of actions) last = game.step(action)
  const { text, ...rest } = last!
  return { ...rest, said: textOf(text) }
}

const completed = 'The task is completed.'
const unreachable = 'red herring'

describe('faults of AgentBoard’s text game | the fixed rules', () => {
  it('an action that takes no step has the validity of the one before it | is valid', () => {
    const said = 'No change in state.'
    for (const rules of ['agentboard', 'fixed'] as const) {
      const game = open(rules, 25, 5)
      const goTo = 'go to grey key 1'
      expect(play(game, goTo)).toMatchObject({ understood: true })
      expect(play(game, goTo)).toMatchObject({ said, understood: true })
      expect(play(game, 'fly', goTo)).toMatchObject({ said, understood: rules === 'fixed' })
      expect(play(game, goTo)).toMatchObject({ said, understood: rules === 'fixed' })
      expect(play(game, 'check', goTo)).toMatchObject({ said, understood: true })
      expect(play(game, '')).toMatchObject({ said, understood: false })
    }
  })

  it('a closed door without a way to it is numbered with a Python dictionary | with its number', () => {
    const action = 'toggle and go through green closed door 1'
    for (const [rules, door] of [
      ['agentboard', "green closed door {'green closed door': 1}"],
      ['fixed', 'green closed door 1'],
    ] as const) {
      expect(play(open(rules, 18, 21), action)).toMatchObject({
        understood: false,
        said: `You cannot toggle and go through ${door}, as there is no path leading to it.`,
      })
    }
  })

  it('a success during an action is lost | ends the episode', () => {
    const passing = 'go to green key 2'
    const lost = play(open('agentboard', 2, 36, [unreachable]), passing)
    expect(lost).toMatchObject({ understood: true, progress: 0, ended: false })
    expect(lost.said).not.toContain(completed)
    const kept = play(open('fixed', 2, 36, [unreachable]), passing)
    expect(kept).toMatchObject({ understood: true, progress: 0, ended: 'success' })
    expect(kept.said).toContain(completed)
  })

  it('a success during an action counts if every sub-goal is reached', () => {
    const answer = play(open('agentboard', 2, 36), 'go to green key 2')
    expect(answer).toMatchObject({ progress: 1, ended: 'success' })
    expect(answer.said.endsWith(`\n ${completed}`)).toBe(true)
  })

  it('an end at progress 0.5 or less is announced and ignored | ends the episode', () => {
    const patterns = [completed.slice(0, -1), unreachable]
    const lost = play(open('agentboard', 2, 36, patterns), 'go to red ball 1')
    expect(lost).toMatchObject({ progress: 0.5, ended: false })
    expect(lost.said.endsWith(`\n ${completed}`)).toBe(true)
    const kept = play(open('fixed', 2, 36, patterns), 'go to red ball 1')
    expect(kept).toMatchObject({ progress: 0.5, ended: 'success' })
    expect(kept.said.endsWith(`\n ${completed}`)).toBe(true)
  })

  it('reaching all sub-goals ends the episode, announced | does not', () => {
    const early = play(open('agentboard', 2, 36, ['You are']), 'turn left')
    expect(early).toMatchObject({ progress: 1, ended: 'success' })
    expect(early.said.endsWith(`\n ${completed}`)).toBe(true)
    const late = play(open('fixed', 2, 36, ['You are']), 'turn left')
    expect(late).toMatchObject({ progress: 1, ended: false })
    expect(late.said).not.toContain(completed)
  })

  it('a failed task is announced as completed and continues | ends in failure', () => {
    const lost = playWrongDoor('agentboard')
    expect(lost).toMatchObject({ understood: true, ended: false })
    expect(lost.said).toContain(completed)
    expect(playWrongDoor('fixed')).toMatchObject({ understood: true, ended: 'failure' })
  })

  it('a failed task is a success if progress is above 0.5 | is a failure', () => {
    const patterns = [completed.slice(0, -1)]
    expect(playWrongDoor('agentboard', patterns)).toMatchObject({ progress: 1, ended: 'success' })
    expect(playWrongDoor('fixed', patterns)).toMatchObject({ progress: 1, ended: 'failure' })
  })

  it('opening the first of two doors in order fails the second | does not', () => {
    const actions = ['turn left', 'go to red closed door 1', 'toggle']
    const spoilt = open('agentboard', 16, 2)
    expect(spoilt.simulation.mission).toBe('open the green door after you open the red door')
    expect(play(spoilt, ...actions).said).toContain(completed)
    const sound = play(open('fixed', 16, 2), ...actions)
    expect(sound.said).not.toContain(completed)
    expect(sound).toMatchObject({ understood: true, ended: false })
  })

  it('the object carried at the start is on the floor in the first observation | is not', () => {
    const there = 'There is a yellow box 1 '
    for (const rules of ['agentboard', 'fixed'] as const) {
      const game = open(rules, 23, 0)
      expect(game.opening.includes(there)).toBe(rules === 'agentboard')
      expect(game.moves().possible.has('go to yellow box 1')).toBe(rules === 'agentboard')
      expect(game.opening).toContain('You are carrying a yellow box.')
      const again = play(game, 'turn left', 'turn right').said
      expect(again).not.toContain(there)
      expect(again).toBe(open('fixed', 23, 0).opening)
    }
  })

  it('a goal loses the order of its parts | keeps it', () => {
    const goals = (['agentboard', 'fixed'] as const).map(
      (rules) => createBabyai({ split: 'test', rules }).find('57').goal,
    )
    expect(goals).toEqual(['open the red door, and open the blue door', 'open the red door, then open the blue door'])
  })

  it('a level called S6 has rooms of size four | size six', () => {
    const widths = (['minigrid-2.3.0', 'fixed'] as const).map((profile) => makeLevel(4, 1, profile).start().board.width)
    expect(widths).toEqual([4, 6])
  })
})

/** Opens the blue door where the red one is to be opened first: the agent's place depends on the seed. */
function playWrongDoor(rules: Rules, patterns?: readonly string[]) {
  const game = open(rules, 15, 1, patterns)
  for (let turns = 0; turns < 4; turns++) {
    const action = [...game.moves().possible.keys()].find((one) => one.startsWith('go to blue'))
    if (action !== undefined) return play(game, action, 'toggle')
    game.step('turn left')
  }
  throw new Error('The blue door is not in sight.')
}
