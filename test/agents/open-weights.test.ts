import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findAgent } from '../../src/agents/index.js'
import type { Agent, Completion, Model } from '../../src/index.js'
import { createRandom, play } from '../../src/index.js'
import { buildRequest } from '../../src/models/request.js'
import { plainTraits } from '../../src/models/traits.js'
import { sharedData } from '../shared-data.js'
import { createToy } from '../toy-environment.js'
import { briefing } from './briefing-fixture.js'

const reminder =
  'Generate your next step of action after Action. Action must not be empty. e.g. Action: put down cup. \n'
const system = `You are a helpful assistant.${reminder}`

function write(value: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'shaketable-')), 'templates.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const own = write({
  templates: {
    plain: '\n   \x1c<s> {system_prompt}\n   [INST]{prompt}[/INST]{{}}\n \t ',
    vicuna: '{system_prompt}\n\nUSER: {prompt}</s>\n ASSISTANT: \n',
    bare: '{prompt}',
    other: '{system_prompt}{prompt}{name}',
  },
})
const openWeights = findAgent('act:client=open-weights')
const filled = findAgent(`act:client=open-weights:templates=${own}:family=plain`)
const vicuna = findAgent(`act:client=open-weights:templates=${own}:family=vicuna`)

/** The first request, as bytes. */
function sent(agent: Agent): string {
  const { stop, endpoint } = agent
  const sampling = { temperature: 0, seed: 3, maxTokens: 100, stop, ...(endpoint && { endpoint }) }
  const { path, body } = buildRequest('m', agent.begin(briefing, 'A room.').messages(), sampling, plainTraits)
  return `${path} ${JSON.stringify(body)}`
}

const user = findAgent('act').begin(briefing, 'A room.').messages()[1]!.content

