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
})
