import { LLMock } from '@copilotkit/aimock'
import { afterEach, describe, expect, it } from 'vitest'
import { probeServer } from '../../../src/models/probe/probe-server.js'
import { readFaults } from '../../serve/_faults.js'
import { serveReader } from '../../serve/_serving.js'

let close: (() => Promise<unknown>) | undefined
afterEach(async () => {
  await close?.()
  close = undefined
})

const options = { apiKey: '', timeoutMs: 500, sleep: () => Promise.resolve() }

describe('the probe of other servers', () => {
  it('probes the server of control models', async () => {
    const serving = await serveReader({ contextTokens: 2000 })
    close = serving.close
    const { findings, traits } = await probeServer({ ...options, model: 'reader', baseUrl: serving.baseUrl })
    expect(Object.fromEntries(findings.map(({ name, value }) => [name, value]))).toMatchObject({
      'model listed': 'yes',
      endpoint: 'chat',
      'length limit': 'max_tokens',
      usage: 'reported',
      'temperature 0': 'same',
      'system role': 'accepted',
      'stop strings': 4,
      tools: 'called',
      context: 2000,
    })
    expect(traits).toMatchObject({ stop: 4, contextTokens: 2000 })
  })

  it('finds the nearest name of a control model once', async () => {
    const serving = await serveReader({})
    close = serving.close
    const probing = probeServer({ ...options, model: 'raeder', baseUrl: serving.baseUrl })
    await expect(probing).rejects.toMatchObject({ code: 'usage' })
    const message = await probing.catch((thrown: unknown) => (thrown as Error).message)
    expect(message).toMatch(/has no model 'raeder'/)
    expect(String(message).match(/Did you mean 'reader'\?/g)?.length).toBe(1)
  })

  it('gives the same result while one answer in ten is faulty', async () => {
    const calm = await serveReader({ contextTokens: 2000 })
    const faults = readFaults('rate-limit=0.1,server-error=0.1,reset=0.1,garbage=0.1')
    const wild = await serveReader({ contextTokens: 2000, faults, faultSeed: '2', retryAfterSeconds: 0 })
    close = async () => Promise.all([calm.close(), wild.close()])
    const wanted = await probeServer({ ...options, model: 'reader', baseUrl: calm.baseUrl })
    const got = await probeServer({ ...options, model: 'reader', baseUrl: wild.baseUrl })
    expect(got.traits).toEqual(wanted.traits)
    expect(got.calls).toBeGreaterThan(wanted.calls)
  })

  it('probes a mock that answers to any name', async () => {
    const mock = new LLMock({ port: 0, host: '127.0.0.1' })
    mock.onMessage(/kitchen|look|yes/, { content: 'the kettle sings' })
    await mock.start()
    close = () => mock.stop()
    const { findings, traits } = await probeServer({ ...options, model: 'any', baseUrl: `${mock.url}/v1` })
    const values = Object.fromEntries(findings.map(({ name, value }) => [name, value]))
    expect(values).toMatchObject({
      endpoint: 'chat',
      'temperature 0': 'same',
      seed: 'accepted',
      'system role': 'accepted',
    })
    expect(traits.endpoint).toBe('chat')
  })
})
