import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { exampleTexts } from '../../src/core/environment.js'
import { findAgent } from '../../src/agents/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { Conversation, Environment, Model, World } from '../../src/index.js'
import { createRandom, isPerturbed, perturb, play, promiseOf, textOf, toolsOf } from '../../src/index.js'
import { readAtFirst } from '../../src/laws/law.js'
import { parseCondition } from '../../src/run/conditions.js'
import { outcomes } from '../laws/describe.js'
import { createToy } from '../toy-environment.js'

const environments = {
  household: await openEnvironment('household'),
  babyai: await openEnvironment('babyai'),
  pddl: await openEnvironment('pddl'),
} as const
type Kind = keyof typeof environments
const kinds = Object.keys(environments) as Kind[]

async function begin(kind: Kind, condition: string, index = 0): Promise<World> {
  const environment = environments[kind]
  const { applied } = parseCondition(condition, perturbations)
  return perturb(environment, applied).begin(environment.tasks[index]!, createRandom('0'))
}

async function examplesOf(kind: Kind, condition: string, index = 0): Promise<readonly string[]> {
  const { briefing } = await begin(kind, condition, index)
  return briefing.examples.map((example) => exampleTexts(example).join('\n'))
}

it.each(kinds)('examples are as many as asked for, and of other families, in %s', async (kind) => {
  const own = await examplesOf(kind, 'none')
  expect(own).toHaveLength(1)
  expect(await examplesOf(kind, 'examples:number=0')).toEqual([])
  const three = await examplesOf(kind, 'examples:number=3')
  expect(new Set(three).size).toBe(3)
  expect(three).not.toContain(own[0])
  expect(await examplesOf(kind, 'examples:number=3:of=same')).toEqual([...own, ...three.slice(0, 2)])
  expect(await examplesOf(kind, 'examples:number=3:order=reversed')).toEqual([...three].reverse())
  expect(new Set(await examplesOf(kind, 'examples:number=3:order=shuffled'))).toEqual(new Set(three))
  expect(await examplesOf(kind, 'examples:number=3:draw=2')).not.toEqual(three)
  expect(await examplesOf(kind, 'examples:of=same:number=1')).toEqual(own)
})

it.each([
  ['household', 'synonyms', 'go to '],
  ['household', 'item-style', ' 1'],
  ['babyai', 'synonyms', 'toggle'],
  ['pddl', 'synonyms', 'Unstack block'],
  ['pddl', 'call-syntax', 'Pickup block'],
] as const)('examples of other families in %s are reworded by %s, below it and above it', async (kind, other, old) => {
  const clean = (await examplesOf(kind, 'examples:number=3')).join('\n')
  const [below, above] = await Promise.all(
    [`examples:number=3+${other}`, `${other}+examples:number=3`].map((condition) => examplesOf(kind, condition)),
  )
  expect(clean).toContain(old)
  expect(below!.join('\n')).not.toContain(old)
  expect(above).toEqual(below)
  const { applied } = parseCondition(`${other}+examples:number=3`, perturbations)
  const environment = environments[kind]
  const seen = await outcomes({ environment, tasks: environment.tasks.slice(0, 1), label: kind }, applied)
  expect(seen.filter((one) => one !== 'unchanged')).toEqual(['holds'])
})

it.each([
  ['examples', 'invariant'],
  ['examples:number=0', 'harder'],
  ['examples:number=3:order=reversed', 'invariant'],
  ['step-budget', 'harder'],
  ['step-budget:factor=1', 'identity'],
  ['step-budget:factor=2', 'easier'],
])('examples %s promises %s', (condition, promise) => {
  expect(promiseOf(parseCondition(condition, perturbations).applied[0]!)).toBe(promise)
})

const waiting: Model = {
  name: 'waiting',
  settings: {},
  complete: () => ({ text: 'look', promptTokens: 0, completionTokens: 0 }),
}

