import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readRows } from '../../../src/training/read-rows.js'
import { rowOfTrajectory } from '../../../src/training/sft/read-training.js'
import type { SftSetting } from '../../../src/training/sft/settings.js'
import { applySetting, kindsOf, sftSettings } from '../../../src/training/sft/settings.js'
import type { TrainingRow, TrainingTurn } from '../../../src/index.js'
import good from '../../fixtures/verify/good.json' with { type: 'json' }

const fixture = fileURLToPath(new URL('../../fixtures/sft/trajectories.jsonl', import.meta.url))
const rows = [...readRows(fixture)].map(({ row }) => row)

/** The assistant's turns: `+` learned from, `-` masked; or why the row cannot be used. */
function masks(row: TrainingRow, setting: SftSetting): string {
  const made = applySetting(row, setting)
  if ('unusable' in made) return made.unusable
  return made.turns.flatMap(({ role, loss }) => (role === 'assistant' ? [loss === true ? '+' : '-'] : [])).join('')
}

const table = (row: TrainingRow): readonly string[] =>
  Object.keys(sftSettings).map((setting) => masks(row, setting as SftSetting))

const assistant = (text: string, loss?: boolean): TrainingTurn => ({
  role: 'assistant',
  text,
  ...(loss !== undefined && { loss }),
})
const user = (text: string): TrainingTurn => ({ role: 'user', text })

describe('the settings of the refinement loss', () => {
  it('detect wrong turns, the corrections after them, and turns that only confirm readiness', () => {
    expect(rows.map((row) => kindsOf(row).filter((kind) => kind !== undefined))).toEqual([
      ['wrong', 'correction', 'wrong', 'wrong', 'correction', 'right'],
      ['wrong', 'correction', 'right'],
      ['ready', 'right'],
    ])
  })

  it.each([
    [0, ['-+--++', '++++++', '-----+', '+++']],
    [1, ['-++', '+++', '--+', 'a mistake changed something, so that it cannot be cut out']],
    [2, ['-+', '-+', '-+', '-+']],
  ])('mask the turns that each setting requires in trajectory %i', (index, expected) => {
    expect(table(rows[index]!)).toEqual(expected)
  })

  it('leave nothing of a mistake that is cut out, not even its thought', () => {
    expect(applySetting(rows[0]!, 'without-refinement-data')).toEqual({
      id: 'household_0',
      turns: [
        { role: 'system', text: 'You look after a household.' },
        user('Put a mug on the desk.\nObservation: You see a desk 1 and a shelf 1.'),
        assistant('Action: go to shelf 1', true),
        user('Observation: On the shelf 1, you see a mug 2.'),
        assistant('Action: take mug 2 from shelf 1', true),
        user('Observation: You pick up the mug 2.'),
        assistant('Action: put mug 2 in/on desk 1', true),
      ],
    })
  })

  it.each<[string, readonly TrainingTurn[], unknown]>([
    ['turns of one role become one', [user('a'), user('b'), assistant('c'), assistant('d')], ['a\nb', 'c\nd']],
    ['a gap that is there is kept', [user('a'), assistant('b'), assistant('\nc')], ['a', 'b\nc']],
    ['what follows the last reply goes', [user('a'), assistant('b'), user('c')], ['a', 'b']],
  ])('arrange turns as trainers require: %s', (_, turns, expected) => {
    expect((applySetting({ turns }, 'refinement') as TrainingRow).turns.map(({ text }) => text)).toEqual(expected)
  })

  it('treat a thought and the action after it as one correction', () => {
    const turns = [
      user('a'),
      assistant('b', false),
      user('c'),
      assistant('Think: d'),
      assistant('Action: e'),
      user('f'),
      assistant('g'),
    ]
    expect(table({ turns })).toEqual(['-++', '+++', '--+', '++'])
  })
})

describe('a trajectory of a Player and a DM', () => {
  it('has a wrong turn where the next turn of the DM signals an error', () => {
    const row = rowOfTrajectory(good, 'good') as TrainingRow
    const errors = good.map(
      (turn) => 'logic_error' in turn && (turn.logic_error || turn.parameter_error || turn.place_error),
    )
    const wrong = row.turns.flatMap(({ loss }, index) => (loss === false ? [index + 1] : []))
    expect(wrong).toEqual(errors.flatMap((error, index) => (error ? [index] : [])))
    expect(wrong.length).toBe(2)
    expect(row.turns[1]).toEqual({ role: 'assistant', text: 'Thought: I go on.\nAction: go to kitchen', loss: true })
    expect(row.turns[0]).toEqual({ role: 'user', text: 'You are in the hall. There is a shelf.' })
  })
})
