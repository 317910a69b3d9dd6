import { describe, expect, it } from 'vitest'
import { findAgent } from '../../src/agents/index.js'
import type { Completion, Model } from '../../src/index.js'
import { createRandom, play } from '../../src/index.js'
import { createToy } from '../toy-environment.js'
import { briefing } from './briefing-fixture.js'

const agent = findAgent('act:client=open-weights')

describe('act in the variant for open weights', () => {
  it('has the reminder after the system text, and no stop string', () => {
    const [system, user] = agent.begin(briefing, 'A room.').messages()
    const reminder =
      'Generate your next step of action after Action. Action must not be empty. e.g. Action: put down cup. \n'
    expect(system).toEqual({ role: 'system', content: `You are a helpful assistant.${reminder}` })
    expect(user).toEqual(findAgent('act').begin(briefing, 'A room.').messages()[1])
    expect(agent.stop).toEqual([])
    expect(findAgent('best-of-n:n=4:agent=act:client=open-weights')).toMatchObject({ stop: [] })
  })

  it.each<[string, string, string, boolean]>([
    ['behind its label', 'Sure!\nAction: go to bed 1\nObservation: …', 'go to bed 1', true],
    ['as the first line if none has a label', '\ngo to bed 1\nI see a p', 'go to bed 1', true],
    ['that ends in the midst', 'I think.\nAction: go to be', 'go to be', false],
  ])('reads an action %s', async (_, text, action, ended) => {
    const toy = createToy()
    const world = await toy.begin(toy.tasks[0]!, createRandom('seed'))
    const model: Model = { name: 'm', settings: {}, complete: (): Completion => ({ text, finish: 'length' }) }
    const { trajectory } = await play({ world, agent, model, temperature: 0, seed: 1, stepLimit: 1, maxTokens: 100 })
    expect(trajectory.steps[0]).toMatchObject({ action, ...(!ended && { fault: 'length' }) })
    expect(trajectory.steps[0]!.fault).toBe(ended ? undefined : 'length')
  })
})
