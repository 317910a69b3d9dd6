import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const table = fileURLToPath(new URL('../fixtures/verify/agentrefine-judge.csv', import.meta.url))

const folder = scratchFolder()

const agree = (name: string, text: string, ...flags: string[]): ReturnType<typeof shaketable> => {
  writeFileSync(join(folder, name), text)
  return shaketable(['data', 'agreement', name, ...flags], folder)
}

describe('shaketable data agreement', () => {
  it("prints the paper's figures from its table", async () => {
    const { code, stdout } = await shaketable(['data', 'agreement', table], folder)
    expect(code).toBe(0)
    expect(stdout).toMatch(/wrong +9 +41\n/)
    expect(stdout).toContain('88.0 % (95 % interval 80.2 to 93.0)')
    expect(stdout).toContain('0.76 (95 % interval 0.61 to 0.87)')
  })

  it('counts the same from the items themselves, in CSV and in JSON lines', async () => {
    const pairs = ['right,right', 'right,wrong', 'wrong,right', 'wrong,wrong'].flatMap((pair, index) =>
      Array.from({ length: [47, 3, 9, 41][index]! }, () => pair.split(',')),
    )
    const lines = pairs.map(([judge, person], id) => JSON.stringify({ id, judge, person }))
    const csv = `item,judge,person\n${pairs.map((pair, id) => `${String(id)},${pair.join(', ')}`).join('\n')}\n`
    for (const [name, text] of [
      ['items.csv', csv],
      ['items.jsonl', `\ufeff${lines.join('\n')}`],
    ]) {
      const { stdout } = await agree(name!, text!, '--json')
      expect(JSON.parse(stdout)).toMatchObject({ counts: [[47, 3], [9, 41]], kappa: expect.closeTo(0.76, 12) as number }) // prettier-ignore
    }
  })

  it('takes the trajectory of an item as its cluster, so that intervals are wider', async () => {
    const lines = Array.from({ length: 200 }, (_, item) => `${String(item % 20)},${item % 20 < 18 ? 'x,x' : 'x,y'}`)
    const ends = await Promise.all([
      agree('turns.csv', `trajectory,a,b\n${lines.join('\n')}\n`),
      agree('items-alone.csv', `a,b\n${lines.map((line) => line.replace(/^\d*,/, '')).join('\n')}\n`),
    ])
    const [clustered, independent] = ends.map(({ stdout }) => {
      const [, low, high] = /^Agreement .*interval ([\d.]+) to ([\d.]+)/m.exec(stdout)!
      return Number(high) - Number(low)
    })
    expect(clustered).toBeGreaterThan(2 * independent!)
  })

  it('prints labels as escapes, and keeps GitHub Actions from reading them as commands', async () => {
    const label = '\u202e\u009b\u2028\u007f##[error]x'
    const { stdout } = await agree('labels.csv', `a,b\n${label},x\nx,x\n`, '--json')
    expect(stdout).not.toMatch(/[\u007f-\u009f\u200e-\u202e]|##\[/)
    expect((JSON.parse(stdout) as { labels: unknown }).labels).toContain(label)
    writeFileSync(join(folder, 'commands.csv'), 'a,b\n::set-output name=a::b,x\n')
    const ended = await shaketable(['data', 'agreement', 'commands.csv'], folder, { GITHUB_ACTIONS: 'true' })
    expect(ended.stdout).toMatch(/^::stop-commands::([0-9a-f-]{36})\n[^]*\n::set-output name=a::b[^]*\n::\1::\n$/)
  })

  it.each([
    ['empty.csv', '', /in empty\.csv, but its columns are none/],
    ['head.csv', 'a,b\n', /but it has no items/],
    ['zero.csv', ',a,b\na,0,0\nb,0,0\n', /but all counts are 0/],
    ['wide.csv', 'judge,b,c\n1,2,3\n', /its columns are 'judge', 'b', 'c'/],
    ['odd.csv', 'a,b\nx,y\nx\n', /line 3 has not a field/],
    ['many.csv', `a,b\n${Array.from({ length: 60 }, (_, at) => `${String(at)},x`).join('\n')}`, /use 61 labels/],
    ['broken.jsonl', '{"a":"x","b":"x"}\n{"a":', /line 2 is not an object/],
  ])('refuses %s in one sentence', async (name, text, message) => {
    const { code, stdout, stderr } = await agree(name, text)
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1])
    expect(stderr).toMatch(message)
  })
})
