import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { reportOf as reportIn, rowsOf, shaketable, start, succeed, untilLines } from './_command.js'

const scratch = scratchFolder()

/** 480 episodes: long enough to be stopped in the middle, short enough for a test. */
const grid =
  '--env household --tasks 40 --perturb agentrefine-2 --model reader,parrot --seeds 3 --temperatures 0'.split(' ')
const planned = 40 * 2 * 2 * 3
const run = (out: string, ...more: string[]) => ['run', ...grid, '--out', out, ...more]
const outcomes = (out: string) => join(scratch, out, 'outcomes.jsonl')
const reportOf = (out: string): Readonly<Record<string, string>> => reportIn(join(scratch, out))
const page = (out: string): string => join(out, 'report', 'report.html')

beforeAll(async () => {
  await succeed(run('whole', '--workers', '0'), scratch)
})

describe('shaketable run', () => {
  it('ends with a summary and the page to open, again where nothing was left to play', async () => {
    const out = await succeed(run('whole'), scratch)
    expect(out.stderr).toBe(`whole has all ${String(planned)} episodes already; nothing is played again.\n`)
    // The output is no terminal, so no line is cut or broken.
    const lines = out.stdout.trimEnd().split('\n')
    expect(lines).toContain('parrot falls from 100 to 0 under agentrefine-2 (go to → move to).')
    expect(lines).toContain('Control models are instruments, not language models: reader, parrot.')
    expect(lines.at(-1)).toBe(`open ${page('whole')}`)
  })

  it('prints one JSON document with --json, and nothing with --quiet', async () => {
    expect(await shaketable(run('whole', '--quiet'), scratch)).toEqual({ code: 0, stdout: '', stderr: '' })
    const { stdout, stderr } = await succeed(run('whole', '--quiet', '--json'), scratch)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ folder: 'whole', page: page('whole'), state: 'complete', exitCode: 0, errors: [] },
      episodes: { planned, stored: planned, played: 0, errors: 0 },
    })
  })

  it('finishes the episodes under way at the first Ctrl-C, reports that, and can be resumed', async () => {
    const { child, ended } = start(run('stopped', '--workers', '2'), scratch)
    await untilLines(outcomes('stopped'), 64)
    child.kill('SIGINT')
    const stopped = await ended
    expect(stopped.code, stopped.stderr).toBe(130)
    expect(stopped.stderr).toMatch(/Stopping: running episodes.* are finished and kept\. Press Ctrl-C again/)
    expect(stopped.stderr).toMatch(/Stopped\. \d+ of 480 episodes are kept in stopped; run the same command again/)
    expect(stopped.stdout.trimEnd().split('\n').at(-1)).toBe(`open ${page('stopped')}`)
    expect(existsSync(join(scratch, 'stopped', 'lock'))).toBe(false)
    await succeed(run('stopped'), scratch)
    expect(reportOf('stopped')).toEqual(reportOf('whole'))
  })

  it('says what each condition costs, at most', async () => {
    const grid = 'run --env household,pddl --suite core --model reader --seeds 1 --temperatures 0 --tasks 2 --dry-run'
    const { stdout, stderr } = await shaketable(grid, scratch)
    expect(stderr).toContain('pddl: left out of the suite: item-style changes nothing there.')
    expect(stdout).toMatch(/^item-style +2 +60 +6,000$/m)
    expect(stdout).toMatch(/^all +86 +2,580 +258,000$/m)
  })
})

describe('shaketable show', () => {
  const show = (...args: string[]) => shaketable(['show', 'whole', ...args], scratch)

  it('shows one episode by a part of its key, with its clean twin beside it', async () => {
    const row = rowsOf(join(scratch, 'whole')).find(
      ({ condition, model, outcome }) => condition === 'agentrefine-2' && model === 'reader' && outcome === 'success',
    )!
    const one = await show(row.key.slice(0, 12))
    expect(one.stdout).toContain(`key ${row.key}`)
    expect(one.stdout).toMatch(/^ +\d+ > move to .*\n {5}= go to /m)
    const pair = await show(row.key, '--twin', '--prompt')
    expect(pair.stdout).toContain('do not diverge: commands and observations of the environment are the same')
    expect(pair.stdout).toMatch(/go to \S+ \d+ +│ +\d+ > move to /)
  })

  it('prints rows, or one episode with its twin, as one JSON document', async () => {
    const list = await show('--only', 'perturb=agentrefine-2,model=parrot', '--limit', '2', '--json')
    const listed = JSON.parse(list.stdout) as { found: number; episodes: { key: string }[] }
    expect(listed).toMatchObject({ folder: 'whole', stored: planned, planned, found: 120, episodes: [{}, {}] })
    const one = await show(listed.episodes[0]!.key, '--twin', '--json')
    expect(JSON.parse(one.stdout)).toMatchObject({
      episode: { row: listed.episodes[0], trajectory: { steps: expect.any(Array) as unknown[] } },
      twin: { row: { condition: 'none' } },
    })
  })
})
