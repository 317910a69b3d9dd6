import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { linesOf, main, reportOf as reportIn, rowsOf, shaketable, start, untilLines } from './_command.js'

const scratch = scratchFolder()

/** 480 episodes: long enough to be stopped in the middle, short enough for a test. */
const grid =
  '--env household --tasks 40 --perturb agentrefine-2 --model reader,parrot --seeds 3 --temperatures 0'.split(' ')
const planned = 40 * 2 * 2 * 3
const run = (out: string, ...more: string[]) => ['run', ...grid, '--out', out, ...more]
const outcomes = (out: string) => join(scratch, out, 'outcomes.jsonl')

const reportOf = (out: string): Readonly<Record<string, string>> => reportIn(join(scratch, out))

const keysOf = (out: string): string[] => rowsOf(join(scratch, out)).map(({ key }) => key)

beforeAll(async () => {
  const whole = await shaketable(run('whole', '--workers', '0'), scratch)
  expect(whole.code, whole.stderr).toBe(0)
})

describe('shaketable run', () => {
  it('ends with a summary of at most 30 lines and the page to open, again where nothing was left to play', async () => {
    const out = await shaketable(run('whole'), scratch)
    expect(out.code).toBe(0)
    expect(out.stderr).toBe(`whole has all ${String(planned)} episodes already; nothing is played again.\n`)
    const lines = out.stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(30)
    // The output is no terminal, so no line is cut or broken.
    expect(lines.slice(0, 3)).toEqual([
      'Primary endpoint: the mean change of success over agentrefine-2 is significant for 1 of 2 models (Holm; intervals are not adjusted): parrot (−100.0 points [−100.0, −82.4]).',
      '1 of 2 models is significantly worse under agentrefine-2.',
      'parrot falls from 100 to 0 under agentrefine-2 (go to → move to).',
    ])
    expect(lines).toContain('All 2 models are control models: instruments, not language models.')
    expect(lines.at(-1)).toBe(`open ${join('whole', 'report', 'report.html')}`)
    expect(Object.keys(reportOf('whole'))).toEqual(expect.arrayContaining(['tables/robustness.md', 'report.html']))
  })

  it('prints one JSON document with --json, and nothing with --quiet', async () => {
    const quiet = await shaketable(run('whole', '--quiet'), scratch)
    expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' })
    const { code, stdout, stderr } = await shaketable(run('whole', '--quiet', '--json'), scratch)
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      folder: 'whole',
      page: join('whole', 'report', 'report.html'),
      state: 'complete',
      exitCode: 0,
      episodes: { planned, stored: planned, played: 0, errors: 0 },
      errors: [],
      results: [{ model: 'parrot', families: [{ family: 'agentrefine-2' }] }, { model: 'reader' }],
    })
    const dry = await shaketable(run('whole', '--dry-run', '--json'), scratch)
    expect(JSON.parse(dry.stdout)).toMatchObject({
      folder: 'whole',
      episodes: planned,
      conditions: [{ condition: 'none', episodes: planned / 2 }, { condition: 'agentrefine-2' }],
    })
  })

  it('gives the same bytes on several cores', async () => {
    const { code, stderr } = await shaketable(run('threads', '--workers', '2'), scratch)
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(
      /^Playing 480 episodes into threads\.\n(?:\d+% · \d+ of 480 .*\n)*100% · 480 of 480 episodes · [\d.,]+\/s\n$/,
    )
    expect(reportOf('threads')).toEqual(reportOf('whole'))
    expect(linesOf(outcomes('threads')).sort()).toEqual(linesOf(outcomes('whole')).sort())
    const trajectories = (out: string) => linesOf(join(scratch, out, 'trajectories.jsonl')).sort()
    expect(trajectories('threads')).toEqual(trajectories('whole'))
  })

  it('is complete after being killed repeatedly, with every episode once', async () => {
    for (const [round, workers] of ['0', '2', '0'].entries()) {
      const { child, ended } = start(run('killed', '--workers', workers), scratch)
      await untilLines(outcomes('killed'), 65 * (round + 1))
      child.kill('SIGKILL')
      await ended
      expect(linesOf(outcomes('killed')).length).toBeLessThan(planned)
    }
    const last = await shaketable(run('killed'), scratch)
    expect(last.code, last.stderr).toBe(0)
    expect(last.stderr).toMatch(/killed has \d+ of 480 episodes; playing the rest\./)
    expect(reportOf('killed')).toEqual(reportOf('whole'))
    expect(new Set(keysOf('killed')).size).toBe(planned)
    expect(keysOf('killed').length).toBe(planned)
  })

  it('finishes the episodes under way at the first Ctrl-C, reports that, and can be resumed', async () => {
    const { child, ended } = start(run('stopped', '--workers', '2'), scratch)
    await untilLines(outcomes('stopped'), 64)
    child.kill('SIGINT')
    const stopped = await ended
    expect(stopped.code, stopped.stderr).toBe(130)
    expect(stopped.stderr).toContain(
      'Stopping: running episodes are finished and kept. Press Ctrl-C again to leave at once.\n',
    )
    expect(stopped.stderr).toMatch(
      /Stopped\. \d+ of 480 episodes are kept in stopped; run the same command again to go on\.\n$/,
    )
    expect(stopped.stdout.trimEnd().split('\n').at(-1)).toBe(`open ${join('stopped', 'report', 'report.html')}`)
    expect(existsSync(join(scratch, 'stopped', 'lock'))).toBe(false)
    expect(linesOf(outcomes('stopped')).length).toBeLessThan(planned)
    expect((await shaketable(run('stopped'), scratch)).code).toBe(0)
    expect(reportOf('stopped')).toEqual(reportOf('whole'))
  })

  it('refuses a second writer while the first is running', async () => {
    const first = start(run('shared', '--workers', '0'), scratch)
    await untilLines(outcomes('shared'), 1)
    // It is paused, so that it does not end before the second has started.
    first.child.kill('SIGSTOP')
    const second = await shaketable(run('shared'), scratch)
    first.child.kill('SIGCONT')
    expect(second.code).toBe(2)
    expect(second.stderr).toMatch(new RegExp(`^Another writer holds this run: process ${String(first.child.pid)} on `))
    expect((await first.ended).code).toBe(0)
    expect(reportOf('shared')).toEqual(reportOf('whole'))
  })

  it('reports in one sentence that it cannot write any more, and loses nothing that was written', async () => {
    const limited = spawnSync('sh', ['-c', `ulimit -f 900; exec "$@"`, 'sh', process.execPath, main, ...run('full')], {
      cwd: scratch,
      encoding: 'utf8',
    })
    expect(limited.status).toBe(2)
    expect(limited.stderr).toMatch(
      /\nCannot write to full\S* \(E\w+: .*\)\. .*run the same command again; what is written is kept\.\n$/,
    )
    expect(linesOf(outcomes('full')).length).toBeLessThan(planned)
    const more = await shaketable(run('full'), scratch)
    expect(more.code, more.stderr).toBe(0)
    expect(reportOf('full')).toEqual(reportOf('whole'))
  })

  it.each(['outcomes.jsonl', ''])(
    'exits with 2 and one sentence when its %j is removed while it runs',
    async (name) => {
      const { ended } = start(run('removed', '--workers', '0'), scratch)
      await untilLines(outcomes('removed'), 65)
      rmSync(join(scratch, 'removed', name), { recursive: true })
      const { code, stderr } = await ended
      rmSync(join(scratch, 'removed'), { recursive: true, force: true })
      expect(code, stderr).toBe(2)
      expect(stderr).toMatch(
        /\nCannot write to removed\S*: it was removed, replaced or changed while it was being written\. .*\n$/,
      )
      expect(stderr).not.toMatch(/^ +at /m)
    },
  )

  it('refuses an experiment that would change its episodes, and shows the difference', async () => {
    const before = readFileSync(outcomes('whole'), 'utf8')
    const other = await shaketable([...run('whole'), '--seeds', '4', '--steps', '20'], scratch)
    expect(other.code).toBe(2)
    expect(other.stderr).toMatchInlineSnapshot(`
      "whole holds another experiment:
        stepLimit: was 30, is 20
      These settings decide its episodes. Give --out another folder, or leave them as they were; a run only takes more of what it has, such as seeds, tasks, conditions and models.
      "
    `)
    expect(readFileSync(outcomes('whole'), 'utf8')).toBe(before)
  })

  it('says what each condition costs at most', async () => {
    const grid = 'run --env household,pddl --suite core --model reader --seeds 1 --temperatures 0'.split(' ')
    const first = await shaketable([...grid, '--tasks', '2', '--dry-run'], scratch)
    expect(first.stderr).toContain('pddl: left out of the suite: item-style changes nothing there.')
    expect(first.stdout).toMatch(/^item-style +2 +60 +6,000$/m)
    expect(first.stdout).toMatch(/^all +86 +2,580 +258,000$/m)
    expect(first.stdout).toContain('play a few (--max episodes=50)')
  })
})

