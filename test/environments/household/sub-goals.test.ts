import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { goalOfFolder, readGoal, subGoals } from '../../../src/environments/household/goal.js'
import { sharedData } from '../../shared-data.js'

const patternsOf = (sentence: string, generation: 'old' | 'new' = 'old'): string[] =>
  subGoals(readGoal(sentence)!, generation).map(({ source }) => source.replaceAll('\\/', '/'))

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
