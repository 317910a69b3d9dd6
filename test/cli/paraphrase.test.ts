import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashOf } from '../../src/index.js'
import type { WordingsFile } from '../../src/training/wordings-file.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable } from './_command.js'

const folder = scratchFolder()
const plugin = join(folder, 'writer.ts')
writeFileSync(
  plugin,
  `import { defineModel } from 'shaketable'
export default [
  defineModel({
    name: 'writer',
    settings: {},
    complete(messages) {
      const text = messages[0].content.split('\\n').at(-1)
      const words = ['please', 'kindly', 'now']
      return { text: [...words.map((word, at) => (at + 1) + '. "' + word + ' ' + text + '"'), 'something else 7'].join('\\n') }
    },
  }),
  defineModel({ name: 'useless', settings: {}, complete: () => ({ text: 'I cannot do that, sorry 99.' }) }),
]
`,
)
const out = join(folder, 'words.json')
const write = (...more: string[]) =>
  shaketable(['paraphrase', '--plugin', plugin, '--model', 'writer', '--draws', '3', '--out', out, ...more], folder)

describe('shaketable paraphrase', () => {
  it('keeps the wordings that have every slot and number, with their writer and their hash', async () => {
    const { code, stdout, stderr } = await write('--name', 'polite')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/polite-actions: (\d+) of \1 texts have 3 wordings\npolite-goals: (\d+) of \2 texts/)
    expect(stdout).toContain('something else 7: its')
    const file = JSON.parse(readFileSync(out, 'utf8')) as WordingsFile
    expect(file).toMatchObject({ name: 'polite', environment: 'household', writer: { model: 'writer', seed: 0 } })
    expect(file.words.actions!['go to {recep}']).toEqual([
      'please go to {recep}',
      'kindly go to {recep}',
      'now go to {recep}',
    ])
    expect(file.hash).toBe(hashOf(file.words, 16))
  })

  it('writes perturbations that keep the laws and can be played', async () => {
    const validated = await shaketable(
      ['validate', '--plugin', out, '--tasks', '2', '--perturb', 'polite-actions:draw=2'],
      folder,
    )
    expect([validated.code, validated.stdout]).toEqual([0, expect.stringContaining('holds 2')])
    const column = 'polite-actions:draw=3+polite-goals'
    const played = await shaketable(
      [
        ...'run --env household --plugin'.split(' '),
        out,
        '--perturb',
        column,
        ...'--model oracle --tasks 1 --seeds 1 --out run'.split(' '),
      ],
      folder,
    )
    expect([played.code, played.stderr]).toEqual([0, expect.any(String)])
    const rows = rowsOf(join(folder, 'run'))
    expect([...new Set(rows.map(({ outcome }) => outcome))]).toEqual(['success'])
    expect(rows[1]).toMatchObject({ column, dose: { commandsSaid: 3 } })
  })
})
