import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import { summariseRun } from '../../../src/run/find-runs.js'
import { createGrid } from '../../../src/run/grid.js'
import { openFileStore } from '../../../src/run/store/file-store.js'
import { checkRun } from '../../../src/run/store/check-run.js'
import { filesOf } from '../../../src/run/store/run-folder.js'
import { scratchFolder } from '../../scratch.js'
import { doorParts } from '../_fakes.js'

const scratch = scratchFolder()
const grid = createGrid(doorParts(1), '1.0.0')
let runs = 0

/** A run with something odd in the place of a file. */
async function makeOdd(name: 'prompts' | 'trajectories' | 'outcomes' | 'lock', make: (path: string) => void) {
  const files = filesOf(join(scratch, String(runs++)))
  await openRun(files.folder)
  if (name !== 'lock') renameSync(files[name], `${files.folder}-${basename(files[name])}`)
  make(files[name])
  return files
}

async function openRun(folder: string): Promise<void> {
  await (await openFileStore(folder, { plan: grid.plan, experiment: {} })).close()
}

describe.skipIf(process.platform === 'win32')('a run folder from elsewhere', () => {
  it.each(['prompts', 'trajectories', 'outcomes', 'lock'] as const)(
    'is not written through a link as %s',
    async (name) => {
      const elsewhere = join(scratch, `elsewhere-${name}`)
      mkdirSync(elsewhere)
      const other = join(elsewhere, 'other')
      writeFileSync(other, '{"torn')
      const { folder } = await makeOdd(name, (path) => symlinkSync(other, path))
      await expect(openRun(folder)).rejects.toBeInstanceOf(ShaketableError)
      expect([readFileSync(other, 'utf8'), readdirSync(elsewhere)]).toEqual(['{"torn', ['other']])
    },
  )

  it.each<[string, (path: string) => void]>([
    ['FIFO', (path) => execFileSync('mkfifo', [path])],
    ['device', (path) => symlinkSync('/dev/zero', path)],
  ])('neither hangs on a %s nor is read from it', async (_, make) => {
    const { folder } = await makeOdd('outcomes', make)
    expect(summariseRun(folder)).toMatchObject({ state: 'unreadable' })
    expect(() => checkRun(folder)).toThrow(/not a regular file/)
    await expect(openRun(folder)).rejects.toBeInstanceOf(ShaketableError)
  })
})
