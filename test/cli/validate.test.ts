import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const plugin = (name: string): string => fileURLToPath(new URL(`../fixtures/plugins/${name}`, import.meta.url))
const folder = scratchFolder()
const validate = (...args: string[]) => shaketable(['validate', ...args], folder)

describe('shaketable validate', () => {
  it('shows a law that fails with a line that replays it, and exits with 1', async () => {
    const { stdout: out, code } = await validate(
      '--plugin',
      plugin('put-mangled.ts'),
      ...'--tasks 3 --set household.generation=new --seed'.split(' '),
      "it's 1",
    )
    expect(code).toBe(1)
    expect(out).toMatch(/^put-mangled +yes +FAILS 3\/3 +FAILS 3\/3/m)
    expect(out).toMatch(/said: put yourself on (\w+ \d+)\n +expected: go to \1\n +got: put yourself in\/on \1\n/)
    expect(out).toMatch(
      /replay by hand: shaketable play household --task \S+ --perturb put-mangled --seed 'it'\\''s 1' --set household.generation=new --plugin \S+put-mangled.ts\n/,
    )
  })

  it('accepts conditions with options, reports what it does not check, and plays the given task', async () => {
    const { stdout: listed } = await validate(
      '--tasks',
      '1',
      '--perturb',
      'agentrefine-2:refuse=false+agentrefine-4:intensity=0.5',
    )
    expect(listed).toMatch(
      /^agentrefine-2:refuse=false\+agentrefine-4:intensity=0.5 +yes +holds 1 +holds 1 +not checked +holds 1 +holds 1 +holds 1/m,
    )
    expect(listed).toContain('old wording: not checked. It was asked to accept the old wording.')
    const failing = await validate('--plugin', plugin('only-prose.ts'), '--tasks', '4')
    const task = /untouched, in (\S+):/.exec(failing.stdout)![1]!
    const { stdout: out } = await validate('--plugin', plugin('only-prose.ts'), '--tasks', task)
    expect(out).toMatch(/^only-prose +yes +holds 1 +holds 1 +holds 1 +FAILS 1\/1/m)
  })
})
