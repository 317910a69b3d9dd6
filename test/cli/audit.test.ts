import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Audit } from '../../src/audit/audit.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const folder = scratchFolder()

beforeAll(() => {
  const head = 'table,model,setting,environment,perturbation,metric,value,std'
  writeFileSync(
    join(folder, 'mine.csv'),
    [
      head,
      'T,m\u001b[31m,,kitchen,none,success,50.5,',
      'T,m\u001b[31m,,kitchen,none,progress,40.5,',
      'T,m,,kitchen,none,success,abc,',
      'T,<b>|m,,kitchen,none,success,33.3,',
      '',
    ].join('\n'),
  )
  writeFileSync(join(folder, 'fine.csv'), `${head}\nT,m,,kitchen,none,success,50.0,\n`)
  writeFileSync(join(folder, 'board.csv'), `${head}\nT,m,,alfworld,none,success,64.3,\n`)
  writeFileSync(join(folder, 'other.csv'), 'name,score\nm,5\n')
  writeFileSync(join(folder, 'empty.csv'), '')
  writeFileSync(join(folder, 'huge.csv'), '')
  truncateSync(join(folder, 'huge.csv'), 60 * 2 ** 20)
  mkdirSync(join(folder, 'folder.csv'))
})

describe('shaketable audit', () => {
  it('audits the published results if no file is given, from any folder', async () => {
    const { code, stdout, stderr } = await shaketable(['audit'], folder)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^559 figures in 12 tables of the results that AgentRefine \(arXiv 2501\.01702\) printed\n/)
    expect(stdout).toContain('Contradictions: printed figures and known facts that cannot all be true (12)')
    expect(stdout).toMatch(/^averages +16 +16 +0 +is a printed average/m)
    expect(stdout).toMatch(/^deviations +16 +2 +0 /m)
    expect(stdout.split('\n').every((line) => line.length <= 130)).toBe(true)
  })

  it('prints everything as JSON, the same each time', async () => {
    const [one, again] = await Promise.all([1, 2].map(() => shaketable(['audit', '--format', 'json'], folder)))
    expect(again).toEqual(one)
    const { checks, scores, schema } = JSON.parse(one!.stdout) as Audit
    expect(schema).toBe(1)
    expect(
      checks.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'contradiction'),
    ).toHaveLength(12)
    expect(scores.find(({ model, metric }) => model === 'GPT-4o' && metric === 'success')!.all).toBeCloseTo(52.4, 1)
  })

  it('prints a page of Markdown with the weighted scores', async () => {
    const { code, stdout } = await shaketable(['audit', '--format', 'markdown'], folder)
    expect(code).toBe(0)
    expect(stdout).toContain('| deviations | is a printed deviation the standard')
    expect(stdout).toContain('| Table | Model | Metric | All | alfworld + babyai')
    expect(stdout).toMatch(
      /\| T1-main \| AgentGym \(base=LLaMA-3-8B; decode=greedy\) \| success \| [\d. |]+ \| pddl, jericho \|/,
    )
  })

  it("audits a user's own file, and no model name acts on the terminal", async () => {
    const { code, stdout, stderr } = await shaketable(['audit', 'mine.csv', '--tasks', 'kitchen=3', '--strict'], folder)
    expect(code).toBe(1)
    expect(stderr).toBe('mine.csv:4: Expected a number in the column value, got "abc".\n')
    expect(stdout).toContain('line 3    T: m\\x1b[31m, kitchen, progress is printed as 40.5, below a success of 50.5.')
    expect(stdout).toContain('50.5, which is not a whole number of 3')
    expect(stdout).not.toContain('\u001b')
    const markdown = await shaketable(['audit', 'mine.csv', '--tasks', 'kitchen=20', '--format', 'markdown'], folder)
    expect(markdown).toMatchObject({ code: 0, stderr: '' })
    expect(markdown.stdout).toContain('- line 5: T: &lt;b>\\|m, kitchen, success is printed as 33.3')
    expect(markdown.stdout).toContain('- line 4: Expected a number in the column value')
  })

  it.each([
    ['no contradiction', ['fine.csv'], 0],
    ['a rate that no count of 3 tasks gives', ['fine.csv', '--tasks', 'kitchen=3'], 1],
    ['an unknown environment', ['fine.csv', '--tasks', 'elsewhere=3'], 0],
    [
      'a rate that no count of 3 tasks gives with one seed, but one does with two',
      ['fine.csv', '--tasks', '3', '--seeds', '2'],
      0,
    ],
    ["a rate that no count of AgentBoard's 134 tasks gives", ['board.csv'], 0],
    ['a rate that no count of the 134 given tasks gives', ['board.csv', '--tasks', '134'], 1],
    ['a rate that a count of the given tasks gives', ['board.csv', '--tasks', 'alfworld=140,20'], 0],
  ])('exits with the right code under --strict: %s', async (_, args, expected) => {
    expect((await shaketable(['audit', ...args, '--strict'], folder)).code).toBe(expected)
  })

  it.each([
    [
      'a file that is missing',
      ['nowhere.csv'],
      /^The file of results nowhere\.csv cannot be read: there is no such file\. Check the path\.$/,
    ],
    [
      'a folder',
      ['folder.csv'],
      /^The file of results folder\.csv cannot be read: it is a folder, not a regular file\./,
    ],
    ['a file that is too large', ['huge.csv'], /huge\.csv cannot be read: it has more than 52,428,800 bytes\./],
    [
      'other columns',
      ['other.csv'],
      /^other\.csv:1: Expected a first line that names the columns table, model, .* Nothing can be audited;/,
    ],
    [
      'an empty file',
      ['empty.csv'],
      /^empty\.csv:1: Expected a first line .* got an empty file\. Nothing can be audited;/,
    ],
    ['an unknown format', ['--format', 'jsn'], /^Unknown format 'jsn'\. Did you mean 'json'\?/],
    [
      'tasks that are not a number',
      ['--tasks', 'kitchen=many'],
      /^--tasks: expected each environment once .* got 'kitchen=many'\.$/,
    ],
    ['two numbers for all others', ['--tasks', '3,4'], /^--tasks: expected each environment once .* got '4'\.$/],
    [
      'seeds that are not a number',
      ['--seeds', '0'],
      /^--seeds: expected a whole number from 1 to 1,000,000, got '0'\.$/,
    ],
    ['an environment twice', ['--tasks', 'a=1,a=2'], /^--tasks: expected each environment once .* got 'a=2'\.$/],
  ])('reports %s in one line', async (_, args, message) => {
    const { code, stdout, stderr } = await shaketable(['audit', ...args], folder)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trimEnd()).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
