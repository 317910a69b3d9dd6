import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { cells } from '../../src/run/cells.js'
import { pairsOf } from '../../src/run/plan.js'
import { createModel } from '../../src/run/create-model.js'
import { readFlags } from '../../src/run/experiment-flags.js'
import type { EnvironmentFlags } from '../../src/run/experiment-flags.js'
import { completeExperiment, defaults, embedded } from '../../src/run/experiment.js'
import type { GivenExperiment } from '../../src/run/experiment-schema.js'
import { plainTraits } from '../../src/models/index.js'
import { prepareGrid } from '../../src/run/prepare-grid.js'
import { fileOf, isServed, placeModels } from '../../src/run/model-choice.js'

function complete(flags: GivenExperiment, file?: GivenExperiment, environmentFlags: EnvironmentFlags = {}) {
  const where = (path: readonly PropertyKey[]) => `grid.yaml: ${path.map(String).join('.')}`
  return completeExperiment({ flags, environmentFlags, ...(file && { file: { given: file, where } }) })
}

async function prepare(flags: GivenExperiment, file?: GivenExperiment, environmentFlags?: EnvironmentFlags) {
  const { experiment, where } = complete(flags, file, environmentFlags)
  return (await prepareGrid(experiment, { where })).grid
}

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
      expect(experiment.environments.map(({ name }) => name)).toEqual(
        isEmbedded ? ['household'] : defaults.environments,
      )
    }
  })

  it('prefers flags to the file, and the file to the defaults', () => {
    const { experiment } = complete(
      { seeds: 2 },
      { name: 'mine', seeds: [9], stepLimit: 7, environments: [{ name: 'household', split: 'train', tasks: 3 }] },
      { household: { split: 'valid-unseen' } },
    )
    expect(experiment).toMatchObject({ name: 'mine', seeds: [0, 1], stepLimit: 7, maxTokens: 100 })
    expect(experiment.environments).toEqual([{ name: 'household', options: { split: 'valid-unseen' }, tasks: 3 }])
  })

  it('keeps the options that a file gives to an environment which a flag names', () => {
    const file: GivenExperiment = { environments: [{ name: 'household', split: 'train' }, 'pddl'] }
    expect(complete({ environments: ['household', 'babyai'] }, file).experiment.environments).toEqual([
      { name: 'household', options: { split: 'train' } },
      { name: 'babyai', options: {} },
    ])
  })

  it('names all data that is missing before anything is played, and what can be played without it', async () => {
    const environments = [{ name: 'household', data: '$NO_SUCH_DATA' }, { name: 'babyai', labels: '/no/such' }, 'pddl']
    await expect(prepare({}, { environments, models: ['reader'] })).rejects.toThrow(
      [
        "grid.yaml: environments.0: The option 'data' of the environment 'household': expected a value in the variable NO_SUCH_DATA, but it is not set. Set it, or write $$NO_SUCH_DATA for the text itself.",
        "grid.yaml: environments.1: The label file /no/such cannot be read: there is no such file. Give the path of AgentBoard's data/babyai/test.jsonl.",
        'The rest can be played without: --env pddl',
      ].join('\n'),
    )
    await expect(prepare({ environments: ['household'] }, { environments, models: ['reader'] })).rejects.toThrow(
      /for the text itself\.$/,
    )
  })

  it('always has the unperturbed column, where it is named', () => {
    expect(complete({ perturbations: ['placebo'] }).experiment.perturbations).toEqual(['none', 'placebo'])
    expect(complete({ perturbations: ['placebo', 'none'] }).experiment.perturbations).toEqual(['placebo', 'none'])
  })
})

