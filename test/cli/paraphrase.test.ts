import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashOf } from '../../src/index.js'
import type { WordingsFile } from '../../src/training/wordings-file.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable } from './_command.js'

const folder = scratchFolder()
writeFileSync(
  join(folder, 'writer.ts'),
  `import { defineModel } from 'shaketable'
export default defineModel({
  name: 'writer',
  settings: {},
  complete(messages) {
    const text = messages[0].content.split('\\n').at(-1)
    const words = ['please', 'kindly', 'now']
    return { text: [...words.map((word, at) => (at + 1) + '. "' + word + ' ' + text + '"'), 'something else 7'].join('\\n') }
  },
})
`,
)

describe('shaketable paraphrase', () => {
  it('keeps wordings with every slot and number, as perturbations that keep the laws and can be played', async () => {
    const written = '--plugin ./writer.ts --model writer --draws 3 --out words.json --name polite'
    const { code, stdout, stderr } = await shaketable(`paraphrase ${written}`, folder)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/polite-actions: (\d+) of \1 texts have 3 wordings\npolite-goals: (\d+) of \2 texts/)
    expect(stdout).toContain('something else 7: its')
    const file = JSON.parse(readFileSync(join(folder, 'words.json'), 'utf8')) as WordingsFile
    expect(file).toMatchObject({ name: 'polite', environment: 'household', writer: { model: 'writer', seed: 0 } })
    const go = 'go to {recep}'
    expect(file.words.actions![go]).toEqual([`please ${go}`, `kindly ${go}`, `now ${go}`])
    expect(file.hash).toBe(hashOf(file.words, 16))

    const own = '--plugin ./words.json --tasks'
    const validated = await shaketable(`validate ${own} 2 --perturb polite-actions:draw=2`, folder)
    expect([validated.code, validated.stdout]).toEqual([0, expect.stringContaining('holds 2')])
    const condition = 'polite-actions:draw=3+polite-goals'
    await shaketable(`run --env household ${own} 1 --perturb ${condition} --model oracle --seeds 1 --out run`, folder)
    const rows = rowsOf(join(folder, 'run'))
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['success']))
    expect(rows).toContainEqual(
      expect.objectContaining({ condition, dose: expect.objectContaining({ commandsSaid: 3 }) }),
    )
  })
})
