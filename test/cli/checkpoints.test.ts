import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { shaketable } from './_command.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server like llama.cpp: one model, which answers to every name, and the names that it was called by. */
async function serveOne(serves: string): Promise<{ readonly port: number; readonly called: readonly string[] }> {
  const called: string[] = []
  const server = createServer((incoming, response) => {
    if (incoming.method === 'POST') called.push(incoming.url!)
    const list = { object: 'list', data: [{ id: serves, owned_by: 'llamacpp' }] }
    const [status, body] = incoming.url === '/v1/models' ? [200, list] : [404, { error: { message: 'not found' } }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, called }
}

/** An experiment file of checkpoints behind one address, in a folder of its own. */
function experiment(port: number): string {
  const folder = mkdtempSync(join(scratch, 'run-'))
  const url = `http://127.0.0.1:${String(port)}/v1`
  writeFileSync(
    join(folder, 'grid.yaml'),
    `name: r\nenvironments: [household]\ntasks: 2\nperturbations: [none, agentrefine-1]\nbaseUrl: ${url}\nmodels: [{ name: tuned-20, checkpoint: { series: t, step: 20 } }, { name: tuned-100, checkpoint: { series: t, step: 100 } }]\ntemperatures: [0]\nseeds: 1\nstepLimit: 3\nconcurrency: 2\nattempts: 1\n`,
  )
  return folder
}

describe('run with checkpoints', () => {
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
})