describe('preparing a grid', () => {
  it.each([
    ['905', ['905'], []],
    ['7,', ['7'], []],
    ['2', ['7', '905'], []],
    ['9', ['7', '905', '8'], ['numbered: 9 tasks were asked for, but it has 3; all of these are played.']],
  ])('takes a number of tasks, ids, and the id that is a number: --tasks %s', async (tasks, chosen, noted) => {
    const plugins = [fileURLToPath(new URL('../fixtures/plugins/numbered.ts', import.meta.url))]
    const perturbations = ['placebo']
    const { experiment } = complete({
      ...readFlags({ env: ['numbered'], tasks }),
      plugins,
      perturbations,
      models: ['random'],
    })
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
    const learner = { traitsOf: () => Promise.resolve(plainTraits), reasons: () => reasons }
    const { grid, notes } = await prepareGrid(experiment, { where, learner })
    expect(grid.plan.maxTokens).toBe(expected)
    expect(notes.join()).toBe(
      expected === 4096
        ? 'tuned: thinks before it answers, so replies get 4,096 tokens. Give --max-tokens for another limit.'
        : '',
    )
  })

  it('plays one seed at temperature 0 with a model on a server, unless more are requested, and all with controls', async () => {
    const baseUrl = 'http://localhost:1/v1'
    const given = { environments: ['household'], tasks: 2, models: ['reader', { name: 'm', baseUrl }], seeds: 3 }
    const sizes = async (flags: GivenExperiment) => {
      const { plan } = await prepare({ ...given, ...flags })
      const passes = [...cells(plan)].filter(
        ({ column, task }) => column.label === 'none' && task === plan.environments[0]!.tasks[0],
      )
      return passes.map(({ model, temperature, seed }) => `${model.name} ${String(temperature)} ${String(seed)}`).sort()
    }
    const reader = ['reader 0 0', 'reader 0 1', 'reader 0 2', 'reader 1 0', 'reader 1 1', 'reader 1 2']
    expect(await sizes({})).toEqual(['m 0 0', 'm 1 0', 'm 1 1', 'm 1 2', ...reader])
    expect(await sizes({ seedsAtZero: 2 })).toEqual(['m 0 0', 'm 0 1', 'm 1 0', 'm 1 1', 'm 1 2', ...reader])
    expect(await sizes({ seedsAtZero: 9, temperatures: [0] })).toEqual([
      'm 0 0',
      'm 0 1',
      'm 0 2',
      ...reader.slice(0, 3),
    ])
  })

  it('keeps the primary endpoint in the plan, with its columns under their labels', async () => {
    const given = {
      environments: ['household'],
      tasks: 1,
      models: ['reader'],
      perturbations: ['agentrefine-1', 'placebo'],
    }
    const { plan } = await prepare({ ...given, primary: { perturbations: ['agentrefine-1'] } })
    expect(plan.primary).toEqual({ metric: 'success', columns: ['agentrefine-1'] })
    expect((await prepare(given)).plan.primary).toBeUndefined()
    await expect(prepare({ ...given, primary: { perturbations: ['agentrefine-2'] } })).rejects.toThrow(
      /Unknown perturbation of this experiment 'agentrefine-2'.*agentrefine-1/,
    )
    await expect(prepare({ ...given, primary: { perturbations: ['none'] } })).rejects.toThrow(/'none'/)
  })

  it('keeps in the plan which perturbations are adversarial, and these out of a primary endpoint over several', async () => {
    const perturbations = ['agentrefine-1', 'swapped-verbs']
    const given = { environments: ['household'], tasks: 1, models: ['reader'], perturbations }
    const { plan } = await prepare(given)
    const marks = plan.columns.map(({ perturbations: [one] }) => [one?.name, one?.adversarial])
    expect(marks).toEqual([
      [undefined, undefined],
      ['agentrefine-1', undefined],
      ['swapped-verbs', true],
    ])
    await expect(prepare({ ...given, primary: { perturbations } })).rejects.toThrow(
      "'swapped-verbs' is adversarial, and enters no average over conditions.",
    )
    const alone = await prepare({ ...given, primary: { perturbations: ['swapped-verbs'] } })
    expect(alone.plan.primary?.columns).toEqual(['swapped-verbs'])
  })

  it.each<[string, GivenExperiment, string]>([
    [
      'the same model under two names for it',
      { models: ['reader', { name: 'reader' }] },
      "grid.yaml: models.1: expected different models, got 'reader' twice.",
    ],
    [
      'a temperature twice',
      { temperatures: [0, 1, 0] },
      "grid.yaml: temperatures.2: expected different temperatures, got '0' twice.",
    ],
    [
      'a twin that is not there',
      { models: ['reader', { name: 'parrot', withoutInDomain: 'raeder' }] },
      "grid.yaml: models.1.withoutInDomain: Unknown other model of this experiment 'raeder'. Did you mean 'reader'? Known: reader.",
    ],
    [
      'a mistyped option of an environment',
      { environments: [{ name: 'household', splitt: 'train' }] },
      "grid.yaml: environments.0: The environment 'household' has no option 'splitt'. Did you mean 'split'? Known: data, split, generation, order, prompt.",
    ],
    [
      'a mistyped option of one of several environments',
      { environments: ['household', { name: 'babyai', rules: 'fixed', label: 'x' }] },
      "grid.yaml: environments.1: The environment 'babyai' has no option 'label'. Did you mean 'labels'?",
    ],
    [
      'more episodes than a folder holds',
      { seeds: 10_000, temperatures: [0, 1] },
      'Expected a grid of at most 1,000,000 episodes, got 110,160,000. Split it into several runs.',
    ],
  ])('refuses %s, with its place', async (_, file, message) => {
    await expect(prepare({}, file)).rejects.toThrow(message)
  })

  it('records in its plan how models are related, and leaves the keys of episodes as they are', async () => {
    const bare = await prepare({ tasks: 1, models: ['reader', 'parrot'] })
    const role = { heldIn: ['household', 'of another lab'], variantOf: 'reader', withoutInDomain: 'reader' }
    const told = await prepare({ tasks: 1, models: ['reader', { name: 'parrot', ...role }] })
    expect(told.plan.models[1]).toEqual({ ...bare.plan.models[1], ...role })
    expect([...cells(told.plan)].map(told.keyOf)).toEqual([...cells(bare.plan)].map(bare.keyOf))
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
    const { plan, keyOf } = await prepare({}, grid)
    expect(pairs(await prepare({}, grid))).toEqual(['reader act', 'reader react', 'parrot tools', 'random react'])
    expect(plan.agents.map(({ name }) => name)).toEqual(['act', 'react', 'tools'])
    expect(plan.models.map(({ agents }) => agents)).toEqual([['act', 'react'], ['tools'], ['react']])
    const product = await prepare(
      {},
      { ...grid, models: ['reader', 'parrot', 'random'], agents: ['act', 'react', 'tools'] },
    )
    const keys = new Set([...cells(product.plan)].map(product.keyOf))
    expect([...cells(plan)].every((cell) => keys.has(keyOf(cell)))).toBe(true)
  })

  it('leaves out agents that no model is played with, and records no pairs where all are played with all', async () => {
    const own = { ...grid, models: [{ name: 'parrot', agent: 'tools' }] }
    const { plan } = await prepare({}, own)
    expect([plan.agents.map(({ name }) => name), plan.models[0]!.agents]).toEqual([['tools'], undefined])
  })

  it('is overridden by the flag', async () => {
    expect(pairs(await prepare({ agents: ['tagged'] }, grid))).toEqual([
      'reader tagged',
      'parrot tagged',
      'random tagged',
    ])
    expect(pairs(await prepare({ models: ['parrot'] }, grid))).toEqual(['parrot act', 'parrot react'])
  })

  it.each([['tols', "grid.yaml: models.0.agent: Unknown agent 'tols'. Did you mean 'tools'?"]])(
    'is refused where it is %s, with its place',
    async (agent, message) => {
      await expect(prepare({}, { ...grid, models: [{ name: 'reader', agent }] })).rejects.toThrow(message)
    },
  )

  it.each(['variantOf', 'withoutInDomain'] as const)(
    'must also be an agent of the other model for %s',
    async (role) => {
      const models = ['reader', { name: 'parrot', agent: 'tools', [role]: 'reader' }]
      await expect(prepare({}, { ...grid, models })).rejects.toThrow(
        `grid.yaml: models.1.${role}: expected a model with an agent of 'parrot' (tools), since two models are compared under one agent, but 'reader' is played with act, react. Give both one agent, or leave ${role} out.`,
      )
      await expect(prepare({}, { ...grid, models, agents: ['act', 'tools'] })).resolves.toBeDefined()
    },
  )

  it('decides what is required of its server: one that refuses functions may stand beside one where they are needed', async () => {
    const baseUrl = 'http://localhost:1/v1'
    const refusing = {
      traitsOf: () => Promise.resolve({ ...plainTraits, tools: 'refused' as const }),
      reasons: () => false,
    }
    const ready = (models: NonNullable<GivenExperiment['models']>) => {
      const { experiment, where } = complete({}, { ...grid, agents: ['tools'], models })
      return prepareGrid(experiment, { where, learner: refusing })
    }
    const textOnly = { name: 'tuned', baseUrl, agent: 'react' }
    expect(pairs((await ready(['reader', textOnly])).grid)).toEqual(['reader tools', 'tuned react'])
    await expect(ready(['reader', { name: 'tuned', baseUrl }])).rejects.toThrow(
      "The agent 'tools' offers functions, and the server of 'tuned' refuses them",
    )
  })

  it('alone must fit into the context of its model', async () => {
    const baseUrl = 'http://localhost:1/v1'
    const learner = { traitsOf: () => Promise.resolve(plainTraits), reasons: () => false }
    const notesOf = async (agent: string) => {
      const models = ['reader', { name: 'small', baseUrl, agent, contextTokens: 1100 }]
      const { experiment, where } = complete({}, { ...grid, agents: ['tools'], maxTokens: 100, models })
      return (await prepareGrid(experiment, { where, learner })).notes.join()
    }
    expect(await notesOf('act')).toMatch(/^The first prompt of task '0' of babyai with agent act under none is up to /)
    await expect(notesOf('tools')).rejects.toThrow('with agent tools under none is at least 1,243 tokens')
  })
})

