import { describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import { agents } from '../../src/agents/index.js'
import { type Exchange, layTurns } from '../../src/training/training-turns.js'
import { spreadTasks } from '../../src/environments/spread-tasks.js'
import { type Agent, type Model, createRandom, play } from '../../src/index.js'
import { household } from './_household.js'

/** The prompts of a model in an evaluation, and its replies. */
async function evaluate(agent: Agent): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  const reader = createReader('text')
  const model: Model = {
    ...reader,
    async complete(messages, sampling) {
      const completion = await reader.complete(messages, sampling)
      exchanges.push({ messages, reply: completion.text, loss: true })
      return completion
    },
  }
  const world = await household.begin(spreadTasks(household.tasks)[2]!, createRandom('0'))
  await play({ world, agent, model, temperature: 0, seed: 0, stepLimit: 30, maxTokens: 100 })
  return exchanges
}

describe('the turns of a training conversation', () => {
  const texts = agents.filter(({ name }) => name !== 'tools')
  it.each(texts)('concatenated, are the prompts of the evaluation, laid out as $name', async (agent) => {
    const exchanges = await evaluate(agent)
    expect(exchanges.length).toBeGreaterThan(5)
    const turns = layTurns(exchanges)!
    const isChat = exchanges[1]!.messages.length > exchanges[0]!.messages.length
    for (const [index, { messages, reply }] of exchanges.entries()) {
      const places = turns.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
      const before = turns.slice(0, places[index])
      expect(turns[places[index]!]!.text.trim()).toBe(reply.trim())
      if (isChat) {
        expect(before.map(({ role, text }) => ({ role, content: text }))).toEqual(messages)
      } else {
        const [, ...texts] = before.map(({ text }) => text)
        expect(texts.join('')).toBe(messages.at(-1)!.content)
      }
    }
  })

  it('are absent if a prompt does not continue the one before', () => {
    const message = (content: string): Exchange => ({ messages: [{ role: 'user', content }], reply: 'x', loss: true })
    expect(layTurns([message('a\n>'), message('b\n> x\nc\n>')])).toBeUndefined()
    expect(layTurns([message('a\n>'), message('a\n> x\nc\n>')])).toHaveLength(4)
    expect(layTurns([])).toEqual([])
  })
})
