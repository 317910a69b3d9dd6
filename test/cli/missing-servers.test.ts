import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { rowsOf, shaketable } from './_command.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server like llama.cpp: one model, which answers to every name. */
interface OneModel {
  readonly port: number
  /** The name that it lists, and the names that it was called by while it had it. */
  serves: string
  readonly called: [serves: string, name: string][]
  /** Called before each answer. */
  onCall: (count: number) => void
  close(): void
}

async function serveOne(serves: string, port = 0): Promise<OneModel> {
  let count = 0
  const server = createServer((incoming, response) => {
    const reply = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (incoming.method !== 'POST') {
      if (incoming.url === '/v1/models')
        reply(200, { object: 'list', data: [{ id: one.serves, owned_by: 'llamacpp' }] })
      else reply(404, { error: { message: 'not found' } })
      return
    }
    let text = ''
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
    incoming.on('end', () => {
      const { model } = JSON.parse(text) as { model: string }
      one.onCall(++count)
      one.called.push([one.serves, model])
      const message = { role: 'assistant', content: 'THOUGHT: none. ACTION: look' }
      reply(200, {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        // Which model answered can be read off the rows.
        usage: { prompt_tokens: 900, completion_tokens: one.serves.length },
      })
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const one: OneModel = {
    port: (server.address() as AddressInfo).port,
    serves,
    called: [],
    onCall: () => undefined,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return one
}

/** An experiment file of checkpoints behind one address, in a folder of its own. */
function experiment(port: number, models = '{ from: [tuned-20, tuned-100], baseUrl: URL }'): string {
  const folder = mkdtempSync(join(scratch, 'run-'))
  const url = `http://127.0.0.1:${String(port)}/v1`
  writeFileSync(
    join(folder, 'grid.yaml'),
    `name: r\nenvironments: [household]\ntasks: 2\nperturbations: [none, agentrefine-1]\nmodels: ${models.replaceAll('URL', url)}\ntemperatures: [0]\nseeds: 1\nstepLimit: 3\nconcurrency: 2\nattempts: 1\n`,
  )
  return folder
}

const modelsOf = (folder: string): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { model, outcome } of rowsOf(join(folder, 'runs/r')))
    if (!outcome.endsWith('error')) counts[model] = (counts[model] ?? 0) + 1
  return counts
}

/** Whether every reply of a stored episode came from the model that its row names. */
const isPure = (folder: string): boolean =>
  rowsOf(join(folder, 'runs/r')).every(
    ({ model, measures: { modelCalls, completionTokens } }) => completionTokens === modelCalls * model.length,
  )

describe('run with servers that are missing', () => {
  it('refuses a checkpoint whose server serves another model under any name', async () => {
    const one = await serveOne('tuned-20')
    const folder = experiment(one.port)
    const { code, stderr } = await shaketable(['run', 'grid.yaml'], folder)
    expect(code).toBe(2)
    expect(stderr).toContain(
      `Expected the checkpoint 'tuned-100' on its server, but http://127.0.0.1:${String(one.port)}/v1 serves tuned-20, not tuned-100.`,
    )
    expect(one.called).toEqual([])
  })

  it('skips with a word, exits with 4, and plays the rest when the same command finds it', async () => {
    const one = await serveOne('/models/tuned-20.gguf')
    const folder = experiment(
      one.port,
      '[{ from: [tuned-20, tuned-100], baseUrl: URL }, { name: other, baseUrl: http://127.0.0.1:9/v1 }]',
    )
    const run = () => shaketable(['run', 'grid.yaml', '--skip-missing'], folder)
    const first = await run()
    expect(first.stderr).toContain('Skipped: tuned-100')
    expect(first.stderr).toMatch(/other \(http:\/\/127\.0\.0\.1:9\/v1: /)
    expect([first.code, modelsOf(folder)]).toEqual([4, { 'tuned-20': 4 }])
    expect(first.stderr).toContain('8 episodes stay planned, since no server has their models now')
    one.serves = 'tuned-100'
    const second = await run()
    expect([second.code, modelsOf(folder)]).toEqual([4, { 'tuned-20': 4, 'tuned-100': 4 }])
    expect(second.stderr).toContain('4 episodes stay planned')
    expect(one.called.filter(([, name]) => name === 'tuned-20').every(([serves]) => serves.includes('tuned-20'))).toBe(
      true,
    )
  })

  it('keeps no episode that the model in its middle was exchanged, and plays it once its model is back', async () => {
    const one = await serveOne('tuned-20')
    const folder = experiment(one.port)
    const run = () => shaketable(['run', 'grid.yaml', '--skip-missing'], folder)
    one.onCall = (count) => {
      if (count === 15) one.serves = 'tuned-100'
    }
    const first = await run()
    expect(first.code, first.stderr).toBe(4)
    expect(one.called).toContainEqual(['tuned-100', 'tuned-20'])
    expect(modelsOf(folder)['tuned-20'] ?? 0).toBeLessThan(4)
    expect((await run()).code).toBe(4)
    one.serves = 'tuned-20'
    const last = await run()
    expect([last.code, modelsOf(folder)]).toEqual([0, { 'tuned-20': 4, 'tuned-100': 4 }])
    expect(isPure(folder)).toBe(true)
  })
})
