import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { act } from '../../src/agents/act.js'
import { findAgent } from '../../src/agents/index.js'
import type { Completion, Model } from '../../src/index.js'
import { createRandom, play } from '../../src/index.js'
import { createToy } from '../toy-environment.js'
import type { Briefing } from '../../src/core/environment.js'
import { sharedData } from '../shared-data.js'
import { briefing } from './briefing-fixture.js'

describe('act', () => {
  it('formats a prompt as AgentBoard does', () => {
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

  it('keeps the last hundred actions and observations', () => {
    const conversation = act.begin(briefing, 'the first')
    for (let step = 1; step <= 60; step++) conversation.observe(`a${String(step)}`, `o${String(step)}`)
    const history = conversation.messages()[1]!.content.split('inventory\n')[1]!.split('\n')
    expect(history).toHaveLength(101)
    expect(history[0]).toBe('Action: a11')
    expect(history.at(-2)).toBe('Observation: o60')
  })

  it.skipIf(sharedData === undefined)('equals the recorded prompts of AgentBoard to the byte', () => {
    const read = (...path: string[]): string => readFileSync(join(sharedData!, ...path), 'utf8')
    const file = JSON.parse(read('agentboard_prompts', 'alfworld_base.json')) as PromptFile
    const recorded = read('alfworld', 'agentboard', 'prompts.jsonl').trim().split('\n')
    for (const line of recorded) {
      const prompt = JSON.parse(line) as { task_type: string; system: string; user: string }
      const [, goal, rest] = /accomplish the goal: (.*)\n(?:You should use.*\n)+(Observation: [^]*)\nAction: $/.exec(
        prompt.user,
      )!
      const [opening, ...history] = rest!.slice('Observation: '.length).split('\nAction: ')
      const conversation = act.begin(parsePromptFile(file, prompt.task_type, goal!), opening!)
      for (const exchange of history) {
        const [action, observation] = exchange.split('\nObservation: ')
        conversation.observe(action!, observation!)
      }
      expect(conversation.messages()).toEqual([
        { role: 'system', content: prompt.system },
        { role: 'user', content: prompt.user },
      ])
    }
    expect(recorded).toHaveLength(12)
  })
})

interface PromptFile {
  readonly system_msg: string
  readonly instruction: string
  readonly examples: Readonly<Record<string, readonly string[]>>
}

function parsePromptFile(file: PromptFile, kind: string, goal: string): Briefing {
  const [opening, ...lines] = file.examples[kind]!.map((line) => line.replace(/\n$/, ''))
  const after = (prefix: string, index: number): string => lines[index]!.slice(prefix.length)
  return {
    system: file.system_msg,
    instruction: [file.instruction],
    forms: [],
    examples: [
      {
        opening: [opening!],
        exchanges: lines.flatMap((_, index) =>
          index % 2 === 0
            ? [{ action: after('Action: ', index), observation: [after('Observation: ', index + 1)] }]
            : [],
        ),
        names: [],
      },
    ],
    goal,
    help: ['check valid actions', 'inventory'],
  }
}

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
