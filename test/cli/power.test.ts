import { expect, it } from 'vitest'
import type { PowerPlan } from '../../src/results/compare/power.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const folder = scratchFolder()

it('shaketable power prints what a gate would detect and how many seeds it takes, in every format', async () => {
  const grid = 'run --env household --tasks 12 --model reader --temperatures 1 --seeds 3 --perturb agentrefine-1'
  expect((await shaketable([...grid.split(' '), '--out', 'pilot'], folder)).code).toBe(0)
  const power = (...args: string[]) => shaketable(['power', 'pilot', ...args], folder)
  const { code, stdout, stderr } = await power()
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^What a gate on household would see, with the 3 seeds of this run\n/)
  expect(stdout.replace(/\n +/g, ' ')).toMatch(
    /household: with 12 tasks and 3 seeds the noisiest cell \(reader · act · \S+\) passes unchanged in [\d.]+ % of runs/,
  )
  expect(stdout.split('\n').every((line) => line.length <= 120)).toBe(true)
  expect((await power('--format', 'markdown')).stdout).toMatch(/^- An unchanged model passes a margin of 5\.0 points/)
  expect((await power('--format', 'csv')).stdout).toMatch(/\r\npower,,household,reader,act,all,none,tasks,12,/)
  const json = await power(...'--margin 0.1 --drop 0.3 --metric progress --format json'.split(' '))
  expect(JSON.parse(json.stdout) as PowerPlan).toMatchObject({ margin: 0.1, drop: 0.3, metric: 'progress' })
})
