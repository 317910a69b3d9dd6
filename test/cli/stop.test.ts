import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable, start } from './_command.js'

const scratch = scratchFolder()

/** A run with a plug-in whose hook never returns from a certain call on, and leaves a file as a sign. */
async function hang(name: string, workers: string, calls: number) {
  writeFileSync(
    join(scratch, `${name}.mjs`),
    `import { writeFileSync } from 'node:fs'
    let called = 0
    const text = (pieces) => {
      if (++called > ${String(calls)}) { writeFileSync('${name}.hung', ''); for (;;); }
      return pieces
    }
    export default { name: 'endless', promise: 'invariant', open: () => ({ text }) }`,
  )
  const grid = 'run --env household --tasks 2 --seeds 2 --perturb endless'.split(' ')
  const running = start([...grid, '--workers', workers, '--plugin', `${name}.mjs`, '--out', name], scratch)
  while (!existsSync(join(scratch, `${name}.hung`)) && running.child.exitCode === null) await setTimeout(20)
  return running
}

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  it.each([
    ['0', 0],
    ['1', 40],
  ])('stops an endless hook at the second signal, with %s workers', async (workers, calls) => {
    const { child, ended } = await hang(`second-${workers}`, workers, calls)
    child.kill('SIGINT')
    await setTimeout(300)
    child.kill('SIGINT')
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([130, expect.stringMatching(/Ended at once|leave at once|Interrupted/)])
  })

  it('stops an unresponsive command a few seconds after the first signal', async () => {
    const { child, ended } = await hang('once', '0', 0)
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([130, expect.stringMatching(/Ended at once, since the command did not react/)])
  })
})

it('an input that never arrives in a module of a plug-in is reported, with exit code 2', async () => {
  const text = "await new Promise(() => {}); export default { name: 'never', promise: 'invariant', open: () => ({}) }"
  writeFileSync(join(scratch, 'never.mjs'), text)
  const { code, stderr } = await shaketable(['validate', '--plugin', 'never.mjs'], scratch)
  expect(code).toBe(2)
  expect(stderr).toContain('The plug-in never.mjs waits for something that never happens')
})
