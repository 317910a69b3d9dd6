import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { start, succeed } from './_command.js'

const above = scratchFolder()

const newFolder = (): string => mkdtempSync(join(above, 'data-'))

describe.each(['Collect', 'Export'])('%s of docs/training-data.md', (name) => {
  it('shows what its commands print and the turns that they write', async () => {
    const whole = readFileSync(new URL('../../docs/training-data.md', import.meta.url), 'utf8')
    const page = whole.split(/^## /m).find((section) => section.startsWith(`${name}\n`))!
    const [, commands] = /```sh\n([^]*?)```/.exec(page)!
    const [, example] = /```text\n([^]*?)```/.exec(page)!
    const folder = newFolder()
    let printed = ''
    for (const [, command] of commands!.matchAll(/^shaketable (.*)$/gm)) {
      const { stdout, stderr } = await succeed(command!, folder)
      expect(stderr).toBe('')
      printed += stdout
    }
    expect(printed).toContain(example)
    const turns = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, shown]) => shown!.trim().split('\n').join(','))
    for (const shown of turns) expect(readFileSync(join(folder, 'refine.jsonl'), 'utf8')).toContain(shown)
  })
})

it('shaketable data collect leaves no file behind when it is interrupted', async () => {
  const folder = newFolder()
  const { child, ended } = start(['data', 'collect', '--count', '100000', '--out', 'a.jsonl'], folder)
  while (readdirSync(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 130, stderr: 'Interrupted. Nothing was written.\n' })
  expect(readdirSync(folder)).toEqual([])
})
