import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { cells } from '../../src/run/cells.js'
import { pairsOf } from '../../src/run/plan.js'
import { createModel } from '../../src/run/create-model.js'
import type { Grid } from '../../src/run/grid.js'
import { readFlags } from '../../src/run/experiment-flags.js'
import { defaults, embedded } from '../../src/run/experiment.js'
import type { GivenExperiment } from '../../src/run/experiment-schema.js'
import { plainTraits } from '../../src/models/index.js'
import { prepareGrid } from '../../src/run/prepare-grid.js'
import { isServed, placeModels } from '../../src/run/model-choice.js'
import { complete, prepare as prepareAll } from './_experiments.js'

const prepare = async (...sources: Parameters<typeof prepareAll>) => (await prepareAll(...sources)).grid
/** A learner that found these traits. */
const found = (traits = plainTraits, reasons = false) => ({
  traitsOf: () => Promise.resolve(traits),
  reasons: () => reasons,
})
const keysOf = ({ plan }: Grid): string[] => cells(plan).map(({ key }) => key)

describe('an experiment', () => {
  it.each<[GivenExperiment, boolean]>([
    [{ tasks: 3, seeds: 2 }, true],
    [{ environments: ['babyai'] }, false],
    [{ perturbations: ['placebo'] }, false],
    [{ models: ['reader'] }, false],
    [{ baseUrl: 'http://localhost:1/v1' }, false],
  ])('is the embedded one with %j: %s', (flags, isEmbedded) => {
    const { experiment } = complete(flags)
    expect(experiment.name === 'embedded').toBe(isEmbedded)
    expect(experiment.prepare).toEqual(isEmbedded ? embedded.prepare : [])
    if (flags.environments === undefined) {
      const expected = isEmbedded ? ['household'] : defaults.environments
      expect(experiment.environments.map(({ name }) => name)).toEqual(expected)
    }
  })

  it('prefers flags to the file, and the file to the defaults', () => {
    const { experiment } = complete(
      { seeds: 2 },
      { name: 'mine', seeds: [9], stepLimit: 7, environments: [{ name: 'household', split: 'train', tasks: 3 }] },
      { environmentFlags: { household: { split: 'valid-unseen' } } },
    )
    expect(experiment).toMatchObject({ name: 'mine', seeds: [0, 1], stepLimit: 7, maxTokens: 100 })
    expect(experiment.environments).toEqual([{ name: 'household', options: { split: 'valid-unseen' }, tasks: 3 }])
    const named = complete(
      { environments: ['household', 'babyai'] },
      { environments: experiment.environments as never },
    )
    expect(named.experiment.environments.map(({ tasks }) => tasks)).toEqual([3, undefined])
  })

  it.each([
    [{ name: 'household', data: '$NO_SUCH_DATA' }, "environments.0: The option 'data' of the environment 'household'"],
    [{ name: 'babyai', labels: '/no/such' }, 'environments.0: The label file /no/such cannot be read'],
  ])('names data that is missing before anything is played: %j', async (environment, message) => {
    const file = { environments: [environment, 'pddl'], models: ['reader'] }
    await expect(prepare({}, file)).rejects.toThrow(message)
    await expect(prepare({ environments: ['pddl'], tasks: 1 }, file)).resolves.toBeDefined()
  })
})

