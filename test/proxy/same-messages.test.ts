import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import type { Completion, Environment, Message, Model, Task, ToolDefinition, World } from '../../src/index.js'
import { createRandom, perturbWorld, play, readForm, toolsOf } from '../../src/index.js'
import { findAgent } from '../../src/agents/index.js'
import { findEnvironmentKind, openEnvironment } from '../../src/environments/index.js'
import { wireMessages, wireTools } from '../../src/models/request.js'
import { createConversations } from '../../src/proxy/conversation.js'
import { createMemory } from '../../src/proxy/memory.js'
import { parseCondition } from '../../src/run/conditions.js'
import { readJsonLines, sharedData, sharedRows } from '../shared-data.js'

type Recorded = Readonly<{ task: Task; environment: Environment; actions: readonly string[] }>

const { plainText: vocabulary } = findEnvironmentKind('household')
const conditions = [
  ...['agentrefine-1', 'agentrefine-2', 'agentrefine-3', 'agentrefine-4', 'alfworld-2024', 'placebo'],
  'agentrefine-1+agentrefine-2+agentrefine-3+agentrefine-4',
]
const layouts = ['act', 'react', 'tagged', 'tools']

const bodyOf = (messages: readonly Message[], tools: readonly ToolDefinition[] | undefined) => ({
  model: 'm',
  messages: wireMessages(messages),
  ...(tools && { tools: wireTools(tools) }),
})

/**
 * Plays recorded actions perturbed in process, every third in the old wording, and then unperturbed through the proxy.
 * @returns the number of compared requests
 */
async function compare({ environment, task, actions }: Recorded, layout: string, label: string) {
  const [first, ...others] = parseCondition(label, perturbations).applied
  const applied = [first!, ...others] as const
  const agent = findAgent(layout)
  const { normalise } = environment
  const begin = () => environment.begin(task, createRandom('0'))
  const playWith = async (world: World, complete: Model['complete']) => {
    const model: Model = { name: 'm', settings: {}, complete }
    const limits = { temperature: 0, seed: 0, stepLimit: actions.length, maxTokens: 100 }
    const { trajectory, result } = await play({ world, agent, model, ...limits, ...(normalise && { normalise }) })
    expect(result.error).toBeUndefined()
    return trajectory.steps
  }
  const sent: string[] = []
  const script: Pick<Completion, 'text' | 'toolCalls'>[] = []
  const world = perturbWorld(await begin(), applied, createRandom('0'))
  const steps = await playWith(world, (messages, { tools }) => {
    sent.push(JSON.stringify(bodyOf(messages, tools)))
    const isOld = script.length % 3 === 2
    const action = actions[script.length]!
    const said = isOld ? action : world.fromEnvironment(action)
    const forms = isOld ? world.original.briefing.forms : world.briefing.forms
    const calls = (tools ? toolsOf(forms) : []).flatMap(({ template, slots, definition }) => {
      const filling = readForm(template, said)
      if (filling === undefined) return []
      const given = definition.parameters.map(({ name }, index) => [name, filling[slots[index]!]!])
      return [{ name: definition.name, arguments: JSON.stringify(Object.fromEntries(given)) }]
    })
    const text = agent.phrase(said, `I think of ${said} now.`)
    const reply = calls.length === 0 ? { text } : { text: 'So be it.', toolCalls: calls.slice(0, 1) }
    script.push(reply)
    return reply
  })
  const conversations = createConversations(
    { vocabulary: vocabulary!, applied, random: createRandom('0') },
    createMemory(),
  )
  let turns = 0
  const observed = await playWith(await begin(), (messages, { tools }) => {
    const read = conversations.read('chat', bodyOf(messages, tools))
    if (read.body === undefined) throw new Error(read.unread)
    const { text: own, toolCalls: called = [] } = script[turns]!
    const { text, calls } = read.answer({ text: own, calls: called })
    const [got, wanted] = [JSON.stringify(read.body), sent[turns]!]
    if (got !== wanted) {
      const at = [...got].findIndex((character, index) => character !== wanted[index])
      const near = (one: string): string => one.slice(Math.max(0, at - 60), at + 90)
      throw new Error(`${label}, ${layout}, ${task.id}, turn ${String(turns + 1)}\n${near(got)}\n${near(wanted)}`)
    }
    turns++
    return { text, ...(calls.length > 0 && { toolCalls: calls }) }
  })
  expect([label, layout, task.id, turns]).toEqual([label, layout, task.id, sent.length])
  expect(observed.map(({ observation }) => observation)).toEqual(
    steps.map(({ original, observation }) => original ?? observation),
  )
  return turns
}

interface Row {
  readonly task: string
  readonly generation?: 'old' | 'new'
  readonly gen?: 'old' | 'new'
  readonly steps: readonly { readonly action: string }[]
}

async function generated(rows: readonly Row[]): Promise<Recorded[]> {
  const environments = {
    old: await openEnvironment('household', { generation: 'old' }),
    new: await openEnvironment('household', { generation: 'new' }),
  }
  return rows.flatMap(({ task: id, generation, gen, steps }) => {
    const environment = environments[(generation ?? gen)!]
    const task = environment.tasks.find((one) => one.id === id)
    return task === undefined ? [] : [{ environment, task, actions: steps.map(({ action }) => action) }]
  })
}

/**
 * With a longer history the agents leave its oldest part out. The original text of an action with unusual capital
 * letters that comes first in the rest is then unknown.
 */
const maxTurns = 50

/** Every episode under one of the conditions, one after the other. @returns the number of compared requests */
async function compareAll(episodes: readonly Recorded[], layout: string): Promise<number> {
  let count = 0
  for (const [index, given] of episodes.entries()) {
    const one = layout === 'tools' ? { ...given, actions: given.actions.slice(0, maxTurns) } : given
    count += await compare(one, layout, conditions[index % conditions.length]!)
  }
  return count
}

describe('messages through the proxy equal those of the perturbation in process, to the byte', () => {
  const fixture = fileURLToPath(new URL('../fixtures/household/recordings.jsonl.gz', import.meta.url))

  it.each(layouts)('%s, for recorded household episodes', async (layout) => {
    const episodes = await generated(readJsonLines(fixture))
    expect(await compareAll(episodes, layout)).toBeGreaterThan(400)
  })

  it.skipIf(sharedData === undefined).each(layouts)(
    "%s, for AgentBoard's episodes, with its prompts and our own",
    async (layout) => {
      const folder = join(sharedData!, 'alfworld')
      const options = { data: folder, generation: 'old' }
      const prompt = join(sharedData!, 'agentboard_prompts/alfworld_base.json')
      const environments = [
        await openEnvironment('household', options),
        await openEnvironment('household', { ...options, prompt }),
      ]
      const rows = sharedRows<Pick<Row, 'steps'> & { readonly game: string }>('alfworld/agentboard/transcripts.jsonl')
      const episodes = rows.map(({ game, steps }, index) => {
        const environment = environments[index % 2]!
        return { environment, task: environment.find(game), actions: steps.map(({ action }) => action) }
      })
      const rest = await generated(sharedRows('alfworld/generated-recordings.jsonl.gz'))
      const more = rest.map((one) => ({ ...one, actions: one.actions.slice(0, maxTurns) }))
      expect(await compareAll([...episodes, ...more], layout)).toBeGreaterThan(1500)
    },
    120_000,
  )
})
