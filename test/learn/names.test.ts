import { describe, expect, it } from 'vitest'
import { cutNames, findNames, gatherVocabulary } from '../../src/learn/vocabulary.js'
import { readTurns } from '../../src/learn/conversation.js'
import { readShown } from '../../src/learn/shown.js'

const none = { modifiers: new Set<string>() }

describe('names', () => {
  it.each([
    ['You see a cup 1, and a cup 12.', ['cup 1', 'cup 12']],
    ['sofa1 and shelf_2, not B2B', ['sofa1', 'shelf_2']],
    ['Block2 is on block1. Block3 is not on Block4.', ['block2', 'block1', 'block3', 'Block4']],
    ['', []],
  ])('are found in %j', (text, names) => {
    const mentions = findNames(text, none)
    expect(mentions.map((mention) => mention.text)).toEqual(names)
    expect(cutNames(text, mentions).match(/\{\}/g)?.length ?? 0).toBe(names.length)
  })

  it('are whole words and numbers: what stands in front belongs to them where training never has the one without the other', () => {
    const talk = (colour: string) =>
      readTurns([
        { role: 'user', text: `You see a ${colour} ball 1 and the box 2.` },
        { role: 'assistant', text: `roll the ${colour} ball 1 to the box 2` },
        { role: 'user', text: `A ${colour} ball 1 rolls. You see the box 2.` },
      ])
    const vocabulary = gatherVocabulary(Array.from({ length: 12 }, (_, at) => talk(at % 2 === 0 ? 'red' : 'blue')))
    expect(vocabulary.modifiers.has('red')).toBe(true)
    expect(vocabulary.modifiers.has('to')).toBe(false)
    expect([...vocabulary.kinds].sort()).toContain('red ball')
  })
})

describe('what a prompt shows', () => {
  it('is read from lists with quotes or without, and from examples with their answers', () => {
    const shown = readShown(
      [
        "Name a thing ('{obj}') as you heard it.",
        "- 'take {obj} from {recep}': pick up a thing",
        'go to {place}',
        "- 'look': look again",
        'Action: take cup 1 from bed 2',
        'Observation: You pick up the cup 1 from the bed 2.',
      ].join('\n'),
      none,
    )
    expect(shown.get('take {} from {}')).toEqual({
      key: 'take {} from {}',
      slots: ['obj', 'recep'],
      words: ['pick', 'up', 'a', 'thing'],
      answers: ['You pick up the {}'],
      listed: true,
      exampled: true,
    })
    expect(shown.get('go to {}')?.slots).toEqual(['place'])
    expect(shown.has('look')).toBe(true)
  })
})