describe('preparing a grid', () => {
  it.each([
    ['7,', ['7'], []],
    ['2', ['7', '905'], []],
    ['9', ['7', '905', '8'], ['numbered: 9 tasks were asked for, but it has 3; all of these are played.']],
  ])('takes a number of tasks, or ids: --tasks %s', async (tasks, chosen, noted) => {
    const plugins = [fileURLToPath(new URL('../fixtures/plugins/numbered.ts', import.meta.url))]
    const given = { plugins, perturbations: ['placebo'], models: ['random'] }
    const { experiment } = complete({ ...readFlags({ env: ['numbered'], tasks }), ...given })
    const { grid, notes } = await prepareGrid(experiment)
    expect(grid.plan.environments[0]!.tasks.map(({ id }) => id)).toEqual(chosen)
    expect(notes).toEqual(noted)
  })

  it.each([
    [true, {}, 4096],
    [false, {}, 512],
    [true, { maxTokens: 99 }, 99],
  ])('gives replies more room for a model that reasons (%s, %o)', async (reasons, given, expected) => {
    const { experiment, where } = complete({
      ...{ environments: ['household'], tasks: 1, models: ['tuned'], baseUrl: 'http://localhost:1/v1' },
      ...given,
    })
    const { grid, notes } = await prepareGrid(experiment, { where, learner: found(plainTraits, reasons) })
    expect(grid.plan.models[0]!.settings['maxTokens'] ?? grid.plan.maxTokens).toBe(expected)
    expect(notes.join().includes('tuned: thinks before it answers')).toBe(expected === 4096)
  })

  it('plays one seed at temperature 0 with a model on a server, unless more are requested, and all with controls', async () => {
    const baseUrl = 'http://localhost:1/v1'
    const given = { environments: ['household'], tasks: 2, models: ['reader', { name: 'm', baseUrl }], seeds: 3 }
    const sizes = async (flags: GivenExperiment) => {
      const { plan } = await prepare({ ...given, ...flags })
      const [first] = plan.environments[0]!.tasks
      const passes = cells(plan).filter(({ condition, task }) => condition.label === 'none' && task === first)
      return passes.map(({ model, temperature, seed }) => `${model.name} ${String(temperature)} ${String(seed)}`).sort()
    }
    const reader = ['reader 0 0', 'reader 0 1', 'reader 0 2', 'reader 1 0', 'reader 1 1', 'reader 1 2']
    expect(await sizes({})).toEqual(['m 0 0', 'm 1 0', 'm 1 1', 'm 1 2', ...reader])
    expect(await sizes({ seedsAtZero: 2 })).toEqual(['m 0 0', 'm 0 1', 'm 1 0', 'm 1 1', 'm 1 2', ...reader])
  })

  it('keeps the primary endpoint in the plan, and adversarial conditions out of one over several', async () => {
    const perturbations = ['agentrefine-1', 'swapped-verbs']
    const given = { environments: ['household'], tasks: 1, models: ['reader'], perturbations }
    const of = (...named: string[]) => prepare({ ...given, primary: { perturbations: named } })
    const { plan } = await of('P1')
    expect(plan.primary).toEqual({ metric: 'success', conditions: ['agentrefine-1'] })
    expect(plan.conditions.map(({ perturbations: [one] }) => one?.adversarial)).toEqual([undefined, undefined, true])
    expect((await prepare(given)).plan.primary).toBeUndefined()
    await expect(of('agentrefine-2')).rejects.toThrow(/Unknown perturbation of this experiment 'agentrefine-2'/)
    await expect(of('none')).rejects.toThrow(/'none'/)
    await expect(of(...perturbations)).rejects.toThrow("'swapped-verbs' is adversarial")
    expect((await of('swapped-verbs')).plan.primary?.conditions).toEqual(['swapped-verbs'])
  })

  it.each<[GivenExperiment, string]>([
    [{ models: ['reader', { name: 'reader' }] }, "models.1: expected different models, got 'reader' twice."],
    [
      { models: ['reader', 'parrot'].map((name) => ({ name, checkpoint: { series: 's', step: 1 } })) },
      "at a step of its own, got 'reader' and 'parrot' at 1",
    ],
    [{ temperatures: [0, 1, 0] }, "temperatures.2: expected different temperatures, got '0' twice."],
    [
      { models: ['reader', { name: 'parrot', withoutInDomain: 'raeder' }] },
      "models.1.withoutInDomain: Unknown other model of this experiment 'raeder'. Did you mean 'reader'?",
    ],
    [
      { environments: ['babyai', { name: 'household', splitt: 'train' }] },
      "environments.1: The environment 'household' has no option 'splitt'. Did you mean 'split'?",
    ],
    [{ models: [{ name: 'reader', agent: 'tols' }] }, "models.0.agent: Unknown agent 'tols'. Did you mean 'tools'?"],
    [{ seeds: 10_000, temperatures: [0, 1] }, 'Expected at most 1,000,000 episodes, got 110,160,000.'],
  ])('refuses what cannot be planned, with its place: %j', async (file, message) => {
    await expect(prepare({}, file)).rejects.toThrow(message)
  })

  it('records in its plan how models are related, and leaves the keys of episodes as they are', async () => {
    const bare = await prepare({ tasks: 1, models: ['reader', 'parrot'] })
    const role = { heldIn: ['household', 'of another lab'], variantOf: 'reader', withoutInDomain: 'reader' }
    const told = await prepare({ tasks: 1, models: ['reader', { name: 'parrot', ...role }] })
    expect(told.plan.models[1]).toEqual({ ...bare.plan.models[1], ...role })
    expect(keysOf(told)).toEqual(keysOf(bare))
  })
})

