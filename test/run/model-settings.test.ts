import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { pairsOf } from '../../src/run/plan.js'
import { completeExperiment } from '../../src/run/experiment.js'
import { readExperimentFile } from '../../src/run/experiment-file.js'
import type { GivenExperiment } from '../../src/run/experiment-schema.js'
import { learnServers } from '../../src/run/learn-servers.js'
import type { ModelChoice } from '../../src/run/model-choice.js'
import { prepareGrid } from '../../src/run/prepare-grid.js'
import { runExperiment } from '../../src/run/run-experiment.js'
import { type LlamaOptions, type LlamaServer, startLlama } from '../models/llama-server.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()
const servers: LlamaServer[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map(async (server) => server.close()))
})

async function start(options?: LlamaOptions): Promise<LlamaServer> {
  const server = await startLlama(options)
  servers.push(server)
  return server
}

const small: GivenExperiment = {
  environments: ['household'],
  tasks: 1,
  perturbations: ['none'],
  seeds: 1,
  stepLimit: 2,
}

function complete(file: GivenExperiment, flags: GivenExperiment = {}) {
  const loaded = { given: { ...small, temperatures: [1], ...file }, where: () => '' }
  return completeExperiment({ flags, file: loaded }).experiment
}

/** Plays an experiment into a folder. */
async function play(file: GivenExperiment, name: string, probe = false) {
  const experiment = complete(file)
  const folder = join(scratch, name)
  const learner = learnServers({ folder, probe, tell: () => undefined })
  const { grid, notes } = await prepareGrid(experiment, { learner })
  const stop = new AbortController().signal
  await runExperiment({ experiment, grid, folder, stop, servers: learner.learned(), opened: () => undefined })
  return { folder, notes, models: grid.plan.models }
}

function complaint(model: string): string {
  const path = join(scratch, 'grid.yaml')
  writeFileSync(path, `models:\n  - { name: m, ${model} }\n`)
  try {
    return `no complaint: ${JSON.stringify(readExperimentFile(path).given.models)}`
  } catch (thrown) {
    return (thrown as Error).message.replaceAll(`${scratch}/`, '')
  }
}

