import { describe, expect, it } from 'vitest'
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
