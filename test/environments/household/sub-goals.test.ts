import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { goalOfFolder, readGoal, subGoals } from '../../../src/environments/household/goal.js'
import { sharedData } from '../../shared-data.js'

const patternsOf = (sentence: string, generation: 'old' | 'new' = 'old'): string[] =>
  subGoals(readGoal(sentence)!, generation).map(({ source }) => source.replaceAll('\\/', '/'))

describe('readGoal', () => {
  it.each([
    ['put a mug in desk.', 'pick_and_place_simple', 'mug', 'desk'],
    ['put some mug on desk', 'pick_and_place_simple', 'mug', 'desk'],
    ['look at bowl under the desklamp.', 'look_at_obj_in_light', 'bowl', 'desklamp'],
    ['examine the bowl with the floorlamp.', 'look_at_obj_in_light', 'bowl', 'floorlamp'],
    ['put a clean pan in stoveburner.', 'pick_clean_then_place_in_recep', 'pan', 'stoveburner'],
    ['clean some pan and put it in stoveburner.', 'pick_clean_then_place_in_recep', 'pan', 'stoveburner'],
    ['put a hot egg in sinkbasin.', 'pick_heat_then_place_in_recep', 'egg', 'sinkbasin'],
    ['heat some egg and put it in sinkbasin.', 'pick_heat_then_place_in_recep', 'egg', 'sinkbasin'],
    ['put a cool egg in sinkbasin.', 'pick_cool_then_place_in_recep', 'egg', 'sinkbasin'],
    ['cool some egg and put it in sinkbasin.', 'pick_cool_then_place_in_recep', 'egg', 'sinkbasin'],
    ['put two cd in safe.', 'pick_two_obj_and_place', 'cd', 'safe'],
    ['find two cd and put them in safe.', 'pick_two_obj_and_place', 'cd', 'safe'],
  ])('reads %j', (sentence, kind, object, target) => {
    expect(readGoal(sentence)).toEqual({ kind, object, target })
  })

  it.each(['', 'put it away.', 'put a .* in desk.', 'put a mug 1 in desk.', 'Put a mug in desk.'])(
    'does not read %j',
    (sentence) => {
      expect(readGoal(sentence)).toBeUndefined()
    },
  )

  it("reads a task's folder if the sentence has no goal", () => {
    expect(goalOfFolder('train/pick_two_obj_and_place-KeyChain-None-Safe-219/trial_1')).toEqual({
      kind: 'pick_two_obj_and_place',
      object: 'keychain',
      target: 'safe',
    })
    expect(goalOfFolder('train/pick_up_everything-KeyChain-None-Safe-219/trial_1')).toBeUndefined()
    expect(goalOfFolder('train/pick_two_obj_and_place-Key(Chain-None-Safe-219/trial_1')).toBeUndefined()
    expect(goalOfFolder('x')).toBeUndefined()
  })
})

describe('subGoals', () => {
  it('has one template for each kind of task', () => {
    const seen = '^(?=.* you see)(?=.*a mug \\d+)'
    const taken = 'You pick up the mug \\d+'
    expect(patternsOf('put a mug in desk.')).toEqual([seen, taken])
    expect(patternsOf('look at mug under the desklamp.')).toEqual([seen, taken, '^(?=.* you see)(?=.*a desklamp)'])
    expect(patternsOf('put a clean mug in desk.')).toEqual([seen, taken, 'You clean the mug \\d+'])
    expect(patternsOf('put a hot mug in desk.')).toEqual([seen, taken, 'You heat the mug \\d+ using the'])
    expect(patternsOf('put a cool mug in desk.')).toEqual([seen, taken, 'You cool the mug \\d+ using the'])
    expect(patternsOf('put two mug in desk.')).toEqual([seen, taken, 'You put the mug \\d+ in/on the desk \\d+'])
    expect(patternsOf('put two mug in desk.', 'new')).toEqual([seen, taken, 'You move the mug \\d+ to the desk \\d+'])
  })

  it.skipIf(sharedData === undefined)("equals AgentBoard's patterns for all 134 unseen games", () => {
    const rows = JSON.parse(readFileSync(join(sharedData!, 'alfworld/agentboard_order.json'), 'utf8')) as {
      game: string
      goal: string
      subgoals: string[]
      task_type: string
    }[]
    expect(rows).toHaveLength(134)
    for (const { game, goal, subgoals, task_type } of rows) {
      expect(patternsOf(goal)).toEqual(subgoals)
      expect(goalOfFolder(`valid_unseen/${game}`)).toEqual(readGoal(goal))
      expect(readGoal(goal)!.kind).toBe(task_type)
    }
  })
})
