import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEnvironment } from '../../../src/environments/index.js'
import { ownScripts } from '../../../src/environments/scripted/files.js'
import { scratchFolder } from '../../scratch.js'
import honey from '../../fixtures/scripts/honey.json' with { type: 'json' }

const folder = scratchFolder()

function write(name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

const damaged = { ...honey, Start: 'attic' }
describe('the environment scripted', () => {
  it('plays three scripts of its own without any option', async () => {
    const environment = await openEnvironment('scripted')
    expect(environment.tasks.map(({ id }) => id)).toEqual(ownScripts().map(({ id }) => id))
    expect(environment).toMatchObject({
      version: '1',
      settings: { scripts: 'own' },
      data: { kind: 'generated' },
      notes: [],
    })
    expect(await environment.diagnose!()).toEqual([
      'Of 3 scripts 3 can be completed, 0 cannot, and for 0 it was not found out.',
    ])
  })
})

describe('scripts from files', () => {
  const lines = [JSON.stringify({ id: 'honey', persona: 'a beekeeper', script: honey }), JSON.stringify(honey), '']

  it('are JSON lines, each a script or with one in `script`', async () => {
    const environment = await openEnvironment('scripted', { scripts: write('two.jsonl', lines.join('\n')) })
    expect(environment.tasks.map(({ id }) => id)).toEqual(['honey', 'two/2'])
    expect(environment.tasks[0]!.hash).toBe(environment.tasks[1]!.hash)
    expect(environment).toMatchObject({ settings: { scripts: 'files' }, data: { kind: 'files' }, notes: [] })
  })

  it('that cannot be used are left out, counted, with their reasons', async () => {
    const text = [...lines.slice(0, 2), JSON.stringify(damaged), '{"id":', lines[0]].join('\n')
    const environment = await openEnvironment('scripted', { scripts: write('some.jsonl', text) })
    expect(environment.tasks).toHaveLength(2)
    const said =
      "scripted: 3 of 5 scripts are LEFT OUT. some.jsonl:3: Expected a place of the environment as 'Start', got 'attic'. docs/benchmarks.md describes the format; some.jsonl:4: It is not JSON: Unexpected end of JSON input; some.jsonl:5: Another script has the id 'honey'."
    expect(environment.notes).toEqual([said])
    expect(environment.data!.leftOut).toEqual({ count: 3, of: 5, text: said })
  })

  it.each([
    ['none that can be used', 'bad.jsonl', JSON.stringify(damaged), 'There is no script that can be played: bad.jsonl'],
    ['a long id', 'id.json', JSON.stringify({ id: 'a\nb', script: honey }), "Expected an 'id' of 1 to 100"],
    ['no such file', undefined, '', 'cannot be read: there is no such file or folder'],
  ])('are an error for %s', async (_, name, text, words) => {
    const path = name === undefined ? join(folder, 'nowhere.jsonl') : write(name, text)
    const message = expect.stringContaining(words) as string
    await expect(
      openEnvironment('scripted', { scripts: path.endsWith('.txt') ? dirname(path) : path }),
    ).rejects.toMatchObject({ code: 'bad-input', message })
  })
})
