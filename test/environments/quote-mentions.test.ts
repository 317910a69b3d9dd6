import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/core/text.js'
import { quoteMentions } from '../../src/environments/quote-mentions.js'

const templates = ['go to {obj}', 'toggle', 'toggle and go through {door}', 'pick {obj} {room}']
const names = ['red ball 1', 'red ball 10', 'door 2', 'hall']

describe('commands in prose', () => {
  it.each([
    ['Remember to go to red ball 1 first.', ['go to red ball 1']],
    ['Go to red ball 10, or pick door 2 hall.', ['Go to red ball 10', 'pick door 2 hall']],
    ['You cannot toggle and go through door 2: toggle it.', ['toggle and go through door 2', 'toggle']],
    ['go to red ball 11, go to the hall, go to {obj}, go to <hall>, go to chair 3, ergo to hall', []],
    ['un-toggle, toggled, toggle-go, Toggle', ['Toggle']],
    ['', []],
  ])('are quoted in %j', (text, commands) => {
    const pieces = quoteMentions(text, templates, names)
    expect(textOf(pieces)).toBe(text)
    expect(pieces.flatMap((piece) => (typeof piece === 'object' && 'command' in piece ? [piece.command] : []))).toEqual(
      commands,
    )
  })

  it('are quoted without changing a byte', () => {
    const words = fc.constantFrom(...templates, ...names, 'go to ', 'toggle', 'pick', ' ', '. ', '-', '\n', 'é', '{')
    fc.assert(
      fc.property(
        fc.array(words).map((all) => all.join('')),
        (text) => {
          const pieces = quoteMentions(text, templates, names)
          expect(textOf(pieces)).toBe(text)
          expect(pieces).not.toContain('')
        },
      ),
    )
  })
})