describe('choosing a model', () => {
  const address = (model: ReturnType<typeof createModel>) => model.model.settings['endpoint']

  it('finds a control by its name, or a server if there is an address', () => {
    expect(createModel({ name: 'parrot:new' }, undefined, {})).toMatchObject({
      live: false,
      model: { name: 'parrot:new' },
    })
    expect(createModel({ name: 'reader' }, 'http://localhost:1/v1', {}).live).toBe(false)
    expect(createModel({ name: 'reader', baseUrl: 'http://localhost:1/v1' }, undefined, {}).live).toBe(true)
    expect(createModel({ name: 'qwen2.5:7b' }, 'http://localhost:1/v1', {}).model.name).toBe('qwen2.5:7b')
  })

  it('uses the nearest address: its own, the flag, then the variable', () => {
    const variables = { OPENAI_BASE_URL: 'http://variable/v1' }
    expect(address(createModel({ name: 'a' }, undefined, variables))).toBe('http://variable/v1')
    expect(address(createModel({ name: 'a' }, 'http://flag/v1', variables))).toBe('http://flag/v1')
    expect(address(createModel({ name: 'a', baseUrl: 'http://own/v1' }, 'http://flag/v1', variables))).toBe(
      'http://own/v1',
    )
  })

  const own = 'http://own/v1'
  const openAi = 'https://api.openai.com/v1'
  const variables = { OPENAI_API_KEY: 'key-of-default', MY_KEY: ' key-of-mine\n', EMPTY_KEY: ' ' }
  it.each([
    ['the address for all', { name: 'a' }, 'http://flag/v1', variables, 'key-of-default'],
    ["OpenAI's own server", { name: 'a' }, undefined, variables, 'key-of-default'],
    ['the address of all, given again', { name: 'a', baseUrl: own }, own, variables, 'key-of-default'],
    ['its own address', { name: 'a', baseUrl: own }, 'http://flag/v1', variables, ''],
    ['only its own address', { name: 'a', baseUrl: own }, undefined, variables, ''],
    ['another port', { name: 'a', baseUrl: 'http://own:81/v1' }, own, variables, ''],
    ['its own key', { name: 'a', baseUrl: own, apiKeyEnv: 'MY_KEY' }, undefined, variables, ' key-of-mine\n'],
  ])('sends the key of one server to no other: %s', (_, choice, baseUrl, given, apiKey) => {
    expect(createModel(choice, baseUrl, given).address).toMatchObject({ apiKey })
  })

  it.each<[Parameters<typeof createModel>[0], RegExp]>([
    [{ name: 'a', baseUrl: own, apiKeyEnv: 'NO_KEY' }, /expected a key for 'a' in the variable NO_KEY, but it is not/],
    [{ name: 'a', baseUrl: own, apiKeyEnv: 'EMPTY_KEY' }, /in the variable EMPTY_KEY, but it is not set/],
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

const address = 'http://localhost:8000/v1'

describe('the choice of a model', () => {
  it.each([
    [{ name: 'learned:models/a.json' }, 'models/a.json', false],
    [{ name: 'mine', file: 'a.json' }, 'a.json', false],
    [{ name: 'learned:a', baseUrl: address }, undefined, true],
    [{ name: 'reader' }, undefined, false],
    [{ name: 'llama' }, undefined, true],
  ])('of %j has the file of a trained model, and whether it is on a server', (choice, file, served) => {
    expect([fileOf(choice), isServed(choice)]).toEqual([file, served])
  })

  it('never sends a model in a file to the common base URL', () => {
    const models = [{ name: 'reader' }, { name: 'mine', file: 'a.json' }]
    expect(placeModels(models, address)).toEqual([{ name: 'reader', baseUrl: address }, models[1]])
  })
})
