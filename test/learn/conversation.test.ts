import { describe, expect, it } from 'vitest'
import { agents } from '../../src/agents/index.js'
import { layReply, readMessages, readReply, readTurns } from '../../src/learn/conversation.js'
import { briefing } from '../agents/briefing-fixture.js'

const texts = agents.filter(({ name }) => name !== 'tools')

describe('a conversation', () => {
  it.each(texts.map((agent) => [agent.name, agent] as const))('is read the same in the layout of %s', (_, agent) => {
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

  it('is read from training turns as from the messages of evaluation', () => {
    const { opening, exchanges } = readTurns([
      { role: 'system', text: 'You tidy up.' },
      { role: 'user', text: 'accomplish the goal: rest.\nObservation: You see a bed 1.\nAction: ' },
      { role: 'assistant', text: 'go to bed 1', loss: false },
      { role: 'user', text: '\nObservation: Nothing happens.\nAction: ' },
      { role: 'assistant', text: 'lie down' },
    ])
    expect(opening).toBe('You see a bed 1.')
    expect(exchanges).toEqual([
      { action: 'go to bed 1', answer: 'Nothing happens.', loss: false },
      { action: 'lie down', answer: '', loss: true },
    ])
  })

  it.each([
    ['go to bed 1', 'go to bed 1'],
    ['Thought: why not\nAction: go to bed 1', 'go to bed 1'],
    ['Thought:\nwhy not\n\nAction:\ngo to bed 1\n', 'go to bed 1'],
    ['THOUGHT: tired. ACTION: go to bed 1', 'go to bed 1'],
    ['<think>tired</think>\n<action>go to bed 1</action>', 'go to bed 1'],
    ['', ''],
  ])('finds the action in %j', (reply, action) => {
    expect(readReply(reply)).toBe(action)
  })
})
