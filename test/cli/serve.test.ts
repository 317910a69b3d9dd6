import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Aggregate } from '../../src/results/aggregate.js'
import { scratchFolder } from '../scratch.js'
import { shaketable, start } from './_command.js'

const scratch = scratchFolder()

describe('shaketable serve', () => {
  it('prints only its address, answers there, and exits cleanly with Ctrl-C', async () => {
    const { child, ended } = start(['serve', 'tuned=reader', 'parrot:new', '--context', '4096'], scratch)
    const address = await new Promise<string>((resolve) => child.stdout!.once('data', (text: string) => resolve(text)))
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\n$/)
    const list = (await (await fetch(`${address.trim()}/models`)).json()) as { data: { id: string }[] }
    expect(list.data.map(({ id }) => id)).toEqual(['tuned', 'parrot:new'])
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 0, stdout: address, stderr: '' })
  })

  it('has a run whose every reply is cut off say first that its figures mean nothing', async () => {
    const { child, ended } = start(['serve', 'tuned=reader'], scratch)
    const address = await new Promise<string>((resolve) => child.stdout!.once('data', (text: string) => resolve(text)))
    writeFileSync(join(scratch, 'prices.json'), '{"tuned": {"prompt": 1, "completion": 2}}')
    const { code, stdout, stderr } = await shaketable(
      [
        ...['run', '--model', 'tuned', '--base-url', address.trim(), '--agent', 'act', '--env', 'household'],
        ...['--tasks', '2', '--perturb', 'placebo', '--seeds', '1', '--temperatures', '0', '--steps', '3'],
        ...['--max-tokens', '1', '--prices', 'prices.json', '--out', 'cut'],
      ],
      scratch,
    )
    child.kill('SIGINT')
    await ended
    expect(code, stderr).toBe(0)
    const loud = 'These figures mean nothing: replies were cut off at 1 token'
    expect(stdout).toContain(loud)
    const read = (file: string): string => readFileSync(join(scratch, 'cut', 'report', file), 'utf8')
    const { notices, identity } = JSON.parse(read('report.json')) as Pick<Aggregate, 'notices' | 'identity'>
    expect(notices[0]).toMatchObject({ kind: 'replies-cut', severity: 'error' })
    expect(notices[0]!.text.startsWith(loud)).toBe(true)
    const page = read('report.html')
    expect(page.indexOf(loud)).toBeGreaterThan(0)
    expect(page.indexOf(loud)).toBeLessThan(page.indexOf('<main'))
    const cost = identity.find(({ name }) => name === 'Cost')!.value
    expect(cost).toMatch(/^12 calls, [\d,]+ prompt tokens and 12 reply tokens; 0\.\d{4} by the prices given$/)
    expect(read('tables/main.md')).toContain(cost)
  })

  it.each([
    [['oracle'], 'The oracle needs the world itself, which a request does not contain. Unknown control model'],
    [['--port', '65536'], "--port: expected a whole number from 0 to 65,535, got '65536'."],
    [['--host', '203.0.113.1'], 'Cannot listen on 203.0.113.1, port 0 ('],
  ])('refuses %j with one sentence', async (args, message) => {
    const { code, stdout, stderr } = await shaketable(['serve', ...args], scratch)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
