import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'

const main = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url))
const folder = scratchFolder()

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stderr.on('data', (text: Buffer) => (err += text.toString()))
  const listening = new Promise<string>((resolve) =>
    child.stdout.on('data', (text: Buffer) => {
      out += text.toString()
      if (out.includes('\n')) resolve(out.trim())
    }),
  )
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return { child, listening, ended, said: () => ({ out, err }) }
}

async function run(...args: string[]) {
  const started = start(args)
  const code = await started.ended
  return { code, ...started.said() }
}

const needed = ['proxy', '--upstream', 'http://127.0.0.1:9/v1', '--forms', 'household', '--perturb', 'agentrefine-1']
const without = (flag: string, ...value: string[]): string[] => {
  const at = needed.indexOf(flag)
  return [...needed.slice(0, at), ...(value.length > 0 ? [flag, ...value] : []), ...needed.slice(at + 2)]
}

describe('shaketable proxy', () => {
  it('perturbs by a file of forms, exits on SIGINT with a complete log, and the log is summarised', async () => {
    const forms = join(folder, 'own.yaml')
    const plugin = join(folder, 'warm.mjs')
    const log = join(folder, 'log.jsonl')
    writeFileSync(
      forms,
      "forms:\n  - 'heat {obj} with {recep}'\n  - {template: look, meaning: look around}\nmarkers: [{start: 'DO(', end: ')'}]\n",
    )
    writeFileSync(
      plugin,
      "import { definePerturbation, rewordActions } from 'shaketable'\nexport default definePerturbation({ name: 'warm', summary: 's', source: 's', promise: 'invariant', open: () => rewordActions({ 'heat {obj} with {recep}': 'warm {obj} in {recep}' }) })\n",
    )
    const got: string[] = []
    const upstream = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => got.push(chunk.toString()))
      const message = {
        role: 'assistant',
        content: got.length % 2 === 0 ? 'DO(warm cup 1 in oven 2)' : 'DO(heat cup 1 with oven 2)',
      }
      request.on('end', () => response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })))
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const url = `http://user:hidden@127.0.0.1:${String((upstream.address() as AddressInfo).port)}/v1`
    const proxy = start([
      'proxy',
      '--upstream',
      url,
      '--forms',
      forms,
      '--perturb',
      'warm',
      '--plugin',
      plugin,
      '--log',
      log,
    ])
    const address = await proxy.listening
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    const ask = async (content: string): Promise<string> => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
      const headers = { authorization: 'Bearer sk-a-key-of-a-lab', 'content-type': 'application/json' }
      const answer = await fetch(`${address}/chat/completions`, { method: 'POST', headers, body })
      return ((await answer.json()) as { choices: [{ message: { content: string } }] }).choices[0].message.content
    }
    expect(await ask('DO(heat cup 1 with oven 2) is how; the cup 1 is cold.')).toBe('DO(heat cup 1 with oven 2)')
    expect(JSON.parse(got[0]!)).toMatchObject({
      messages: [{ content: 'DO(warm cup 1 in oven 2) is how; the cup 1 is cold.' }],
    })
    expect(await ask("You can 'heat {obj} with {recep}'. The cup 1 is near the oven 2.")).toMatch(
      /^DO\(unknown-wording-\w+\)$/,
    )
    await ask('Grade this.')
    proxy.child.kill('SIGINT')
    expect(await proxy.ended).toBe(0)
    upstream.close()
    const text = readFileSync(log, 'utf8')
    expect(text).not.toMatch(/sk-a-key|hidden/)
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { kind: string }).kind),
    ).toEqual(['start', 'turn', 'turn', 'unread'])

    const { code, out } = await run('report', '--proxy-log', log)
    expect(code).toBe(0)
    expect(out).toMatchInlineSnapshot(`
      "condition  model  conversations  turns  forms  commands seen  commands said  names  leaks  memorised  refused  unread  failed
      warm       m      2              2      2      1              1              0      0      1          1        1       0
      "
    `)
    const { out: json } = await run('report', '--proxy-log', log, '--format', 'json')
    expect(JSON.parse(json)).toMatchObject({
      damaged: 0,
      rows: [{ conversations: 2, turns: 2, refused: 1, memorised: 1, unread: 1, failed: 0 }],
    })
  })

  it.each([
    [without('--upstream', 'ftp://x'), '--upstream: expected the base URL'],
    [without('--forms', 'houshold'), "Did you mean 'household'?"],
    [without('--forms', 'pddl'), 'are not the same in all its games'],
    [without('--perturb', 'length-matched'), "The perturbation 'length-matched' needs the texts of another condition"],
    [without('--perturb', 'agentrefine-4:intensity=0.5'), "'intensity' chooses among all items"],
    [['report', '--proxy-log', main], 'expected the first line of a proxy'],
  ])('%j is refused with the reason', async (args, why) => {
    const { code, err } = await run(...args)
    expect([code, err]).toEqual([2, expect.stringContaining(why)])
    expect(err).not.toMatch(/^\s+at /m)
  })
})
