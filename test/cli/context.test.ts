import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { LlamaOptions, LlamaServer } from '../models/llama-server.js'
import { startLlama } from '../models/llama-server.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable } from './_command.js'

const scratch = scratchFolder()
let server: LlamaServer | undefined
afterEach(async () => server?.close())

async function run(llama: LlamaOptions, ...more: string[]) {
  server = await startLlama({ model: 'tuned', ...llama })
  const out = mkdtempSync(join(scratch, 'run-'))
  const grid = ['--env', 'household', '--tasks', '3', '--perturb', 'agentrefine-1', '--seeds', '1']
  const limits = ['--temperatures', '0', '--steps', '12', '--agent', 'act', '--out', out]
  const model = ['--model', 'tuned', '--base-url', server.baseUrl]
  const ended = await shaketable(['run', ...model, ...grid, ...limits, ...more], scratch)
  return { ...ended, out, rows: () => rowsOf(out) }
}

describe('a run on a server with a short context', () => {
  it('is refused with the numbers when the first prompt and a reply do not fit', async () => {
    const { code, stderr } = await run({ context: 1200 }, '--max-tokens', '512')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /The first prompt of task '[^']+' of household with agent act under \S+ is at least [\d,]+ tokens, and 512 are kept for the reply: 1,\d{3} of the 1,200 of the context of 'tuned'\. Give (?:--max-tokens \d+ or less, )?an agent/,
    )
    const isOfRun = (body: object): boolean => !JSON.stringify(body).includes('Reply with the one word')
    expect(server!.received.filter(({ body }) => body['max_tokens'] === 512 && isOfRun(body))).toEqual([])
  })

  it('plays every episode to its end', async () => {
    const { code, stderr, rows } = await run({ context: 1400 }, '--max-tokens', '64')
    expect(code, stderr).toBe(0)
    expect(rows()).toHaveLength(6)
    expect(rows().filter(({ outcome }) => outcome === 'context-overflow')).toEqual([])
    const steps = rows().reduce((sum, { measures }) => sum + measures.steps, 0)
    expect(server!.received.filter(({ body }) => body['max_tokens'] === 64)).toHaveLength(steps)
  })

  it('does not count an episode without any reply as failed', async () => {
    const { code, stderr, stdout, rows } = await run({ context: 600, counts: false }, '--max-tokens', '64')
    expect(code).toBe(1)
    expect(rows().map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => 'model-error'))
    expect(stderr).toContain('6 episodes ended in an error and are not counted')
    expect(stdout).toContain('The figures mean nothing: half of the episodes or more broke.')
  })
})
