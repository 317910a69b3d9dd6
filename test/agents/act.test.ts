import { expect, it } from 'vitest'
import { act } from '../../src/agents/act.js'
import { findAgent } from '../../src/agents/index.js'
import type { Completion, Model } from '../../src/index.js'
import { createRandom, play } from '../../src/index.js'
import { createToy } from '../toy-environment.js'
import { briefing } from './briefing-fixture.js'

it('act formats a prompt as AgentBoard does', () => {
  const conversation = act.begin(briefing, 'You see a bed 1, and a pen 1.')
  conversation.observe('go to bed 1', 'On the bed 1, you see nothing.')

  expect(conversation.messages()).toEqual([
    { role: 'system', content: 'You are a helpful assistant.' },
    {
      role: 'user',
      content: `Keep house.
Actions:
- go to {recep}
- take {obj} from {recep}

Here are examples:
Your task is to: put some book in desk.
You see a desk 1, and a shelf 1.
Action: go to shelf 1
Observation: On the shelf 1, you see a book 1.
Action: take book 1 from shelf 1
Observation: You pick up the book 1 from the shelf 1.

You should perform actions to accomplish the goal: put some pen in bed.
You should use the following commands for help when your action cannot be understood: check valid actions
You should use the following commands for help when your action cannot be understood: inventory
Observation: You see a bed 1, and a pen 1.
Action: go to bed 1
Observation: On the bed 1, you see nothing.
Action: `,
    },
  ])
})

it('act keeps the last hundred actions and observations', () => {
  const conversation = act.begin(briefing, 'the first')
  for (let step = 1; step <= 60; step++) conversation.observe(`a${String(step)}`, `o${String(step)}`)
  const history = conversation.messages()[1]!.content.split('inventory\n')[1]!.split('\n')
  expect(history).toHaveLength(101)
  expect(history[0]).toBe('Action: a11')
  expect(history.at(-2)).toBe('Observation: o60')
})

const agent = findAgent('act:client=open-weights')

it('act in the variant for open weights has the reminder after the system text, and no stop string', () => {
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
])('act in the variant for open weights reads an action %s', async (_, text, action, ended) => {
  const toy = createToy()
  const world = await toy.begin(toy.tasks[0]!, createRandom('seed'))
  const model: Model = { name: 'm', settings: {}, complete: (): Completion => ({ text, finish: 'length' }) }
  const { trajectory } = await play({ world, agent, model, temperature: 0, seed: 1, stepLimit: 1, maxTokens: 100 })
  expect(trajectory.steps[0]).toMatchObject({ action, ...(!ended && { fault: 'length' }) })
  expect(trajectory.steps[0]!.fault).toBe(ended ? undefined : 'length')
})
