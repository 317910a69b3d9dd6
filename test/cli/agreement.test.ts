import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const table = fileURLToPath(new URL('../fixtures/verify/agentrefine-judge.csv', import.meta.url))

const folder = scratchFolder()

const agree = (text: string, variables = {}): ReturnType<typeof shaketable> => {
  writeFileSync(join(folder, 'judged.csv'), text)
  return shaketable('data agreement judged.csv', folder, variables)
}

describe('shaketable data agreement', () => {
  const items = ['right,right', 'right,wrong', 'wrong,right', 'wrong,wrong'].flatMap((pair, index) =>
    Array.from({ length: [47, 3, 9, 41][index]! }, (_, id) => `${String(id)},${pair}\n`),
  )
  it.each([
    ['their table', readFileSync(table, 'utf8')],
    ['the items themselves', `item,judge,person\n${items.join('')}`],
  ])("prints the paper's figures from %s", async (_, text) => {
    const { code, stdout } = await agree(text)
    expect(code).toBe(0)
    expect(stdout).toMatch(/right +47 +3\nwrong +9 +41\n/)
    expect(stdout).toContain('88.0 % (95 % interval 80.2 to 93.0)')
    expect(stdout).toContain('0.76 (95 % interval 0.61 to 0.87)')
  })

  it('keeps GitHub Actions from reading labels as commands', async () => {
    const { stdout } = await agree('a,b\n::set-output name=a::b\u202e,x\n', { GITHUB_ACTIONS: 'true' })
    expect(stdout).not.toMatch(/^\s*::set|\u202e/m)
    expect(stdout).toContain('set-output name=a::b')
  })

  it.each([
    ['', /in judged\.csv, but its columns are none/],
    ['a,b\n', /but it has no items/],
    [',a,b\na,0,0\nb,0,0\n', /but all counts are 0/],
    ['judge,b,c\n1,2,3\n', /its columns are judge, b, c;/],
    ['a,b\nx,y\nx\n', /line 3 has not a field/],
    [`a,b\n${Array.from({ length: 60 }, (_, at) => `${String(at)},x`).join('\n')}`, /use 61 labels/],
  ])('refuses %j in one sentence', async (text, message) => {
    const { code, stdout, stderr } = await agree(text)
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1])
    expect(stderr).toMatch(message)
  })
})
