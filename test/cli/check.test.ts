import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { thisProcess } from '../../src/files/lock.js'
import { checkSchema } from '../../src/results/gate/check.js'
import { filesOf } from '../../src/run/store/run-folder.js'
import { scratchFolder } from '../scratch.js'
import { argumentsIn } from '../docs/_commands.js'
import { type Ended, shaketable, succeed } from './_command.js'

const scratch = scratchFolder()

/** A control model on 75 tasks, in the original wording and in one that it may not understand. */
const play = 'run --env household --tasks 75 --perturb agentrefine-2 --temperatures 1'
const check = (run: string, options: string): Promise<Ended> =>
  shaketable(`check ${run} --baseline baselines/reader.json ${options}`.trim(), scratch)
const read = (name: string): string => readFileSync(join(scratch, name), 'utf8')

beforeAll(async () => {
  await succeed(`${play} --model reader --seeds 4 --out reader`, scratch)
  await succeed(`${play} --model parrot --seeds 2 --out parrot`, scratch)
  mkdirSync(join(scratch, 'baselines'))
  expect(await check('reader', '--update-baseline --why first')).toEqual({
    ...{ code: 0, stderr: '' },
    stdout:
      'Wrote baselines/reader.json: 75 tasks, 2 cells, the first of its history. Look through its diff and commit it.\n',
  })
}, 180_000)

describe('shaketable check', () => {
  it('passes if nothing changed, and writes every output file', async () => {
    const outputs = '--junit junit.xml --json check.json --summary check.md'
    const { code, stdout, stderr } = await check('reader', outputs)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/\nPASS \(exit code 0\): 2 of 2 cells passed\.\n$/)
    expect(read('junit.xml')).toContain(
      '<testsuites name="shaketable check" tests="152" failures="0" errors="0" skipped="0" time="0">',
    )
    expect(read('check.md')).toMatch(/^# shaketable check: PASS\n/)
    const result = checkSchema.parse(JSON.parse(read('check.json')))
    expect(result).toMatchObject({ verdict: 'pass', code: 0, baseline: { why: 'first' } })
    expect(result.cells.map(({ difference }) => difference!.estimate)).toEqual([0, 0])
    expect(readdirSync(scratch).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('fails if something got worse, and lists the tasks', async () => {
    const { code, stdout } = await check('parrot', '--json worse.json')
    expect(code).toBe(1)
    expect(stdout).toMatch(/\nREGRESSION \(exit code 1\): 1 of 2 cells got worse\.\n$/)
    expect(stdout).toContain('household · reader → parrot · act · agentrefine-2: fail. Got worse: ')
    expect(stdout).toMatch(/^reader → parrot +act +none +pass /m)
    expect(stdout).toMatch(/\n {2}lost valid_unseen\/\S+: 2\/2 → 0\/2\n/)
    const { cells } = checkSchema.parse(JSON.parse(read('worse.json')))
    expect(cells.map(({ verdict, moved }) => [verdict, moved])).toEqual([
      ['pass', undefined],
      ['fail', 'worse'],
    ])
  })

  it('refuses a run that was stopped or is being written', async () => {
    const stopped = await shaketable(`${play} --model reader --seeds 1 --max episodes=5 --out short`, scratch)
    expect(stopped.code).toBe(4)
    const { code, stdout } = await check('short', '')
    expect(code).toBe(4)
    expect(stdout.replaceAll('\n  ', ' ')).toMatch(
      /BROKEN \(exit code 4\): The run was stopped before everything was played \(The budget of this session is used up \(--max episodes=5\)\. 5 of 150 episodes are stored\)\. Run the same command/,
    )
    const { lock } = filesOf(join(scratch, 'reader'))
    writeFileSync(lock, JSON.stringify(thisProcess()))
    const writing = await check('reader', '')
    const self = await shaketable(['check', 'reader', '--self'], scratch)
    rmSync(lock)
    expect(writing.code).toBe(4)
    expect(writing.stdout).toContain('The run is still being written (600 of 600 episodes are stored).')
    expect(self).toMatchObject({ code: 4, stdout: '' })
  })
})

describe('shaketable check --self', () => {
  it('raises no more false alarms than alpha on the embedded environment, the same each time', async () => {
    const { code, stdout } = await shaketable(['check', 'reader', '--self'], scratch)
    expect(code).toBe(0)
    expect(stdout.replace(/\n +/g, ' ')).toContain(
      "200 random splits of the run's repeats into two halves of 2 seeds, one checked against the other.",
    )
    expect(stdout.replace(/\n +/g, ' ')).toMatch(
      /\nAll 2 cells together, at 2 seeds a side: pass .* false alarm 0\.0 % \[0\.0, \d+\.\d\], inconclusive .*\nThat is within the 5\.0 % of false alarms/,
    )
    expect((await shaketable(['check', 'reader', '--self'], scratch)).stdout).toBe(stdout)
  })
})

describe('docs/ci.md', () => {
  const page = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8')
  const blocks = (head: string): string[] =>
    [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text]) => (name === head ? [text!] : []))

  it('has an example in which an unchanged model passes in at least 95 % of runs, as check, power and check --self say', async () => {
    const folder = join(scratch, 'clone')
    mkdirSync(folder)
    writeFileSync(join(folder, 'robustness.yaml'), blocks('yaml [robustness.yaml]')[0]!)
    const perform = async (line: string): Promise<string> => {
      return (await succeed(argumentsIn(line)[0]!, folder)).stdout
    }
    const commands = blocks('sh').flatMap((block) => block.trim().split('\n'))
    expect(commands.map((line) => line.split(' ')[1])).toEqual(['run', 'check', 'check', 'run', 'power'])
    const said: string[] = []
    for (const line of commands) said.push(await perform(line))
    expect(said[2]).toContain('PASS (exit code 0)')
    expect(said[4]).toContain(blocks('text')[0])
    const [margin, sentence] = [
      /--margin \S+/.exec(commands[2]!)![0],
      /^An unchanged model passes .* in (.*) % of runs/m,
    ]
    const own = [
      said[2]!,
      await perform(`shaketable power runs/robustness ${margin}`),
      await perform(`shaketable check runs/robustness --self ${margin}`),
    ]
    const figures = own.map((text) => Number(sentence.exec(text)![1]))
    expect(figures[0]).toBeGreaterThanOrEqual(95)
    expect(figures).toEqual(figures.map(() => figures[0]))
    expect(own[1]!.replace(/\s+/g, ' ')).toContain('That is enough to pass unchanged in at least 95 % of runs')
    // The pilot asks for as many seeds as the example has.
    expect(/It takes (\d+) seeds/.exec(said[4]!)![1]).toBe(
      /^seeds: (\d+)$/m.exec(blocks('yaml [robustness.yaml]')[0]!)![1],
    )
  }, 480_000)
})
