import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable, succeed } from './_command.js'

const folder = scratchFolder()
const grid = 'run --env household --tasks 10 --temperatures 0,1 --model reader,parrot --seeds 3'

it('shaketable compare compares the two models of a run, and two runs, in every format', async () => {
  await succeed(`${grid} --perturb agentrefine-1,agentrefine-4 --out both`, folder)
  const compare = (...args: string[]) => shaketable(['compare', 'both', ...args], folder)
  const { code, stdout, stderr } = await compare()
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^B compared with A on household\n/)
  expect(stdout).toMatch(/^reader → parrot +none +equal /m)
  expect(stdout).toMatch(/^ +agentrefine-4 +worse /m)
  expect(stdout).toMatch(/^ {2}lost \d of 4 · valid_unseen\//m)
  expect(stdout).toContain('\nB is worse in 2 of 3 cells.\nB is worse on household · reader → parrot · act · ')
  expect(stdout.split('\n').every((line) => line.length <= 120)).toBe(true)
  const markdown = (await compare('--format', 'markdown')).stdout
  expect(markdown).toMatch(/^- B is worse in 2 of 3 cells\.\n- B is worse on /)
  expect(markdown).toContain('\n- Tasks that flipped most')
  const csv = (await compare('--format', 'csv')).stdout
  expect(csv).toMatch(/\r\ncompare,,household,reader → parrot,act,all,agentrefine-1,pairs-lost,\d+,/)
  const same = await compare('both', '--temperatures', '0', '--format', 'json')
  expect(JSON.parse(same.stdout)).toMatchObject({ verdict: 'A and B are equal on every pair.' })

  cpSync(join(folder, 'both'), join(folder, 'elsewhere'), { recursive: true })
  for (const name of readdirSync(join(folder, 'elsewhere')).filter((one) => /\.jsonl?$/.test(one))) {
    const path = join(folder, 'elsewhere', name)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('valid_unseen/', 'elsewhere/'))
  }
  const other = await compare('elsewhere')
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('no task in common')])
})

it('shaketable power prints what a gate would detect and how many seeds it takes, in every format', async () => {
  const grid = 'run --env household --tasks 12 --model reader --temperatures 1 --seeds 3 --perturb agentrefine-1'
  await succeed(`${grid} --out pilot`, folder)
  const power = async (more: string): Promise<string> => (await succeed(`power pilot ${more}`.trim(), folder)).stdout
  const stdout = await power('')
  expect(stdout).toMatch(/^What a gate on household would see, with the 3 seeds of this run\n/)
  expect(stdout.replace(/\n +/g, ' ')).toMatch(
    /household: with 12 tasks and 3 seeds the noisiest cell \(reader · act · \S+\) passes unchanged in [\d.]+ % of runs/,
  )
  expect(stdout.split('\n').every((line) => line.length <= 120)).toBe(true)
  expect(await power('--format markdown')).toMatch(/^- An unchanged model passes a margin of 5\.0 points/)
  expect(await power('--format csv')).toMatch(/\r\npower,,household,reader,act,all,none,tasks,12,/)
  const json = await power('--margin 0.1 --drop 0.3 --metric progress --format json')
  expect(JSON.parse(json)).toMatchObject({ margin: 0.1, drop: 0.3, metric: 'progress' })
})