describe('the agent of a model', () => {
  const grid: GivenExperiment = {
    ...{ tasks: 1, agents: ['act', 'react'], perturbations: ['none'] },
    models: ['reader', { name: 'parrot', agent: 'tools' }, { name: 'random', agent: 'react' }],
  }
  const pairs = ({ plan }: Awaited<ReturnType<typeof prepare>>): string[] =>
    pairsOf(plan).map(({ model, agent }) => `${model.name} ${agent.name}`)

  it('replaces those of the experiment, for that model alone', async () => {
    const own = await prepare({}, grid)
    const { plan } = own
    expect(pairs(own)).toEqual(['reader act', 'reader react', 'parrot tools', 'random react'])
    expect(plan.agents.map(({ name }) => name)).toEqual(['act', 'react', 'tools'])
    expect(plan.models.map(({ agents }) => agents)).toEqual([['act', 'react'], ['tools'], ['react']])
    const all = { models: ['reader', 'parrot', 'random'], agents: ['act', 'react', 'tools'] }
    const product = await prepare({}, { ...grid, ...all })
    expect(keysOf(product)).toEqual(expect.arrayContaining(keysOf(own)))
  })

  it('is overridden by the flag, and agents that no model is played with are left out', async () => {
    const tagged = ['reader tagged', 'parrot tagged', 'random tagged']
    expect(pairs(await prepare({ agents: ['tagged'] }, grid))).toEqual(tagged)
    const { plan } = await prepare({}, { ...grid, models: [{ name: 'parrot', agent: 'tools' }] })
    expect([plan.agents.map(({ name }) => name), plan.models[0]!.agents]).toEqual([['tools'], undefined])
  })

  it('decides whether its server has to take functions', async () => {
    const baseUrl = 'http://localhost:1/v1'
    const learner = found({ ...plainTraits, tools: 'refused' })
    const ready = (models: NonNullable<GivenExperiment['models']>) => {
      const { experiment, where } = complete({}, { ...grid, agents: ['tools'], models })
      return prepareGrid(experiment, { where, learner })
    }
    const textOnly = { name: 'tuned', baseUrl, agent: 'react' }
    expect(pairs((await ready(['reader', textOnly])).grid)).toEqual(['reader tools', 'tuned react'])
    await expect(ready(['reader', { name: 'tuned', baseUrl }])).rejects.toThrow(
      "The agent 'tools' offers functions, and the server of 'tuned' refuses them",
    )
  })

  it('alone must fit into the context of its model', async () => {
    const baseUrl = 'http://localhost:1/v1'
    const notesOf = async (agent: string) => {
      const models = ['reader', { name: 'small', baseUrl, agent, contextTokens: 1100 }]
      const { experiment, where } = complete({}, { ...grid, agents: ['tools'], maxTokens: 100, models })
      return (await prepareGrid(experiment, { where, learner: found() })).notes.join()
    }
    expect(await notesOf('act')).toMatch(/^The first prompt of task '0' of babyai with agent act under none is up to /)
    await expect(notesOf('tools')).rejects.toThrow('with agent tools under none is at least 1,243 tokens')
  })
})

