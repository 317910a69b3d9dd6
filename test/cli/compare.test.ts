import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import type { Ended } from './_command.js'
import { shaketable } from './_command.js'

const folder = scratchFolder()

const play = (out: string, ...args: string[]): Promise<Ended> =>
  shaketable(['run', '--env', 'household', '--tasks', '10', '--temperatures', '0,1', '--out', out, ...args], folder)

const compare = (...args: string[]): Promise<Ended> => shaketable(['compare', ...args], folder)

beforeAll(async () => {
  const [both, some, fewer] = await Promise.all([
    play('both', '--model', 'reader,parrot', '--seeds', '1,2,3', '--perturb', 'agentrefine-1,agentrefine-4'),
    play('some', '--model', 'reader', '--seeds', '2,3,4', '--perturb', 'agentrefine-1'),
    play('fewer', '--model', 'reader', '--seeds', '1', '--tasks', '9', '--perturb', 'agentrefine-1'),
  ])
  expect([both.code, some.code, fewer.code]).toEqual([0, 0, 0])
  cpSync(join(folder, 'fewer'), join(folder, 'elsewhere'), { recursive: true })
  for (const name of readdirSync(join(folder, 'elsewhere')).filter((one) => /\.jsonl?$/.test(one))) {
    const path = join(folder, 'elsewhere', name)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('valid_unseen/', 'elsewhere/'))
  }
}, 60_000)

describe('shaketable compare', () => {
  it('compares the two models of a run, with tables, tasks and a verdict', async () => {
    const { code, stdout, stderr } = await compare('both')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^B compared with A on household\n/)
    expect(stdout).toMatch(/^reader → parrot +none +equal /m)
    expect(stdout).toMatch(/^ +agentrefine-4 +worse /m)
    expect(stdout).toMatch(/^ {2}lost \d of 4 · valid_unseen\//m)
    expect(stdout).toContain(
      '\nB is worse in 2 of 3 cells.\nB is worse on household · reader → parrot · act · agentrefine-1: -',
    )
    expect(stdout.split('\n').every((line) => line.length <= 120)).toBe(true)
  })

  it('gives the same bytes each time, in every format', async () => {
    const formats = ['terminal', 'markdown', 'csv', 'json']
    const print = () => Promise.all(formats.map((format) => compare('both', '--format', format)))
    const first = await print()
    expect(await print()).toEqual(first)
    const [, markdown, csv] = first.map(({ stdout }) => stdout)
    expect(markdown).toMatch(/^\*\*B is worse in 2 of 3 cells\.\*\*\n\n- B is worse on /)
    expect(markdown).toContain('## Tasks that flipped most\n')
    expect(csv).toMatch(/^table,by,environment,model,/)
    expect(csv).toMatch(/\r\ncompare,,household,reader → parrot,act,all,agentrefine-1,pairs-lost,\d+,/)
  })

  it.each([
    [
      'a panel without a task in common',
      ['fewer', 'elsewhere'],
      /^Expected household on the same tasks, but fewer and elsewhere differ: no task in common\. Only results on the same tasks can be compared/,
    ],
    [
      'one run of one model',
      ['some'],
      /^Expected a second run, or which models of some to compare as in --model a=b\. It has the models reader and the agents act\.$/,
    ],
    [
      'a model that is not there',
      ['both', '--model', 'reader=parot'],
      /^Unknown model 'parot'\. Did you mean 'parrot'\?/,
    ],
  ])('reports %s in one line', async (_, args, message) => {
    const { code, stdout, stderr } = await compare(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd()).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
