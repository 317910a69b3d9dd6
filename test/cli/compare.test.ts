import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Comparison } from '../../src/compare/compare.js'
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

  it('finds a run equal to itself', async () => {
    const { code, stdout } = await compare('both', 'both')
    expect(code).toBe(0)
    expect(stdout).toMatch(/\nA and B are equal on every pair\.\nEqual on every pair in all 6 cells\.\n$/)
    expect(stdout).not.toContain('Tasks that flipped most')
  })

  it('pairs what two runs have in common and reports the rest', async () => {
    const { code, stdout } = await compare('both', 'some')
    expect(code).toBe(0)
    for (const note of [
      'Only in both: model parrot.',
      'Only in both: column agentrefine-4.',
      "The seeds are not the same, 3 seeds (1, 2, 3) in both and 3 seeds (2, 3, 4) in some: a task's mean over its seeds is compared with its mean over the others, with the task as the cluster.",
    ])
      expect(stdout.replace(/\n +/g, ' ')).toContain(`note: ${note}\n`)
    expect(stdout).toContain('A is both (shaketable')
    expect(stdout).toContain('A and B cannot be told apart.')
  })

  it('pairs models of different names as asked', async () => {
    const { stdout } = await compare('both', 'some', '--model', 'parrot=reader', '--format', 'json')
    const { cells, verdict } = JSON.parse(stdout) as Comparison & { readonly verdict: string }
    expect(cells.map(({ model, column, pairs }) => [model.first, model.second, column, pairs])).toEqual([
      ['parrot', 'reader', 'none', 80],
      ['parrot', 'reader', 'agentrefine-1', 80],
    ])
    expect(verdict).toBe('B is better in 1 of 2 cells.')
  })

  it('compares the tasks that two runs have in common, and reports how many are left out', async () => {
    const { code, stdout } = await compare('both', 'fewer')
    expect(code).toBe(0)
    expect(stdout.replace(/\n +/g, ' ')).toMatch(
      /\nnote: household: compared on the 9 tasks that both have; left out are 1 of both \(valid_unseen\/\S+\) and 0 of fewer\.\n/,
    )
  })

  it('gives the same bytes each time, in every format', async () => {
    const formats = ['terminal', 'markdown', 'csv', 'json']
    const print = () => Promise.all(formats.map((format) => compare('both', '--format', format)))
    const first = await print()
    expect(await print()).toEqual(first)
    const [, markdown, csv] = first.map(({ stdout }) => stdout)
    expect(markdown).toMatch(/^\*\*B is worse in 2 of 3 cells\.\*\*\n\n- B is worse on /)
    expect(markdown).toContain('## Tasks that flipped most\n')
    expect(csv).toMatch(/^table,environment,model,/)
    expect(csv).toMatch(/\r\ncompare,household,reader → parrot,act,all,agentrefine-1,pairs-lost,\d+,/)
  })

  it('lists as many tasks as requested', async () => {
    const [none, one] = await Promise.all(['0', '1'].map((most) => compare('both', '--flips', most)))
    expect(none!.stdout).not.toContain('Tasks that flipped')
    expect(one!.stdout.match(/^ {2}lost /gm)).toHaveLength(2)
    expect(one!.stdout).toMatch(/^ {2}… and \d+ more$/m)
  })

  it('leaves out a perturbation of another version, and reports other limits and settings', async () => {
    cpSync(join(folder, 'some'), join(folder, 'changed'), { recursive: true })
    const path = join(folder, 'changed', 'plan.json')
    const file = JSON.parse(readFileSync(path, 'utf8')) as {
      plan: { stepLimit: number; columns: { perturbations: { version: string }[] }[]; models: { settings: object }[] }
    }
    file.plan.stepLimit = 29
    file.plan.columns[1]!.perturbations[0]!.version = '99'
    file.plan.models[0]!.settings = { skill: 'other' }
    writeFileSync(path, JSON.stringify(file))
    const { code, stdout } = await compare('some', 'changed')
    expect(code).toBe(0)
    const text = stdout.replace(/\n +/g, ' ')
    expect(text).toContain(
      'note: changed: The column agentrefine-1 of household is left out: it is a different perturbation, or a different version of it, than in some.',
    )
    expect(text).toContain('note: changed: The settings of the model reader differ from those of some.')
    expect(text).toContain('note: changed: Played with at most 29 steps an episode, not 30.')
    expect(text).toContain('Without a pair in the only cell.')
  })

  it.each([
    [
      'a panel without a task in common',
      ['fewer', 'elsewhere'],
      /^Expected household on the same tasks, but fewer and elsewhere differ: no task in common\. Only results on the same tasks can be compared/,
    ],
    ['nothing in common', ['both', 'some', '--agent', 'act=react'], /^Unknown agent 'react'/],
    ['a run that is missing', ['both', 'nowhere'], /^Expected a run folder with a plan\.json, but nowhere has none/],
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
    ['one model only', ['both', '--model', 'reader'], /^--model: expected two names as in old=new, got 'reader'\.$/],
    ['an unknown metric', ['both', '--metric', 'sucess'], /^Unknown metric 'sucess'\. Did you mean 'success'\?/],
    ['an unknown format', ['both', '--format', 'latex'], /^Unknown format 'latex'\./],
    [
      'flips that are not a number',
      ['both', '--flips', 'all'],
      /^--flips: expected a whole number from 0 to 999,999, got 'all'\.$/,
    ],
  ])('reports %s in one line', async (_, args, message) => {
    const { code, stdout, stderr } = await compare(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd()).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
