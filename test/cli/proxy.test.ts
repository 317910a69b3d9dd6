import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { says, startLoopback } from '../models/loopback.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, start, succeed } from './_command.js'

const folder = scratchFolder()

describe('shaketable proxy', () => {
  it('perturbs by a file of forms, exits on SIGINT with a complete log, and the log is summarised', async () => {
    const [forms, plugin, log] = [join(folder, 'own.yaml'), join(folder, 'warm.mjs'), join(folder, 'log.jsonl')]
    writeFileSync(forms, "forms:\n  - 'heat {obj} with {recep}'\n  - {template: look, meaning: look around}\n")
    writeFileSync(
      plugin,
      "import { definePerturbation, rewordActions } from 'shaketable'\nexport default definePerturbation({ name: 'warm', summary: 's', source: 's', promise: 'invariant', open: () => rewordActions({ 'heat {obj} with {recep}': 'warm {obj} in {recep}' }) })\n",
    )
    const [own, reworded] = [says('DO("heat cup 1 with oven 2")'), says('DO("warm cup 1 in oven 2")')]
    const upstream = await startLoopback(reworded, own, reworded)
    const url = upstream.baseUrl.replace('//', '//user:hidden@')
    const flags = ['--upstream', url, '--forms', forms, '--perturb', 'warm', '--plugin', plugin, '--log', log]
    const proxy = start(['proxy', ...flags], folder)
    const address = await new Promise<string>((resolve) =>
      proxy.child.stdout!.once('data', (text) => resolve(String(text).trim())),
    )
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    const ask = async (content: string): Promise<string> => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
      const headers = { authorization: 'Bearer sk-a-key-of-a-lab', 'content-type': 'application/json' }
      const answer = await fetch(`${address}/chat/completions`, { method: 'POST', headers, body })
      return ((await answer.json()) as { choices: [{ message: { content: string } }] }).choices[0].message.content
    }
    expect(await ask('DO("heat cup 1 with oven 2") is how; the cup 1 is cold.')).toBe('DO("heat cup 1 with oven 2")')
    expect(upstream.heard[0]!.body).toMatchObject({
      messages: [{ content: 'DO("warm cup 1 in oven 2") is how; the cup 1 is cold.' }],
    })
    expect(await ask("You can 'heat {obj} with {recep}'. The cup 1 is near the oven 2.")).toMatch(
      /^DO\("unknown-wording-\w+"\)$/,
    )
    await ask('Grade this.')
    proxy.child.kill('SIGINT')
    expect((await proxy.ended).code).toBe(0)
    await upstream.close()
    expect(readFileSync(log, 'utf8')).not.toMatch(/sk-a-key|hidden/)
    const kinds = linesOf(log).map((line) => (JSON.parse(line) as { kind: string }).kind)
    expect(kinds).toEqual(['start', 'turn', 'turn', 'unread'])

    const { stdout } = await succeed(['report', '--proxy-log', log], folder)
    expect(stdout).toMatchInlineSnapshot(`
      "condition  model  conversations  turns  forms  commands seen  commands said  names  listed  made to fail  leaks  memorised  refused  unread  failed
      warm       m      2              2      2      1              1              0      0       0             0      1          1        1       0
      "
    `)
    const { stdout: json } = await succeed(['report', '--proxy-log', log, '--format', 'json'], folder)
    expect(JSON.parse(json)).toMatchObject({
      damaged: 0,
      rows: [{ conversations: 2, turns: 2, refused: 1, memorised: 1, unread: 1, failed: 0 }],
    })
  })
})