describe('act in the variant for open weights', () => {
  it('sends a chat with the reminder after the system text, and no stop string', () => {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ]
    const body = { model: 'm', messages, stream: false, temperature: 0, seed: 3, max_tokens: 100 }
    expect(sent(openWeights)).toBe(`/chat/completions ${JSON.stringify(body)}`)
    expect(sent(findAgent('act'))).toContain('"stop":["\\n"]')
  })

  it('sends the filled template, stripped as in Python, as one text over completions', () => {
    const prompt = `<s> ${system}\n   [INST]${user}[/INST]{}`
    const body = { model: 'm', prompt, stream: false, temperature: 0, seed: 3, max_tokens: 100 }
    expect(sent(filled)).toBe(`/completions ${JSON.stringify(body)}`)
  })

  it('leaves slots in the prompt unchanged', () => {
    const [message] = filled.begin({ ...briefing, goal: 'say {system_prompt} $& {{' }, 'A room.').messages()
    expect(message!.content).toContain('accomplish the goal: say {system_prompt} $& {{\n')
  })

  it.skipIf(sharedData === undefined)('fills the templates of AgentBoard', () => {
    const path = join(sharedData!, 'agentboard_prompts/open_weights_templates.json')
    const { templates } = JSON.parse(readFileSync(path, 'utf8')) as { templates: Record<string, string> }
    expect(Object.keys(templates)).toHaveLength(7)
    for (const [family, template] of Object.entries(templates)) {
      const agent = findAgent(`act:client=open-weights:templates=${path}:family=${family}`)
      const expected = template.split('{system_prompt}').join(system).split('{prompt}').join(user).trim()
      expect(agent.begin(briefing, 'A room.').messages()).toEqual([{ role: 'user', content: expected }])
    }
  })

  it.each<[string, Agent, string, string, boolean]>([
    [
      'behind the first line that names it',
      openWeights,
      'Sure!\nAction: go to bed 1\nObservation: …',
      'go to bed 1',
      true,
    ],
    ['as the first line if none has a label', openWeights, '\ngo to bed 1\nI see a p', 'go to bed 1', true],
    ['that ends in the midst', openWeights, 'I think.\nAction: go to be', 'go to be', false],
    ['with a backslash', openWeights, 'a\\_b\n', 'a\\_b', true],
    ['of vicuna without its backslashes', vicuna, 'a\\_b\n', 'a_b', true],
    ['of vicuna over chat', findAgent('act:client=open-weights:family=vicuna'), 'Action: a\\_b\n', 'a_b', true],
    ['that is empty', openWeights, '', '', false],
  ])('reads an action %s', async (_, agent, text, action, ended) => {
    const toy = createToy()
    const world = await toy.begin(toy.tasks[0]!, createRandom('seed'))
    const model: Model = { name: 'm', settings: {}, complete: (): Completion => ({ text, finish: 'length' }) }
    const { trajectory } = await play({ world, agent, model, temperature: 0, seed: 1, stepLimit: 1, maxTokens: 100 })
    const [step] = trajectory.steps
    expect(step!.action).toBe(action)
    expect(step!.fault).toBe(ended ? undefined : 'length')
  })

  it('leaves out the oldest entries until the filled template fits into the context minus the reply', async () => {
    const toy = createToy()
    const lengths: number[] = []
    const cuts = async (agent: Agent): Promise<number> => {
      const world = await toy.begin(toy.tasks[0]!, createRandom('seed'))
      const model: Model = {
        name: 'm',
        settings: {},
        contextTokens: 560,
        complete(messages) {
          lengths.push(messages.reduce((sum, { content }) => sum + content.length, 0))
          return { text: 'Action: look\n' }
        },
      }
      const { result } = await play({ world, agent, model, temperature: 0, seed: 1, stepLimit: 9, maxTokens: 100 })
      return result.measures.cut ?? 0
    }
    const padding = write({ templates: { long: `{system_prompt}{prompt}${'x'.repeat(140)}` } })
    const longer = findAgent(`act:client=open-weights:templates=${padding}:family=long`)
    expect(await cuts(longer)).toBeGreaterThan(await cuts(filled))
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2.4 * 460)
  })

  it('is identified by name and settings, without a path', () => {
    const names = [openWeights, filled, vicuna].map(({ name }) => name)
    expect(names).toEqual([
      'act:client=open-weights',
      'act:client=open-weights:templates:family=plain',
      'act:client=open-weights:templates:family=vicuna',
    ])
    const settings = [openWeights, filled, vicuna].map((agent) => JSON.stringify(agent.settings))
    expect(new Set(settings).size).toBe(3)
    expect(settings.join()).not.toContain('/')
    expect(findAgent('act:client=api')).toBe(findAgent('act'))
    const inner = findAgent(`best-of-n:n=4:agent=act:client=open-weights:templates=${own}:family=plain`)
    expect(inner).toMatchObject({ name: `best-of-n:n=4:agent=${filled.name}`, endpoint: 'completions', stop: [] })
  })

  it.each([
    ['act:client=vllm', 'usage', "The option 'client' of the agent 'act' takes 'api' or 'open-weights', got 'vllm'."],
    ['act:clinet=api', 'usage', "The agent 'act' has no option 'clinet=api'."],
    ['act:family=vicuna', 'usage', "only with 'client=open-weights'"],
    ['act:client=open-weights:family=llama', 'usage', "Expected 'templates' with the family 'llama'"],
    [`act:client=open-weights:templates=${own}`, 'usage', "Expected 'family' with 'templates'"],
    [`act:client=open-weights:templates=${own}:family=vicunna`, 'usage', "Did you mean 'vicuna'?"],
    [`act:client=open-weights:templates=${own}:family=__proto__`, 'usage', "Unknown model family '__proto__'"],
    [`act:client=open-weights:templates=${own}:family=bare`, 'bad-input', "the template 'bare' should have the slots"],
    [
      `act:client=open-weights:templates=${own}:family=other`,
      'bad-input',
      "the template 'other' should have the slots",
    ],
    [`act:client=open-weights:templates=${write('{')}:family=a`, 'bad-input', 'it is not JSON'],
    [`act:client=open-weights:templates=${write([])}:family=a`, 'bad-input', 'expected templates by model family'],
    ['act:client=open-weights:templates=/nowhere/t.json:family=a', 'bad-input', '/nowhere/t.json cannot be read'],
  ])('refuses %s', (spec, code, message) => {
    let thrown: unknown
    try {
      findAgent(spec)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(message) as string })
  })
})
