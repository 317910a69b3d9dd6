import { beforeAll, describe, expect, it } from 'vitest'
import type { PowerPlan } from '../../src/compare/power.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const folder = scratchFolder()

const power = (...args: string[]) => shaketable(['power', ...args], folder)

beforeAll(async () => {
  const play = (out: string, ...args: string[]) =>
    shaketable(
      [
        ...'run --env household --tasks 12 --model reader --temperatures 1 --perturb agentrefine-1 --out'.split(' '),
        out,
        ...args,
      ],
      folder,
    )
  const runs = await Promise.all([
    play('pilot', '--seeds', '1,2,3'),
    play('single', '--seeds', '1'),
    play('later', '--seeds', '1,2,3', '--agent', 'react'),
  ])
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
}, 60_000)

describe('shaketable power', () => {
  it('prints what a gate would detect and how many seeds it takes', async () => {
    const { code, stdout, stderr } = await power('pilot')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^What a gate on household would see, with the 3 seeds of this run\n/)
    expect(stdout).toMatch(/^12 \(now\) +\d/m)
    expect(stdout.replace(/\n +/g, ' ')).toMatch(
      /household: with 12 tasks and 3 seeds the noisiest cell \(reader · act · \S+\) passes unchanged in [\d.]+ % of runs/,
    )
    expect(stdout.replace(/\n +/g, ' ')).toContain(
      'One run does not tell how much a change of the model differs between tasks (ω²).',
    )
    expect(stdout.split('\n').every((line) => line.length <= 120)).toBe(true)
  })

  it('gives the same bytes each time, in every format', async () => {
    const formats = ['markdown', 'csv', 'json']
    const print = () => Promise.all(formats.map((format) => power('pilot', '--format', format)))
    const first = await print()
    expect(await print()).toEqual(first)
    const [markdown, csv, json] = first.map(({ stdout }) => stdout)
    expect(markdown).toMatch(/^- An unchanged model passes a margin of 5\.0 points in [\d.]+ % of runs/)
    expect(csv).toMatch(/\r\npower-grid,,household,reader,act,all,\S+,power-pass-20-seeds,[\d.]+,/)
    expect(JSON.parse(json!) as PowerPlan).toMatchObject({ schema: 1, margin: 0.05, drop: 0.1, change: 'none' })
  })

  it('accepts other targets, one cell, and a second run', async () => {
    const { stdout } = await power(
      ...'pilot --with later --column none --margin 0.1 --drop 0.3 --metric progress --format json'.split(' '),
    )
    const plan = JSON.parse(stdout) as PowerPlan
    expect(plan).toMatchObject({ margin: 0.1, drop: 0.3, metric: 'progress', change: { source: 'later' } })
    expect(plan.cells.map(({ column }) => column)).toEqual(['none'])
  })

  it.each([
    [
      'a run without repeats',
      ['single'],
      /^Expected a run with two seeds or more at one temperature, and two tasks or more, but single has no such cell\. .* --seeds 3\.$/,
    ],
    ['a margin in percent', ['pilot', '--margin', '5'], /^--margin: .* Write 0\.05 for 5 %\.$/],
    [
      'two sources of one figure',
      ['pilot', '--with', 'later', '--task-variance', '0.1'],
      /^--with and --task-variance both give/,
    ],
  ])('reports %s in one line', async (_, args, message) => {
    const { code, stdout, stderr } = await power(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd()).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
