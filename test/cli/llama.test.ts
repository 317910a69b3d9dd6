import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LlamaOptions } from '../models/llama-server.js'
import { startLlama } from '../models/llama-server.js'
import type { RealLlama } from '../real-llama.js'
import { realLlama, startRealLlama } from '../real-llama.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable } from './_command.js'

const scratch = scratchFolder()

const context = 4096
const fixture = (options: LlamaOptions) => (): Promise<RealLlama> => startLlama({ context, ...options })
const candidates: readonly (readonly [name: string, start: () => Promise<RealLlama>])[] = [
  ['that talks', fixture({ charactersPerToken: 2 })],
  ['that reasons', fixture({ speaks: 'reasoning' })],
  ['that reasons in the text', fixture({ speaks: 'reasoning', separates: false })],
  ['that calls functions from memory', fixture({ speaks: 'caller' })],
  ...(realLlama ? ([['of llama.cpp', () => startRealLlama(context)]] as const) : []),
]

describe.each(candidates)('a run against a server %s', (name, start) => {
  it('scores every episode, and shows noise in the placebo', async () => {
    const server = await start()
    const out = name.replaceAll(' ', '-').replaceAll('.', '')
    try {
      const grid = ['--perturb', 'placebo,agentrefine-1', '--tasks', '2', '--seeds', '2', '--temperatures', '1']
      const how = ['--agent', 'act,react,tools', '--steps', '20', '--max-tokens', '64']
      const served = ['--model', server.model, '--base-url', server.baseUrl, '--out', out]
      const { code, stderr } = await shaketable(['run', '--env', 'household', ...grid, ...how, ...served], scratch)
      expect(code, stderr).toBe(0)
    } finally {
      await server.close()
    }
    const rows = rowsOf(join(scratch, out))
    expect(rows).toHaveLength(3 * 2 * 2 * 3)
    expect(rows.filter(({ outcome }) => outcome !== 'success' && outcome !== 'step-limit')).toEqual([])
    const empty = rows.filter(({ measures }) => measures.faults?.empty === measures.steps)
    expect(empty.map(({ agent, column }) => `${agent} ${column}`)).toEqual([])
    const traceOf = (column: string) =>
      rows.filter((row) => row.column === column && row.agent === 'react').map((row) => `${row.task} ${row.trace!}`)
    expect(traceOf('placebo').sort()).not.toEqual(traceOf('none').sort())
  }, 600_000)
})
