import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { fakeJava, makeJar } from '../environments/scienceworld/fake.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf, reportOf, shaketable, start } from './_command.js'

const scratch = scratchFolder()
const set = (option: string, value: string) => ['--set', `scienceworld.${option}=${value}`]
const engine = (mode?: string) => [
  ...set('jar', makeJar(scratch, mode === undefined ? {} : { mode })),
  ...set('java', fakeJava),
]
const living = 'find-living-thing/225'

describe('ScienceWorld on the command line', () => {
  it('is played by an oracle, and captions say what counts', async () => {
    const run = ['run', '--env', 'scienceworld', ...engine(), '--tasks', living, '--model', 'oracle', '--seeds', '1']
    const { code, stdout } = await shaketable([...run, '--perturb', 'scienceworld-1', '--out', 'run'], scratch)
    expect([code, stdout.includes('Unexpected')]).toEqual([0, false])
    const rows = rowsOf(join(scratch, 'run'))
    expect(rows.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'success'))
    expect(rows.length).toBeGreaterThanOrEqual(2)
    expect(reportOf(join(scratch, 'run'))['tables/main.md']).toContain("the score of ScienceWorld's engine 1.3.0")
  })

  it('ends its engine and removes its folder however it ends itself', async () => {
    const folder = join(scratch, 'tmp-kill')
    mkdirSync(folder)
    const run = start(
      [
        'run',
        '--env',
        'scienceworld',
        ...engine('hang inventory'),
        '--tasks',
        living,
        ...'--model random --out kill'.split(' '),
      ],
      scratch,
      { TMPDIR: folder },
    )
    let pid = 0
    for (let tries = 0; pid === 0 && tries < 200; tries++) {
      await sleep(50)
      const own = readdirSync(folder).find((name) => name.startsWith('shaketable-scienceworld-'))
      const file = own === undefined ? undefined : join(folder, own, 'object_type_ids.tsv')
      if (file !== undefined && existsSync(file)) pid = Number(readFileSync(file, 'utf8'))
    }
    expect(pid).toBeGreaterThan(0)
    run.child.kill('SIGKILL')
    await run.ended
    const isAlive = () => spawnSync('kill', ['-0', String(pid)]).status === 0
    for (let tries = 0; tries < 100 && (isAlive() || readdirSync(folder).length > 0); tries++) await sleep(50)
    expect([isAlive(), readdirSync(folder)]).toEqual([false, []])
  })
})
