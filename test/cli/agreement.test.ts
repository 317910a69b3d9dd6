import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const table = fileURLToPath(new URL('../fixtures/verify/agentrefine-judge.csv', import.meta.url))

const folder = scratchFolder()

const agree = (name: string, text: string): ReturnType<typeof shaketable> => {
  writeFileSync(join(folder, name), text)
  return shaketable(['data', 'agreement', name], folder)
}

describe('shaketable data agreement', () => {
  it("prints the paper's figures from its table", async () => {
    const { code, stdout } = await shaketable(['data', 'agreement', table], folder)
    expect(code).toBe(0)
    expect(stdout).toMatch(/wrong +9 +41\n/)
    expect(stdout).toContain('88.0 % (95 % interval 80.2 to 93.0)')
    expect(stdout).toContain('0.76 (95 % interval 0.61 to 0.87)')
  })

  it('counts the same from the items themselves', async () => {
    const pairs = ['right,right', 'right,wrong', 'wrong,right', 'wrong,wrong'].flatMap((pair, index) =>
      Array.from({ length: [47, 3, 9, 41][index]! }, (_, id) => `${String(id)},${pair}\n`),
    )
    const { stdout } = await agree('items.csv', `item,judge,person\n${pairs.join('')}`)
    expect(stdout).toMatch(/right +47 +3\nwrong +9 +41\n[^]*0\.76 \(95 % interval 0\.61 to 0\.87\)/)
  })

  it('keeps GitHub Actions from reading labels as commands', async () => {
    writeFileSync(join(folder, 'commands.csv'), 'a,b\n::set-output name=a::b\u202e,x\n')
    const ended = await shaketable(['data', 'agreement', 'commands.csv'], folder, { GITHUB_ACTIONS: 'true' })
    expect(ended.stdout).not.toMatch(/^\s*::set|\u202e/m)
    expect(ended.stdout).toContain('set-output name=a::b')
  })

  it.each([
    ['empty.csv', '', /in empty\.csv, but its columns are none/],
    ['head.csv', 'a,b\n', /but it has no items/],
    ['zero.csv', ',a,b\na,0,0\nb,0,0\n', /but all counts are 0/],
    ['wide.csv', 'judge,b,c\n1,2,3\n', /its columns are judge, b, c;/],
    ['odd.csv', 'a,b\nx,y\nx\n', /line 3 has not a field/],
    ['many.csv', `a,b\n${Array.from({ length: 60 }, (_, at) => `${String(at)},x`).join('\n')}`, /use 61 labels/],
  ])('refuses %s in one sentence', async (name, text, message) => {
    const { code, stdout, stderr } = await agree(name, text)
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1])
    expect(stderr).toMatch(message)
  })
})
