import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const scratch = scratchFolder()

describe('an input that never arrives', () => {
  it('in a module of a plug-in is reported, with exit code 2', async () => {
    writeFileSync(
      join(scratch, 'never.mjs'),
      "await new Promise(() => {}); export default { name: 'never', promise: 'invariant', open: () => ({}) }",
    )
    const { code, stderr } = await shaketable(['validate', '--plugin', 'never.mjs'], scratch)
    expect([code, stderr]).toEqual([
      2,
      'The plug-in never.mjs cannot be loaded: it waits (await) for something that never happens. Remove that await.\n',
    ])
  })

  it.skipIf(process.platform === 'win32').each([
    ['--prices', '/dev/zero', /is a device, not a regular file/],
    ['--prices', 'fifo', /is a FIFO, not a regular file/],
    ['--out', '/proc/x', /^Cannot write to \/proc\/x/],
  ])('%s %s is refused in one sentence', async (flag, path, sentence) => {
    if (path === 'fifo') execFileSync('mkfifo', [join(scratch, path)])
    const args = ['run', '--env', 'household', '--tasks', '1', '--seeds', '1', flag, path]
    const { code, stderr } = await shaketable(args, scratch)
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)])
  })
})
