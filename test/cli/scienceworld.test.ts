import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeJava, makeJar } from '../environments/scienceworld/fake.js'
import { scratchFolder } from '../scratch.js'
import { reportOf, rowsOf, shaketable, start } from './_command.js'

const scratch = scratchFolder()
const run = (mode?: string): string[] => {
  const options = { jar: makeJar(scratch, mode === undefined ? {} : { mode }), java: fakeJava }
  const set = Object.entries(options).flatMap(([name, value]) => ['--set', `scienceworld.${name}=${value}`])
  return [...'run --env scienceworld --tasks find-living-thing/225 --seeds 1'.split(' '), ...set]
}

describe('ScienceWorld on the command line', () => {
  it('is played by an oracle, and captions say what counts', async () => {
    const grid = '--model oracle --perturb scienceworld-1 --out run'.split(' ')
    const { code, stdout } = await shaketable([...run(), ...grid], scratch)
    expect([code, stdout.includes('Unexpected')]).toEqual([0, false])
    expect(new Set(rowsOf(join(scratch, 'run')).map(({ outcome }) => outcome))).toEqual(new Set(['success']))
    expect(reportOf(join(scratch, 'run'))['tables/main.md']).toContain("the score of ScienceWorld's engine 1.3.0")
  })

  it('ends its engine and removes its folder however it ends itself', async () => {
    const folder = join(scratch, 'tmp-kill')
    mkdirSync(folder)
    const args = [...run('hang inventory'), '--model', 'random', '--out', 'kill']
    const { child, ended } = start(args, scratch, { TMPDIR: folder })
    const pidOf = (): number => {
      const own = readdirSync(folder).find((name) => name.startsWith('shaketable-scienceworld-')) ?? ''
      const file = join(folder, own, 'object_type_ids.tsv')
      return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
    }
    await expect.poll(pidOf, { timeout: 20_000 }).toBeGreaterThan(0)
    const pid = pidOf()
    child.kill('SIGKILL')
    await ended
    const left = () => [spawnSync('kill', ['-0', String(pid)]).status === 0, readdirSync(folder)]
    await expect.poll(left, { timeout: 20_000 }).toEqual([false, []])
  })
})
