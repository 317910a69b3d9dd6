import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable, succeed } from './_command.js'

const fixtures = fileURLToPath(new URL('../fixtures/training', import.meta.url))
const page = readFileSync(new URL('../../docs/training-data.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .find((section) => section.startsWith('Remove in-domain rows'))!
const scratch = scratchFolder()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'rows-'))
  for (const name of readdirSync(fixtures))
    if (/\.jsonl?$/.test(name)) copyFileSync(join(fixtures, name), join(folder, name))
})

describe('shaketable data filter-ind', { timeout: 60_000 }, () => {
  it('prints what docs/training-data.md shows', async () => {
    const [collect, filter] = /```sh\n([^]*?)```/.exec(page)![1]!.trim().split('\n')
    for (const command of [collect!, `${filter!} --dry-run`, filter!]) {
      const { stdout, stderr } = await succeed(command.replace('shaketable ', ''), folder)
      expect(stderr).toBe('')
      expect(existsSync(join(folder, 'kept.json'))).toBe(command === filter)
      if (command === filter) expect(page).toContain(`\`\`\`text\n${stdout}\`\`\``)
    }
  })

  it('names what cannot be read, escaped for a terminal, and filters the rest', async () => {
    const rows = '{"id":"alfworld_\\u001b[31m","messages":[]}\n{"id":"\u202ex","messages":7}\n'
    writeFileSync(join(folder, 'bad.jsonl'), rows)
    const line = 'data filter-ind damaged.jsonl bad.jsonl --env alfworld --dry-run'
    const { stdout, stderr } = await succeed(line, folder)
    expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/)
    expect(stdout).toContain('alfworld_\\x1b[31m')
    expect(stderr).toMatchInlineSnapshot(`
      "damaged.jsonl:2: it is not JSON: Unexpected end of JSON input.
      damaged.jsonl:5: expected 'conversations', 'conversation' or 'messages', got the keys id, dialogue.
      damaged.jsonl:6: turn 1 of 'conversations': expected a role such as human or gpt under 'from' or 'role', and text under 'value' or 'content', got {"from":"narrator","value":"Once"}.
      damaged.jsonl:7: it is not JSON: Unterminated string.
      bad.jsonl:2: expected a list under 'messages', got 7.
      "
    `)
  })

  it("runs the user's own filter that docs/training-data.md shows", async () => {
    const code = /```ts [^\n]*\n(import \{ defineDataFilter \}[^`]*)```/.exec(page)![1]!
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(12)
    writeFileSync(join(folder, 'no-apologies.ts'), code)
    const row = (id: string, content: string): string =>
      JSON.stringify({ id, messages: [{ role: 'assistant', content }] })
    const kept = [row('a', 'Here it is.'), row('c', 'Do not apologise.')]
    writeFileSync(join(folder, 'data.jsonl'), [kept[0], row('b', 'I apologize for that.'), kept[1]].join('\n'))
    const line = 'data filter-ind data.jsonl --plugin ./no-apologies.ts --out clean.jsonl'
    const { stdout, stderr } = await shaketable(line, folder)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^no-apologies: 3 rows of data\.jsonl, 1 dropped, 2 kept\n/)
    expect(stdout).toContain('  apology: data.jsonl:2, b: I apologize for that.\n')
    expect(readFileSync(join(folder, 'clean.jsonl'), 'utf8')).toBe(`${kept.join('\n')}\n`)
  })
})