describe('choosing a model', () => {
  const address = (model: ReturnType<typeof createModel>) => model.model.settings['endpoint']

  it('finds a control by its name, or a server if there is an address', () => {
    expect(createModel({ name: 'parrot:new' }, undefined, {})).toMatchObject({ live: false })
    expect(createModel({ name: 'reader' }, 'http://localhost:1/v1', {}).live).toBe(false)
    expect(createModel({ name: 'reader', baseUrl: 'http://localhost:1/v1' }, undefined, {}).live).toBe(true)
  })

  it.each([
    [{ name: 'a' }, undefined, 'http://variable/v1'],
    [{ name: 'a' }, 'http://flag/v1', 'http://flag/v1'],
    [{ name: 'a', baseUrl: 'http://own/v1' }, 'http://flag/v1', 'http://own/v1'],
  ])('uses the nearest address: %j with the flag %s', (choice, flag, expected) => {
    expect(address(createModel(choice, flag, { OPENAI_BASE_URL: 'http://variable/v1' }))).toBe(expected)
  })

  const own = 'http://own/v1'
  const openAi = 'https://api.openai.com/v1'
  const variables = { OPENAI_API_KEY: 'key-of-default', MY_KEY: ' key-of-mine\n' }
  it.each([
    ['the address for all', { name: 'a' }, 'http://flag/v1', variables, 'key-of-default'],
    ["OpenAI's own server", { name: 'a' }, undefined, variables, 'key-of-default'],
    ['the address of all, given again', { name: 'a', baseUrl: own }, own, variables, 'key-of-default'],
    ['its own address', { name: 'a', baseUrl: own }, 'http://flag/v1', variables, ''],
    ['another port', { name: 'a', baseUrl: 'http://own:81/v1' }, own, variables, ''],
    ['its own key', { name: 'a', baseUrl: own, apiKeyEnv: 'MY_KEY' }, undefined, variables, ' key-of-mine\n'],
  ])('sends the key of one server to no other: %s', (_, choice, baseUrl, given, apiKey) => {
    expect(createModel(choice, baseUrl, given).address).toMatchObject({ apiKey })
  })

  it.each<[Parameters<typeof createModel>[0], RegExp]>([
    [{ name: 'a', baseUrl: own, apiKeyEnv: 'NO_KEY' }, /expected a key for 'a' in the variable NO_KEY, but it is not/],
    [{ name: 'reader', apiKeyEnv: 'MY_KEY' }, /^apiKeyEnv: expected a model behind a server, got the control model/],
    [
      { name: 'a', baseUrl: openAi },
      /^The model 'a' at api.openai.com needs a key\. OPENAI_API_KEY goes to .* apiKeyEnv/,
    ],
  ])('refuses %j', (choice, message) => {
    expect(() => createModel(choice, 'http://flag/v1', variables)).toThrow(message)
  })

  it('refuses a malformed address from the variable in one sentence, without its password', async () => {
    vi.stubEnv('OPENAI_BASE_URL', 'http://me:s3cret@host:99999/v1')
    await expect(prepare({ tasks: 1, models: ['a'] })).rejects.toThrow(
      /A base URL begins with .*'http:\/\/…@host:99999\/v1'/,
    )
    vi.unstubAllEnvs()
  })
})

describe('the choice of a model', () => {
  it('never sends a model in a file to the common base URL', () => {
    const models = [{ name: 'reader' }, { name: 'mine', file: 'a.json' }]
    const baseUrl = 'http://localhost:8000/v1'
    expect(placeModels(models, baseUrl)).toEqual([{ name: 'reader', baseUrl }, models[1]])
    expect([...models, { name: 'learned:a.json' }, { name: 'llama' }].map((one) => isServed(one))).toEqual([
      ...[false, false, false, true],
    ])
  })
})
