import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const fixtures = fileURLToPath(new URL('../fixtures/verify/', import.meta.url))

const folder = scratchFolder()

const agree = (name: string, text: string | Buffer, ...flags: string[]): ReturnType<typeof shaketable> => {
  writeFileSync(join(folder, name), text)
  return shaketable(['data', 'agreement', name, ...flags], folder)
}

describe('shaketable data agreement', () => {
  it('prints labels with terminal control characters as escapes', async () => {
    const label = '\u202e\u009b\u2066\u2069\u200e\u200f\u2028\u2029\u007f##[error]x'
    const { stdout } = await agree('labels.csv', `a,b\n${label},x\nx,x\n`, '--json')
    expect(stdout).not.toMatch(/[\u007f-\u009f\u200e-\u202e\u2066-\u2069]|##\[/)
    expect((JSON.parse(stdout) as { labels: unknown }).labels).toContain(label)
  })

  it('keeps GitHub Actions from reading names as commands', async () => {
    const label = '::set-output name=a::b'
    writeFileSync(join(folder, 'commands.csv'), `a,b\n${label},x\nx,##[error]x\nx,\n`)
    const variables = { GITHUB_ACTIONS: 'true' }
    const ends = await Promise.all(
      [1, 2].map(() => shaketable(['data', 'agreement', 'commands.csv'], folder, variables)),
    )
    const tokens = ends.map(({ stdout }) => {
      const lines = stdout.split('\n')
      const [, token] = /^::stop-commands::([0-9a-f-]{36})$/.exec(lines[0]!)!
      expect(lines.at(-2)).toBe(`::${token!}::`)
      expect(lines.findIndex((line) => line.startsWith(label))).toBeGreaterThan(0)
      return token
    })
    expect(new Set(tokens).size).toBe(2)
    const named = await shaketable(
      ['data', 'agreement', 'commands.csv', '--judges', 'x\n::error::y,##[z]'],
      folder,
      variables,
    )
    expect(named.stderr).not.toMatch(/^\s*::|##\[/m)
    expect(named.stderr).toContain('error::y')
  })

  it("prints the paper's figures from its table", async () => {
    const { code, stdout, stderr } = await shaketable(['data', 'agreement', 'agentrefine-judge.csv'], fixtures)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatchInlineSnapshot(`
      "100 items: GPT-4o (down) and person (across)

             right  wrong
      right     47      3
      wrong      9     41

      Agreement  88.0 % (95 % interval 80.2 to 93.0)
      By chance  50.0 %
      Kappa      0.76 (95 % interval 0.61 to 0.87; standard error 0.065)
      Intervals take the items as independent: name their trajectories in a column 'trajectory' if several are of one.
      "
    `)
  })

  it('counts the same from the items themselves, in CSV and in JSON lines', async () => {
    const counts = { 'right,right': 47, 'right,wrong': 3, 'wrong,right': 9, 'wrong,wrong': 41 }
    const pairs = Object.entries(counts).flatMap(([pair, count]) =>
      Array.from({ length: count }, () => pair.split(',')),
    )
    const csv = pairs.map(([a, b], index) => `${String(index)},${a!}, ${b!}`).join('\n')
    const lines = pairs
      .map(([judge, person], id) => JSON.stringify({ id, judge, person, score: 'x' }).replace('"x"', 'NaN'))
      .join('\n')
    const wide = pairs.map(([a, b]) => `${a!},x,${b!}`).join('\n')
    const found = await Promise.all([
      agree('items.csv', `item,judge,person\n${csv}\n`, '--json'),
      agree('items.jsonl', `\ufeff${lines}`, '--json'),
      agree('more.csv', `judge,note,person\n${wide}`, '--json', '--judges', 'judge,person'),
    ])
    for (const { stdout } of found) {
      expect(JSON.parse(stdout)).toMatchObject({
        schema: 1,
        judges: ['judge', 'person'],
        labels: ['right', 'wrong'],
        counts: [
          [47, 3],
          [9, 41],
        ],
        items: 100,
        agreement: expect.closeTo(0.88, 12) as number,
        kappa: expect.closeTo(0.76, 12) as number,
        problems: [],
      })
    }
  })

  it('names the lines that it cannot use, and counts the rest', async () => {
    const { code, stdout, stderr } = await agree(
      'odd.csv',
      'item,a,b\n1,yes,no\n2,yes\n3,,no\n1,no,no\n4,no,no\n5,yes,\u001b[31mye\u202es\n"6',
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^3 items: [^]*\n\\x1b\[31mye\\u202es +0 +0 +0\nno +0 +1 +0\nyes +1 +1 +0\n/)
    expect(stderr).toMatchInlineSnapshot(`
      "odd.csv:3: Expected 3 fields, got 2.
      odd.csv:4: Expected a judgement of 'a', got none.
      odd.csv:5: The item '1' has occurred before.
      odd.csv:8: Expected a closing quote, got the end of the file.
      "
    `)
    const json = await agree('odd.jsonl', '{"a":"x","b":"x"}\n{"a":"x"\n[1]\n{"a":"y","b":null}\n{"a":true,"b":1}\n')
    expect(json.stdout).toMatch(/^2 items/)
    expect(json.stderr.split('\n').slice(0, -1)).toEqual([
      "odd.jsonl:2: Expected an object in JSON on one line, but it is not JSON: Expected ',' or '}' after property value.",
      'odd.jsonl:3: Expected an object in JSON, got something else.',
      "odd.jsonl:4: Expected a judgement of 'b', got none.",
    ])
  })

  it('takes the trajectory of an item as its cluster, and says so', async () => {
    const lines = Array.from({ length: 20 }, (_, trajectory) =>
      Array.from({ length: 10 }, () => `${String(trajectory)},${trajectory < 18 ? 'x,x' : 'x,y'}`),
    ).flat()
    lines.push('20,y,y', ',y,y')
    const { stdout, stderr } = await agree('turns.csv', `trajectory,a,b\n${lines.join('\n')}\n`)
    expect(stderr).toBe('turns.csv:203: Expected the trajectory of the item, got none.\n')
    expect(stdout).toContain('Intervals are over trajectories (21): items of one may be alike.')
    const alone = await agree('items-alone.csv', `a,b\n${lines.map((line) => line.replace(/^\d*,/, '')).join('\n')}\n`)
    expect(alone.stdout).toContain('Intervals take the items as independent')
    const [clustered, independent] = [stdout, alone.stdout].map((text) => {
      const [, low, high] = /^Agreement .*interval ([\d.]+) to ([\d.]+)/m.exec(text)!
      return Number(high) - Number(low)
    })
    expect(clustered).toBeGreaterThan(2 * independent!)
  })

  it.each<[string, string | Buffer, readonly string[], RegExp]>([
    ['empty.csv', '', [], /in empty\.csv, but it is empty\. docs\/training-data\.md shows such files\.$/],
    ['head.csv', 'a,b\n', [], /but it has no items/],
    ['zero.csv', ',a,b\na,0,0\nb,0,0\n', [], /but all counts are 0/],
    ['wide2.csv', 'judge,b,c\n1,2,3\n', ['--judges', 'judgee,b'], /got 'judgee'\. Did you mean 'judge'\?/],
    ['twice.csv', 'a,a\n1,2\n', [], /two columns are called 'a'/],
    [
      'many.csv',
      `a,b\n${Array.from({ length: 60 }, (_, index) => `${String(index)},x`).join('\n')}`,
      [],
      /its judges use 61 labels/,
    ],
    ['broken.jsonl', '{"a":', [], /but it has no columns \(broken\.jsonl:1: Expected an object in JSON/],
  ])('refuses %s in one sentence', async (name, text, flags, message) => {
    const { code, stdout, stderr } = await agree(name, text, ...flags)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd()).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
