import { expect, it } from 'vitest'
import { agents } from '../../../src/agents/index.js'
import { layReply, readMessages, readReply, readTurns } from '../../../src/training/learn/conversation.js'
import { briefing } from '../../agents/briefing-fixture.js'
import { cutNames, findNames, gatherVocabulary, readShown } from '../../../src/training/learn/vocabulary.js'

const texts = agents.filter(({ name }) => name !== 'tools')

it.each(texts)('a conversation is read the same in the layout of $name', (agent) => {
  const talk = agent.begin(briefing, 'You see a bed 1, and a shelf 2.')
  const say = (action: string, observation: string): void => {
    const { action: read } = talk.read(layReply(action, talk.messages()))
    expect(read).toBe(action)
    talk.observe(action, observation)
  }
  say('go to shelf 2', 'On the shelf 2, you see a pen 1.')
  say('take pen 1 from shelf 2', 'You pick up the pen 1 from the shelf 2.')
  const { goal, opening, exchanges, head } = readMessages(talk.messages())
  expect(goal).toBe('put some pen in bed.')
  expect(opening).toBe('You see a bed 1, and a shelf 2.')
  expect(exchanges.map(({ action, answer }) => [action, answer])).toEqual([
    ['go to shelf 2', 'On the shelf 2, you see a pen 1.'],
    ['take pen 1 from shelf 2', 'You pick up the pen 1 from the shelf 2.'],
  ])
  expect(head).toContain('take book 1 from shelf 1')
  expect(head).not.toContain('bed 1')
})

it.each([
  ['go to bed 1', 'go to bed 1'],
  ['THOUGHT: tired. ACTION: go to bed 1', 'go to bed 1'],
  ['<think>tired</think>\n<action>go to bed 1</action>', 'go to bed 1'],
])('a conversation finds the action in %j', (reply, action) => {
  expect(readReply(reply)).toBe(action)
})

const none = { modifiers: new Set<string>() }

it.each([
  ['You see a cup 1, and a cup 12.', ['cup 1', 'cup 12']],
  ['sofa1 and shelf_2, not B2B', ['sofa1', 'shelf_2']],
  ['Block2 is on block1. Block3 is not on Block4.', ['block2', 'block1', 'block3', 'Block4']],
  ['', []],
])('names are found in %j', (text, names) => {
  const mentions = findNames(text, none)
  expect(mentions.map((mention) => mention.text)).toEqual(names)
  expect(cutNames(text, mentions).match(/\{\}/g)?.length ?? 0).toBe(names.length)
})

it('names have the word in front of them that training never has without them', () => {
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

it('the content of a prompt is read from lists with quotes or without, and from examples with their answers', () => {
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
    slots: ['obj', 'recep'],
    words: ['pick', 'up', 'a', 'thing'],
    answers: ['You pick up the {}'],
    listed: true,
    exampled: true,
  })
  expect(shown.get('go to {}')?.slots).toEqual(['place'])
  expect(shown.has('look')).toBe(true)
})
