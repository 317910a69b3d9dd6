import { execFileSync, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { main, shaketable, start } from './_command.js'

const scratch = scratchFolder()

/** A plug-in with a hook that never returns from a certain call on, and leaves a file as a sign. */
function endless(name: string, calls: number): string {
  const path = join(scratch, `${name}.mjs`)
  writeFileSync(
    path,
    `import { writeFileSync } from 'node:fs'
    let called = 0
    const text = (pieces) => {
      if (++called > ${String(calls)}) { writeFileSync('${name}.hung', ''); for (;;); }
      return pieces
    }
    export default { name: 'endless', promise: 'invariant', open: () => ({ text }) }`,
  )
  return path
}

const ran = (workers: string): string[] =>
  `run --env household --tasks 2 --seeds 2 --perturb endless --workers ${workers} --plugin`.split(' ')

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  it.each([
    ['before anything is played', ran('0'), 0, ''],
    ['while the command itself plays', ran('0'), 40, ''],
    ['while another thread plays', ran('1'), 40, ''],
    [
      'replays lists of actions',
      ['play', 'household', '--batch', '--perturb', 'endless', '--plugin'],
      0,
      '{"id": 1, "task": "TASK", "actions": []}\n',
    ],
  ])('stops an endless hook at the second signal: %s', async (name, args, calls, input) => {
    const title = name.replaceAll(' ', '-')
    const plugin = endless(title, calls)
    const child = spawn(process.execPath, [main, ...args, plugin, ...(args[0] === 'run' ? ['--out', title] : [])], {
      cwd: scratch,
      stdio: 'pipe',
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.stdout.resume()
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
    child.stdin.end(input.replace('TASK', taskOf()))
    while (!existsSync(join(scratch, `${title}.hung`)) && child.exitCode === null) await setTimeout(20)
    child.kill('SIGINT')
    await setTimeout(300)
    child.kill('SIGINT')
    const giveUp = new AbortController()
    const late = setTimeout(30_000, 'still runs', { signal: giveUp.signal })
    const end = await Promise.race([ended, late])
    giveUp.abort()
    await late.catch(() => undefined)
    child.kill('SIGKILL')
    expect([end, said]).toEqual([130, expect.stringMatching(/Ended at once|leave at once|Interrupted/)])
  })

  it('stops an unresponsive command a few seconds after the first signal', async () => {
    const plugin = endless('once', 0)
    const { child, ended } = start([...ran('0'), plugin, '--out', 'once'], scratch)
    while (!existsSync(join(scratch, 'once.hung')) && child.exitCode === null) await setTimeout(20)
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([
      130,
      expect.stringMatching(/(?:^|\n)Ended at once, since the command did not react. What is written is kept.\n$/),
    ])
  })
})

let task = ''
function taskOf(): string {
  task ||= execFileSync(process.execPath, [main, 'play', 'household', '--list'], { encoding: 'utf8' })
    .split('\n')[0]!
    .trim()
    .split(/\s+/)[1]!
  return task
}

describe('an input that never arrives', () => {
  it('in a module of a plug-in is reported, with exit code 2', async () => {
    writeFileSync(
      join(scratch, 'never.mjs'),
      "await new Promise(() => {}); export default { name: 'never', promise: 'invariant', open: () => ({}) }",
    )
    const { code, stderr } = await shaketable(['validate', '--plugin', 'never.mjs'], scratch)
    expect(code).toBe(2)
    expect(stderr).toContain('The plug-in never.mjs waits for something that never happens')
  })
})