describe('the settings of a model', () => {
  it('go with every request, decide the key, and secrets in them are in no file', async () => {
    const { baseUrl, received } = await start({ key: 's3cret-key' })
    vi.stubEnv('MY_KEY', 's3cret-key')
    vi.stubEnv('MY_SERVER', baseUrl)
    vi.stubEnv('MY_ADAPTER', 's3cret-adapter')
    const model = {
      name: 'tuned, warm',
      model: 'stories',
      baseUrl: '$MY_SERVER',
      headers: { Authorization: 'Bearer ${MY_KEY}', 'X-Team': 'robustness' },
      sampling: { top_p: 0.9, repetition_penalty: 1.1 },
      extraBody: { chat_template_kwargs: { enable_thinking: false }, lora: '$MY_ADAPTER', price: '$$MY_KEY' },
      maxTokens: 33,
      reasoning: 'keep',
    } as const
    const { folder, models } = await play({ models: [model] }, 'settings', true)
    const calls = received.filter(({ path, body }) => path === '/v1/chat/completions' && body['max_tokens'] === 33)
    expect(calls.length).toBeGreaterThan(0)
    for (const { body, headers } of calls) {
      expect(body).toMatchObject({
        model: 'stories',
        top_p: 0.9,
        repetition_penalty: 1.1,
        chat_template_kwargs: { enable_thinking: false },
        lora: 's3cret-adapter',
        price: '$MY_KEY',
      })
      expect(headers).toMatchObject({ authorization: 'Bearer s3cret-key', 'x-team': 'robustness' })
    }
    const { headers, extraBody, maxTokens, reasoning } = model
    expect(models[0]).toMatchObject({
      name: 'tuned, warm',
      settings: { endpoint: '$MY_SERVER', model: 'stories', headers, extraBody, maxTokens, reasoning },
    })
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    for (const { parentPath, name } of files) {
      const text = readFileSync(join(parentPath, name), 'latin1')
      expect(text).not.toContain('s3cret')
      expect(text).not.toContain(new URL(baseUrl).host)
    }
  })

  it('tell one served name at two addresses apart by the name', async () => {
    const [first, second] = [await start(), await start()]
    const models = [first, second].map(({ baseUrl }) => ({ name: 'stories', baseUrl }))
    await expect(prepareGrid(complete({ models }))).rejects.toThrow(
      "expected different models, got 'stories' twice. Give one of them another name, and its name on the server as model.",
    )
    const named = [models[0]!, { ...models[1]!, name: 'other', model: 'stories' }]
    const played = await play({ models: named }, 'two')
    for (const { received } of [first, second]) expect(received.at(-1)?.body['model']).toBe('stories')
    // Settings that are not given are absent, so that keys stay.
    expect(played.models[0]!.settings).toEqual({ endpoint: first.baseUrl, model: 'stories', pairing: 'common' })
  })

  it.each<[Partial<ModelChoice>, boolean, object, object]>([
    [{}, true, { sampling: { top_k: 0, top_p: 1, min_p: 0, repeat_penalty: 1 } }, { top_k: 0, top_p: 1, min_p: 0 }],
    [{ sampling: { top_k: 1 } }, true, { sampling: { top_k: 1 } }, { top_k: 1, top_p: 1, min_p: 0 }],
    [{ sampling: 'server' }, true, { sampling: 'server' }, { top_k: undefined, min_p: undefined }],
    [{}, false, { sampling: undefined }, { top_k: undefined, min_p: undefined }],
  ])('switch off the samplers of a server that was probed: %j, %s', async (given, probe, settings, sent) => {
    const { baseUrl, received } = await start()
    const name = `samplers ${JSON.stringify(given)} ${String(probe)}`
    const { models } = await play({ models: [{ name: 'stories', baseUrl, ...given } as never] }, name, probe)
    expect({ sampling: undefined, ...models[0]!.settings }).toMatchObject(settings)
    expect({ top_k: undefined, min_p: undefined, ...received.at(-1)!.body }).toMatchObject(sent)
  })

  it('send a conversation as one text where the experiment says so, and offer no functions there', async () => {
    const { baseUrl, received } = await start()
    const stories = { name: 'stories', baseUrl, api: 'completions' } as const
    const models = [stories]
    const played = await play({ models }, 'text', true)
    expect(played.models[0]!.settings).toMatchObject({ api: 'completions' })
    const { path, body } = received.at(-1)!
    expect(path).toBe('/v1/completions')
    expect(body['prompt']).toMatch(/\n\nAssistant:$/)
    expect(body['stop']).toEqual(['\nObservation:', '\nUser:'])
    for (const given of [{ models, agents: ['tools'] }, { models: [{ ...stories, agent: 'tools' }] }])
      await expect(prepareGrid(complete(given))).rejects.toThrow("The agent 'tools' offers functions")
    const beside = [{ ...stories, agent: 'react' }, 'reader']
    const { grid } = await prepareGrid(complete({ models: beside, agents: ['tools'] }))
    expect(pairsOf(grid.plan).map(({ model, agent }) => [model.name, agent.name])).toEqual([
      ['stories', 'react'],
      ['reader', 'tools'],
    ])
  })

  it('keep the reasoning in the history, or strip it', async () => {
    for (const reasoning of ['keep', 'strip'] as const) {
      const { baseUrl, received } = await start({ speaks: 'reasoning', context: 16_384 })
      await play({ models: [{ name: 'stories', baseUrl, reasoning }] }, reasoning, true)
      const last = received.filter(({ path }) => path === '/v1/chat/completions').at(-1)!
      const replies = (last.body['messages'] as { role: string; content: string }[]).filter(
        ({ role }) => role === 'assistant',
      )
      expect(replies).toHaveLength(1)
      expect(replies[0]!.content).toContain('Action: ')
      expect(replies[0]!.content.startsWith('<think>\nI am in a room.')).toBe(reasoning === 'keep')
    }
  })

  it.each([
    ['of the flag before its own', { maxTokens: 50 }, { maxTokens: 60 }, 60],
    ['with room for reasoning', { maxTokens: 50, reasoning: 200 }, {}, 250],
    ['with room for reasoning beside the flag', { maxTokens: 50, reasoning: 200 }, { maxTokens: 60 }, 260],
  ] as const)('have a limit of tokens %s', async (_, settings, flags, sent) => {
    const { baseUrl, received } = await start()
    const experiment = complete({ models: [{ name: 'stories', baseUrl, ...settings }] }, flags)
    const { grid } = await prepareGrid(experiment)
    const folder = join(scratch, `tokens ${String(sent)} ${Object.keys(flags).join()}`)
    await runExperiment({ experiment, grid, folder, stop: new AbortController().signal, opened: () => undefined })
    expect(received.at(-1)?.body['max_tokens']).toBe(sent)
  })

  it.each<[Partial<ModelChoice>, RegExp]>([
    [
      { baseUrl: 'http://localhost:1/v1', headers: { 'X-Key': '$UNSET_KEY' } },
      /^headers of 'm': expected a value in the variable UNSET_KEY/,
    ],
    [{ baseUrl: '${UNSET}/v1' }, /^baseUrl: expected a value in the variable UNSET/],
    [{ baseUrl: '$BAD_SERVER' }, /^baseUrl: .*'\$BAD_SERVER' are filled in/],
  ])('with variables that cannot be used are refused without a value: %j', async (model, message) => {
    vi.stubEnv('BAD_SERVER', 's3cret.example')
    const refused = prepareGrid(complete({ models: [{ name: 'm', ...model } as never] }))
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.not.toThrow('s3cret')
  })

  it('with headers from variables do not go to the address of a flag', () => {
    const headers = { 'X-Key': '$MY_KEY' }
    const file = { models: [{ name: 'm', headers }], baseUrl: 'http://a.example/v1' }
    expect(() => complete(file, { baseUrl: 'http://b.example/v1' })).toThrow(/^--base-url: expected models/)
    expect(complete(file, { baseUrl: 'http://a.example/v1' }).models[0]).toMatchObject({ headers })
  })

  it.each([
    ['extraBody: { temperature: 0 }', "2:42: models.0.extraBody.temperature: .*in place of 'temperature' give temp"],
    ['sampling: { top_p: .nan }', '2:26: models.0.sampling: expected up to 64 samplers'],
    [`extraBody: { a: ${'['.repeat(30)}${']'.repeat(30)} }`, '2:27: models.0.extraBody: .* 20 levels'],
    [`extraBody: { a: ${'a'.repeat(70_000)} }`, '2:27: models.0.extraBody: .* at most 65,536 characters.{1,200}$'],
    ['headers: { Authorization: Bearer s3cret }', "2:42: models.0.headers.Authorization: .*\\$MY_KEY.*got '…'"],
    ['headers: { X-A: "a\\r\\nB: s3cret" }', "2:32: models.0.headers.X-A: .*printable ASCII.*got '…'"],
    ['headers: { "X-A\\r\\nB": s3cret }', "2:39: models.0.headers.X-A\\s+B: expected the name of a header.*got '…'"],
    ['headers: { X-A: b, x-a: c }', '2:25: models.0.headers: expected each header once'],
    ['reasoning: some', "2:27: models.0.reasoning: expected strip .*got 'some'"],
  ])('are refused in a file with the place and without secrets: %j', (settings, said) => {
    const message = complaint(settings)
    expect(message).toMatch(new RegExp(`^grid\\.yaml:${said}`))
    expect(message).not.toContain('s3cret')
  })
})
