import { describe, expect, it } from 'vitest'
import { findAgent } from '../../src/agents/index.js'
import { type Agent, type World, createRandom, playTrials } from '../../src/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { type EndpointOptions, createEndpoint, plainTraits } from '../../src/models/index.js'
import { type LlamaOptions, type LlamaServer, startLlama } from './llama-server.js'
import { closing } from './loopback.js'

const kept = closing<LlamaServer>()

/** A household with a long text after every action, in which no episode ends. */
async function begin(): Promise<World> {
  const household = await openEnvironment('household', {})
  const world = await household.begin(household.tasks[0]!, createRandom('seed'))
  return {
    ...world,
    step(command) {
      const text = `You arrive at cabinet 4. On the cabinet 4, you see a mug 1, a plate 2, and a cd 3. (${command})`
      return { observation: [text], original: '', command, understood: true, progress: 0, ended: false }
    },
  }
}

type Played = Readonly<{ llama?: LlamaOptions; endpoint?: Partial<EndpointOptions>; agent?: Agent }>

/** Plays thirty steps with the fixture. */
async function play({ llama = {}, endpoint = {}, agent = findAgent('act') }: Played) {
  const { baseUrl, received } = await kept(startLlama(llama))
  const model = createEndpoint({ model: 'stories', baseUrl, apiKey: '', attempts: 1, ...endpoint })
  const limits = { temperature: 0, seed: 1, stepLimit: 30, maxTokens: 64, episode: 'e' }
  const played = await playTrials({ begin, agent, model, ...limits })
  const calls = received.filter(({ path }) => path.endsWith('completions')).map(({ body }) => body)
  return { ...played, calls }
}

const knowing = (contextTokens: number): Partial<EndpointOptions> => ({ traits: { ...plainTraits, contextTokens } })
const agents = ['act', 'react', 'react:react', 'tagged'] as const

describe('an episode that is longer than the context', () => {
  it.each(agents)('is played to its end with %s, without a refusal if the context is known', async (name) => {
    const { result, calls, trajectory } = await play({
      llama: { context: 1600 },
      endpoint: knowing(1600),
      agent: findAgent(name),
    })
    expect(result).toMatchObject({ outcome: 'step-limit', measures: { steps: 30, attempts: 30 } })
    expect(result.measures.cut).toBeGreaterThan(5)
    expect(calls).toHaveLength(30)
    for (const { fault } of trajectory.steps) expect(fault).toBeUndefined()
    const prompts = trajectory.steps.map(({ promptTokens }) => promptTokens!)
    expect(Math.max(...prompts)).toBeLessThanOrEqual(1600 - 64)
    // Only what must be left out is left out, except for at most one step that is left out too early.
    expect(Math.min(...prompts.slice(-10))).toBeGreaterThan(1600 - 64 - 150)
  })

  it.each<[string, LlamaOptions]>([
    ['with the numbers of the refusal', {}],
    ['without any numbers', { refuses: 'in words' }],
    ['with an empty reply instead of a refusal', { refuses: 'with nothing' }],
    ['in words that are not known', { refuses: 'in unknown words' }],
  ])('is played to its end %s, if the context is not known', async (_, llama) => {
    const { result, trajectory } = await play({ llama: { context: 1600, ...llama } })
    expect(result).toMatchObject({ outcome: 'step-limit', measures: { steps: 30 } })
    expect(result.measures.cut).toBeGreaterThan(5)
    const outcomes = trajectory.steps.flatMap(({ attempts = [] }) => attempts.map(({ outcome }) => outcome))
    const refusals = outcomes.length - 30
    expect(trajectory.steps.map(({ attempts = [] }) => attempts.at(-1)?.outcome)).toEqual(Array(30).fill('ok'))
    for (const { fault } of trajectory.steps) expect(fault).not.toBe('empty')
    expect(refusals).toBeGreaterThan(0)
    expect(refusals).toBeLessThanOrEqual(llama.refuses === undefined ? 1 : 5)
  })

  it('is not a measurement if its first prompt does not fit, so that there was no reply', async () => {
    const { result, trajectory } = await play({ llama: { context: 800 } })
    expect(trajectory.failedCall?.map(({ outcome }) => outcome)).toEqual(['overflow'])
    expect(result).toMatchObject({ outcome: 'model-error', measures: { steps: 0 } })
    expect(result.error).toMatch(/no longer fits the context of 'stories'.*n_ctx 800/)
  })
})