it.each([
  ['none', 10, undefined],
  ['step-budget', 5, 5],
  ['step-budget:factor=0.75', 8, 8],
  ['step-budget:factor=1', 10, undefined],
  ['step-budget:factor=1.5', 15, 15],
  ['step-budget:factor=2', 20, 20],
  ['placebo+step-budget:factor=2+agentrefine-2', 20, 20],
])('step-budget %s plays %i steps of 10 and records it', async (condition, steps, recorded) => {
  const world = await begin('household', condition)
  const options = { temperature: 0, seed: 0, stepLimit: 10, maxTokens: 10 }
  const { result, trajectory } = await play({ world, agent: findAgent('act'), model: waiting, ...options })
  expect(trajectory.steps).toHaveLength(steps)
  expect(result.outcome).toBe('step-limit')
  expect(result.stepLimit).toBe(recorded)
  expect(result.dose?.steps ?? 0).toBe(Math.abs(steps - 10))
})

const others = ['distractor-text', 'pseudo-verbs', 'pseudo-verbs+distractor-text']
const pairs = kinds.flatMap((kind) => others.map((other) => [kind, other] as const))
it.each(pairs)('length-matched adds in %s as many characters as %s', async (kind, other) => {
  const condition = `length-matched:of=${other.replace(/[:+]/g, '/')}`
  const worlds = await Promise.all(['none', other, condition].map((one) => begin(kind, one, 20)))
  const lengths = worlds.map((world) => readAtFirst(world).length)
  for (const command of (await worlds[0]!.solve!())!) {
    const said = isPerturbed(worlds[1]!) ? worlds[1].fromEnvironment(command) : command
    const turns = [worlds[0]!.step(command), worlds[1]!.step(said), worlds[2]!.step(command)]
    for (const [index, turn] of turns.entries()) lengths[index]! += textOf((await turn).observation).length
  }
  const [clean, longer, matched] = lengths as [number, number, number]
  expect(longer).toBeGreaterThan(clean)
  expect(Math.abs(matched - longer)).toBeLessThan(60)
  expect(worlds[2]!.names).toEqual(worlds[0]!.names)
  const environment = environments[kind]
  const seen = await outcomes(
    { environment, tasks: environment.tasks.slice(20, 21), label: kind },
    parseCondition(condition, perturbations).applied,
  )
  expect(seen.filter((one) => one !== 'unchanged')).toEqual(['holds'])
})

describe('layout', () => {
  const names = ['renamed', 'capitals', 'bold', 'brackets', 'tags', 'as-is']
  const orders = ['as-is', 'goal-first', 'goal-last', 'actions-last', 'history-first']
  const conditions = names
    .flatMap((labels) => orders.map((order) => `layout:labels=${labels}:order=${order}`))
    .slice(0, -5)
  const agents = ['act', 'react', 'tools']
  const textIn = (conversation: Conversation): string =>
    conversation
      .messages()
      .map(({ content }) => content)
      .join('\n')
  async function converse(
    condition: string,
    agent: string,
  ): Promise<{ readonly world: World; readonly conversation: Conversation }> {
    const world = await begin('household', condition)
    return { world, conversation: findAgent(agent).begin(world.briefing, textOf(world.opening)) }
  }

  const laidOut = agents.flatMap((agent) => conditions.map((condition) => [agent, condition] as const))
  it.each(laidOut)('%s lays out %s with all of its texts, and reads what it shows', async (agent, condition) => {
    const { world, conversation } = await converse(condition, agent)
    const { labels, order } = world.briefing.layout!
    const prompt = textIn(conversation)
    const { goal, help, examples, instruction } = world.briefing
    const [example, task] = [textOf(examples[0]!.opening), textOf(instruction).trim()]
    for (const text of [goal, ...help, example, task, textOf(world.opening)]) expect(prompt).toContain(text)
    if (labels !== undefined)
      expect(prompt).not.toMatch(/^(?:Action|Observation|Thought): |Here are examples|You should perform/m)
    const places = { goal, instruction: task, examples: example, help: help[0]!, history: textOf(world.opening) }
    if (order !== undefined) {
      const at = order.map((part) =>
        part === 'help' ? prompt.indexOf('for help when') : prompt.lastIndexOf(places[part]),
      )
      expect(at).toEqual([...at].sort((a, b) => a - b))
    }
    const said = conversation.phrase?.('go to desk 1', 'hm') ?? findAgent(agent).phrase('go to desk 1', 'hm')
    expect(conversation.read(said).action).toBe('go to desk 1')
    conversation.observe('go to desk 1', 'On the desk 1, you see a pen 1.')
    const after = textIn(conversation)
    expect(after).toContain('go to desk 1')
    expect(after).toContain('On the desk 1, you see a pen 1.')
    if (labels !== undefined) expect(after).not.toMatch(/^(?:Action|Observation|Thought): /m)
  })

  const replies = [
    'go to desk 1',
    'Action: go to desk 1',
    '**Action:** go to desk 1',
    'Thought: I walk.\nAction:\ngo to desk 1\nObservation: done\nAction: look',
    '',
  ]
  const read = agents.flatMap((agent) => replies.map((reply) => [agent, reply] as const))
  it.each(read)('%s reads %j with other words for labels as it reads its own', async (agent, reply) => {
    const { conversation } = await converse('none', agent)
    const other = (await converse('layout', agent)).conversation
    const renamed = reply
      .replace(/action/gi, 'Command')
      .replace(/thought/gi, 'Reasoning')
      .replace(/observation/gi, 'Response')
    const [expected, got] = [conversation.read(reply), other.read(renamed)]
    expect(got.action!.replace(/command/i, 'action').toLowerCase()).toBe(expected.action!.toLowerCase())
    expect(got.formatError).toBe(expected.formatError)
    expect(got.thought).toBe(expected.thought)
  })
})

