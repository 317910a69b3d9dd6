import { describe, expect, it } from 'vitest'
import { normaliseAction } from '../../../src/environments/household/forms.js'

describe('normaliseAction', () => {
  it.each([
    ['  go to desk 1 ', 'go to desk 1'],
    ['look.', 'look'],
    ['look..', 'look.'],
    ['look . .', 'look .'],
    ['go to cabinet 12 .', 'go to cabinet 12'],
    ['.', ''],
    ['', ''],
    ['\u001c look\u0085\u3000', 'look'],
    ['\ufefflook', '\ufefflook'],
    ['put mug 1 in cabinet 3', 'put mug 1 in/on cabinet 3'],
    ['put mug 1 on shelf 3.', 'put mug 1 in/on shelf 3'],
    ['put mug 1 in/on shelf 3', 'put mug 1 in/on shelf 3'],
    ['put mug 1  in  cabinet 3', 'put mug 1  in/on  cabinet 3'],
    ['put mug 1 in on shelf 3', 'put mug 1 in/on on shelf 3'],
    ['put mug 1 in a cup in cabinet 1', 'put mug 1 in/on a cup in/on cabinet 1'],
    ['put mug 1 on a tray in cabinet 1', 'put mug 1 on a tray in/on cabinet 1'],
    ['use computer on desk 1', 'use computer in/on desk 1'],
    ['input on in', 'input in/on in'],
    ['turn on lamp 1', 'turn on lamp 1'],
    ['Put mug 1 in cabinet 3', 'Put mug 1 in cabinet 3'],
  ])('turns %j into %j', (action, expected) => {
    expect(normaliseAction(action)).toBe(expected)
  })
})