describe('shaketable show', () => {
  const show = (...args: string[]) => shaketable(['show', 'whole', ...args], scratch)

  it('shows one episode by a part of its key, with its clean twin beside it', async () => {
    const rows = rowsOf(join(scratch, 'whole'))
    const row = rows.find(
      ({ column, model, outcome }) => column === 'agentrefine-2' && model === 'reader' && outcome === 'success',
    )!
    const one = await show(row.key.slice(0, 12))
    expect(one.stdout).toContain(`key ${row.key}`)
    expect(one.stdout).toMatch(/^ +\d+ > move to .*\n {5}= go to /m)
    expect(one.stdout).toContain('--prompt shows it')
    const pair = await show(row.key, '--twin', '--prompt')
    expect(pair.stdout).toContain('do not diverge: commands and observations of the environment are the same')
    expect(pair.stdout).toMatch(/go to \S+ \d+ +│ +\d+ > move to /)
  })

  it('prints rows, or one episode with its twin, as one JSON document', async () => {
    const list = await show('--column', 'agentrefine-2', '--model', 'parrot', '--limit', '2', '--json')
    const listed = JSON.parse(list.stdout) as { found: number; episodes: { key: string }[] }
    expect(listed).toMatchObject({ folder: 'whole', stored: planned, planned, found: 120 })
    expect(listed.episodes).toHaveLength(2)
    const one = await show(listed.episodes[0]!.key, '--twin', '--json')
    expect([one.code, one.stderr]).toEqual([0, ''])
    expect(JSON.parse(one.stdout)).toMatchObject({
      folder: 'whole',
      episode: { row: listed.episodes[0], trajectory: { steps: expect.any(Array) as unknown[] } },
      twin: { row: { column: 'none' } },
    })
  })
})
