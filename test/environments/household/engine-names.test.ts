import { describe, expect, it } from 'vitest'
import { displayNames } from '../../../src/environments/household/engine/command-writer.js'
import { pythonStrip } from '../../../src/environments/python-strip.js'

describe('display names', () => {
  it('number each class downwards in the order of the ids', () => {
    expect(displayNames(['agent1', 'mug_bar_1', 'mug_bar_2', 'pen_bar_1', 'pencil_bar_1', 'pencil_bar_2'])).toEqual([
      'agent1 ',
      'mug 2',
      'mug 1',
      'pen 1',
      'pencil 2',
      'pencil 1',
    ])
  })

  it('make a class of its own of basins', () => {
    expect(
      displayNames(['sink_bar_1', 'sink_bar_1_bar_sinkbasin', 'sink_bar_2', 'bathtub_bar_9_bar_bathtubbasin']),
    ).toEqual(['sink 2', 'sinkbasin 1', 'sink 1', 'bathtubbasin 1'])
  })

  it('are safe from names that objects have', () => {
    expect(displayNames(['__proto___bar_1', 'constructor_bar_1'])).toEqual(['__proto__ 1', 'constructor 1'])
  })
})

describe('stripping', () => {
  it.each([
    ['  a b \n', 'a b'],
    ['\u001c\u001d\u001e\u001fa\u0085\u00a0', 'a'],
    ['\ufeffa\ufeff', '\ufeffa\ufeff'],
    ['\u200ba', '\u200ba'],
    ['\u2003\u3000a\u205f\u202f', 'a'],
    [' \t\v\f\r ', ''],
    ['', ''],
  ])('of %j leaves %j', (text, stripped) => {
    expect(pythonStrip(text)).toBe(stripped)
  })
})