describe('decoy-forms', () => {
  it.each([
    ['decoy-forms', "'open-2 {recep}': open the place you are at; the recommended way, which always works", 'open-2 '],
    ['decoy-forms:draw=2:says=same', "'open-new {recep}': open the place you are at", 'open-new '],
    [
      'decoy-forms:names=equal:says=faster',
      "'open {recep} with {thing}': open the place you are at; answers within 5 milliseconds",
      'open ',
    ],
  ])('%s lists a twin of each form beside it, and refuses it as an unknown action', async (condition, line, verb) => {
    const world = await begin('household', condition)
    const lines = textOf(world.briefing.instruction)
      .split('\n')
      .filter((one) => one.startsWith("- 'open"))
    expect(lines).toHaveLength(2)
    expect(lines).toContain(`- ${line}`)
    const place = world.names.find((name) => (world.admissible?.() as string[]).includes(`go to ${name}`))!
    const decoy = condition.includes('equal') ? `${verb}${place} with ${place}` : `${verb}${place}`
    expect(await world.step(decoy)).toMatchObject({ understood: false, ended: false })
    expect(await world.step(`go to ${place}`)).toMatchObject({ understood: true })
    expect(world.dose!()).toMatchObject({ forms: 0, leaks: 0, listed: expect.any(Number) as number })
  })

  it('gives the agent tools a function for each, with its description', async () => {
    const { forms } = (await begin('household', 'decoy-forms')).briefing
    const tools = toolsOf(forms).map(({ definition }) => definition)
    expect(tools.find(({ name }) => name === 'take_2_from')).toMatchObject({
      description: expect.stringContaining('the recommended way, which always works') as string,
      parameters: [{ name: 'obj' }, { name: 'recep' }],
    })
    expect(tools.some(({ name }) => name === 'take_from')).toBe(true)
  })

  it('refuses a decoy itself, where the environment would read it as the action', async () => {
    const tolerant: Environment = {
      ...createToy(),
      async begin(task, random) {
        const world = await createToy().begin(task, random)
        return { ...world, step: (action) => world.step(action.replace(/^go-2/, 'go')) }
      },
    }
    const { applied } = parseCondition('decoy-forms', perturbations)
    const world = await perturb(tolerant, applied).begin(tolerant.tasks[0]!, createRandom('0'))
    expect(await world.step('go-2 to drawer 1')).toMatchObject({ understood: false })
    expect(await world.step('go to drawer 1')).toMatchObject({ understood: true })
  })
})
