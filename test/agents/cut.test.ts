import { describe, expect, it } from 'vitest'
import { agents } from '../../src/agents/index.js'
import type { Agent, Conversation } from '../../src/core/agent.js'
import { briefing } from './briefing-fixture.js'

function after(agent: Agent, steps: number): Conversation {
  const conversation = agent.begin(briefing, 'the first')
  for (let step = 1; step <= steps; step++) {
    const action = `look ${String(step)}`
    conversation.read(
      conversation.tools ? '' : agent.phrase(action),
      conversation.tools && [{ name: 'look', arguments: JSON.stringify({ at: String(step) }) }],
    )
    conversation.observe(action, `o${String(step)}`)
  }
  return conversation
}

const said = (conversation: Conversation): string => JSON.stringify(conversation.messages())

describe('a truncated history', () => {
  it.each(agents)('of $name loses its oldest part first, never the briefing, never the newest', (agent) => {
    const conversation = after(agent, 5)
    let cuts = 0
    let gone = 0
    while (conversation.cut!()) {
      cuts++
      const text = said(conversation)
      for (const kept of ['Keep house.', 'book 1 from shelf 1', 'put some pen in bed.', 'o5'])
        expect(text).toContain(kept)
      const left = [1, 2, 3, 4, 5].filter((step) => text.includes(`o${String(step)}`))
      expect(left).toEqual([1, 2, 3, 4, 5].slice(5 - left.length))
      expect(5 - left.length).toBeGreaterThanOrEqual(gone)
      gone = 5 - left.length
    }
    expect(gone).toBe(4)
    // In a prompt of one message each line goes on its own, in a chat an action with its answer.
    const isChat = ['react', 'tagged', 'tools'].includes(agent.name)
    expect(cuts).toBe(isChat ? 4 : 10)
    const least = said(conversation)
    expect(conversation.cut!()).toBe(false)
    expect(said(conversation)).toBe(least)
  })

  it.each(agents)('of $name never exceeds a mebibyte with long texts, and always has the newest', (agent) => {
    const conversation = after(agent, 0)
    for (let step = 1; step <= 50; step++) {
      conversation.read(agent.phrase('look', 'r'.repeat(131_000)))
      conversation.observe('look', `o${String(step)} ${'x'.repeat(50_000)}`)
    }
    expect(said(conversation).length).toBeLessThan(2 ** 20 + 10_000)
    expect(said(conversation)).toContain('o50 ')
    expect(said(conversation)).toContain('Keep house.')
  })
})
