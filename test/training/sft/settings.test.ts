import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readRows } from '../../../src/training/records.js'
import { rowOf } from '../../../src/training/row-formats.js'
import { type SftSetting, applySetting, kindsOf, sftSettings } from '../../../src/training/sft/settings.js'
import type { TrainingRow, TrainingTurn } from '../../../src/index.js'
import good from '../../fixtures/verify/good.json' with { type: 'json' }

const fixture = fileURLToPath(new URL('../../fixtures/sft/trajectories.jsonl', import.meta.url))
const rows = [...readRows(fixture)].map(({ row }) => row)

/** By setting, the assistant's turns: `+` learned from, `-` masked; or why the row cannot be used. */
const table = (row: TrainingRow): readonly string[] =>
  Object.keys(sftSettings).map((setting) => {
    const made = applySetting(row, setting as SftSetting)
    if ('unusable' in made) return made.unusable
    return made.turns.flatMap(({ role, loss }) => (role === 'assistant' ? [loss === true ? '+' : '-'] : [])).join('')
  })

const user = (text: string): TrainingTurn => ({ role: 'user', text })
const says = (text: string, loss?: boolean): TrainingTurn => ({
  role: 'assistant',
  text,
  ...(loss !== undefined && { loss }),
})

describe('the settings of the refinement loss', () => {
  it.each([
    [0, ['wrong', 'correction', 'wrong', 'wrong', 'correction', 'right'], ['-+--++', '++++++', '-----+', '+++']],
    [
      1,
      ['wrong', 'correction', 'right'],
      ['-++', '+++', '--+', 'a mistake changed something, so that it cannot be cut out'],
    ],
    [2, ['ready', 'right'], ['-+', '-+', '-+', '-+']],
  ])('mask the turns that each setting requires in trajectory %i', (index, kinds, masks) => {
    expect(kindsOf(rows[index]!).filter((kind) => kind !== undefined)).toEqual(kinds)
    expect(table(rows[index]!)).toEqual(masks)
  })

  it('leave nothing of a mistake that is cut out, not even its thought', () => {
    expect(applySetting(rows[0]!, 'without-refinement-data')).toEqual({
      id: 'household_0',
      turns: [
        { role: 'system', text: 'You look after a household.' },
        user('Put a mug on the desk.\nObservation: You see a desk 1 and a shelf 1.'),
        says('Action: go to shelf 1', true),
        user('Observation: On the shelf 1, you see a mug 2.'),
        says('Action: take mug 2 from shelf 1', true),
        user('Observation: You pick up the mug 2.'),
        says('Action: put mug 2 in/on desk 1', true),
      ],
    })
  })

  it.each<[string, readonly TrainingTurn[], unknown]>([
    ['turns of one role become one', [user('a'), user('b'), says('c'), says('\nd')], ['a\nb', 'c\nd']],
    ['what follows the last reply goes', [user('a'), says('b'), user('c')], ['a', 'b']],
  ])('arrange turns as trainers require: %s', (_, turns, expected) => {
    expect((applySetting({ turns }, 'refinement') as TrainingRow).turns.map(({ text }) => text)).toEqual(expected)
  })

  it('treat a thought and the action after it as one correction', () => {
    const turns = [user('a'), says('b', false), user('c'), says('Think: d'), says('Action: e'), user('f'), says('g')]
    expect(table({ turns })).toEqual(['-++', '+++', '--+', '++'])
  })
})

it('a trajectory of a Player and a DM has a wrong turn where the next turn of the DM signals an error', () => {
  const { turns } = rowOf(good) as TrainingRow
  const wrong = turns.flatMap(({ loss }, index) => (loss === false ? [index + 1] : []))
  expect(wrong).toHaveLength(2)
  for (const at of wrong) expect(Object.values(good[at]!)).toContain(true)
  expect(turns[1]).toEqual({ role: 'assistant', text: 'Thought: I go on.\nAction: go to kitchen', loss: true })
  expect(turns[0]).toEqual({ role: 'user', text: 'You are in the hall. There is a shelf.' })
})
