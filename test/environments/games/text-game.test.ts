import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/core/text.js'
import type { TextGame } from '../../../src/environments/games/text-game.js'
import { createTextGame } from '../../../src/environments/games/text-game.js'
import type { GameName } from '../../../src/environments/games/wording.js'
import { smallGame } from './small-games.js'

const unread = 'The action is not valid and therefore takes no effect. Please check valid actions.'
const idle =
  'The action is not valid and therefore takes no effect. Please remember to satisfy the restriction of actions. You can also check valid actions.'

const begin = (game: GameName): TextGame => createTextGame(smallGame(game))

describe('the actions that a game understands', () => {
  it.each<[GameName, string, string | undefined]>([
    ['gripper', 'PICK ball1 rooma right', undefined],
    ['gripper', 'Pick up ball1 at rooma with arm left. ', undefined],
    ['gripper', 'Please pick the ball1, it is in rooma, with your left arm.', undefined],
    ['gripper', 'pick ball1 rooma left right', undefined],
    ['gripper', 'ball1 rooma left pick', undefined],
    ['gripper', 'pick ball1 left rooma', idle],
    ['gripper', 'pick up ball1', unread],
    ['gripper', 'move roomb rooma', idle],
    // No ball is carried, so nothing can be dropped and the word is skipped.
    ['gripper', 'drop ball1 rooma left', unread],
    ['gripper', 'drop it and move from rooma to roomb', undefined],
    ['gripper', '', unread],
    ['blockworld', 'pickup "b1"', undefined],
    ['blockworld', "pickup 'b1'", unread],
    ['blockworld', 'Action: pickup b1', undefined],
    ['blockworld', 'pick up b1', unread],
    ['blockworld', 'pickup b1.b2', unread],
    ['tyreworld', 'open wrench', idle],
    ['tyreworld', 'Open the boot', undefined],
    ['barman', 'right hand grasp shot1', undefined],
    ['barman', 'clean-shaker', unread],
  ])('%s: %s', (name, action, rejection) => {
    const game = begin(name)
    const before = game.admissible()
    const isUnderstood = rejection === undefined
    expect(game.understands(action)).toBe(isUnderstood)
    const { observation: text, understood } = game.step(action)
    expect(understood).toBe(isUnderstood)
    if (isUnderstood) return
    expect(textOf(text)).toBe(rejection)
    // As data, so that another wording reaches it.
    expect(text).toContainEqual({ command: 'check valid actions' })
    expect(game.admissible()).toEqual(before)
  })
})

describe('progress', () => {
  it('is the largest share of conditions after an action that changed something, the initial ones included only then', () => {
    const game = begin('gripper')
    const progress = (action: string): number => game.step(action).progress
    expect(['check', 'look around', 'fly', 'move rooma rooma'].map(progress)).toEqual([0, 0, 0, 0])
    expect(progress('move rooma roomb')).toBe(2 / 3)
    expect(progress('pick ball2 roomb left')).toBe(2 / 3)
    expect(progress('check')).toBe(2 / 3)
  })
})
