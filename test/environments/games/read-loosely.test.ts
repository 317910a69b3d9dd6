import { describe, expect, it } from 'vitest'
import { readLoosely } from '../../../src/environments/games/read-loosely.js'

const names = ['ball1', 'ball2', 'rooma', 'roomb', 'left', 'right']
const grab = 'Grab {ball} in {room} with arm {gripper}'
const templates = [
  grab,
  'drop {ball} {room} {gripper}',
  '{gripper} move in {room}',
  'list what can be done',
  'look around',
  'wait',
]

describe('reading by a list of templates', () => {
  it.each<[string, string | undefined, Record<string, string>?]>([
    ['Grab ball1 in rooma with arm left', grab, { ball: 'ball1', room: 'rooma', gripper: 'left' }],
    [
      'Now grab the ball1 (it is in rooma), please, with your left arm.',
      grab,
      { ball: 'ball1', room: 'rooma', gripper: 'left' },
    ],
    ['grab ball1. then drop ball2 roomb right', grab, { ball: 'ball1', room: 'ball2', gripper: 'roomb' }],
    ['left move in rooma', templates[2], { gripper: 'left', room: 'rooma' }],
    ['drop ball1 rooma', undefined],
    ['please LIST what can be done', 'list what can be done', {}],
    ['', undefined],
  ])('%j', (text, template, filling) => {
    expect(readLoosely(text, templates, names)).toEqual(template === undefined ? undefined : { template, filling })
  })

  it('skips impossible readings, and chooses the nearest wording of an action', () => {
    const both = ['With arm {gripper} pick up {ball} at {room}', 'pick {ball} {room} {gripper}', 'move {from} {to}']
    const actions = ['pick', 'pick', 'move']
    const read = (text: string, possible: readonly string[]) =>
      readLoosely(text, both, names, { actions, isPossible: (action) => possible.includes(action) })
    expect(read('pick ball1 rooma left', ['pick'])?.template).toBe(both[1])
    expect(read('with arm left pick up ball1 at rooma', ['pick'])?.filling).toEqual({
      gripper: 'left',
      ball: 'ball1',
      room: 'rooma',
    })
    expect(read('pick, or move from rooma to roomb', ['move'])?.filling).toEqual({ from: 'rooma', to: 'roomb' })
    expect(read('pick ball1 rooma left', [])).toBeUndefined()
  })
})
