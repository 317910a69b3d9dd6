import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable, start } from './_command.js'

const above = scratchFolder()

const folderOf = (name: string): string => {
  const folder = join(above, name)
  mkdirSync(folder)
  return folder
}

describe.each(['Collect', 'Export'])('%s of docs/training-data.md', (name) => {
  it('shows what its commands print and the turns that they write', async () => {
    const whole = readFileSync(new URL('../../docs/training-data.md', import.meta.url), 'utf8')
    const page = whole.split(/^## /m).find((section) => section.startsWith(`${name}\n`))!
    const [, commands] = /```sh\n([^]*?)```/.exec(page)!
    const [, example] = /```text\n([^]*?)```/.exec(page)!
    const folder = folderOf(`docs-${name}`)
    let printed = ''
    for (const [, command] of commands!.matchAll(/^shaketable (.*)$/gm)) {
      const { code, stdout, stderr } = await shaketable(command!.split(' '), folder)
      expect([code, stderr]).toEqual([0, ''])
      printed += stdout
    }
    expect(printed).toContain(example)
    const turns = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, shown]) => shown!.trim().split('\n').join(','))
    for (const shown of turns) expect(readFileSync(join(folder, 'refine.jsonl'), 'utf8')).toContain(shown)
  })
})

describe('shaketable data collect', () => {
  it('writes equal bytes for equal options, and overwrites nothing unless asked', async () => {
    const folder = folderOf('equal')
    const args = 'data collect --tasks 3 --count 4 --with-errors 0.3 --out a.jsonl'.split(' ')
    expect((await shaketable(args, folder)).code).toBe(0)
    const first = readFileSync(join(folder, 'a.jsonl'), 'utf8')
    expect((await shaketable(args, folder)).code).toBe(2)
    expect((await shaketable([...args, '--force'], folder)).code).toBe(0)
    expect(readFileSync(join(folder, 'a.jsonl'), 'utf8')).toBe(first)
    expect(readdirSync(folder)).toEqual(['a.jsonl'])
  })

  it('leaves no file behind when it is interrupted', async () => {
    const folder = folderOf('interrupted')
    const { child, ended } = start(['data', 'collect', '--count', '100000', '--out', 'a.jsonl'], folder)
    while (readdirSync(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, stderr: 'Interrupted. Nothing was written.\n' })
    expect(readdirSync(folder)).toEqual([])
  })
})
