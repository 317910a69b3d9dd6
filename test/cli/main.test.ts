import { spawnSync } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { commands, createProgram } from '../../src/cli/commands.js'
import { dataCommands } from '../../src/cli/data.js'
import { argumentsIn, problemOfArguments } from '../docs/_commands.js'
import { main, shaketable, succeed } from './_command.js'

const here = tmpdir()
const source = readFileSync(new URL('../../src/cli/commands.ts', import.meta.url), 'utf8')
const entries = Object.values(commands).flatMap((group) => Object.entries(group))
const names = entries.map(([name]) => name)

describe('shaketable', () => {
  it('prints --help before it reads any sub-command, and lists them all', async () => {
    const imports = [...source.matchAll(/^import .* from '(.*)'$/gm)].map((match) => match[1])
    expect(imports.filter((path) => /^\.\/[^_]/.test(path!))).toEqual([])
    const { stdout, stderr } = await succeed('--help', here)
    expect(stderr).toBe('')
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect((await shaketable([], here)).stdout).toBe(stdout)
  })

  it.each(names)('shows the options of %s, in lines of at most 100 characters', async (name) => {
    const { stdout, stderr } = await succeed([name, '--help'], here)
    expect(stderr).toBe('')
    expect(stdout).toMatch(new RegExp(`^Usage: shaketable ${name} [^]*\n\nExamples:\n  shaketable ${name}\\b`))
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100)
  })

  it('has at most 35 flags of run', async () => {
    const { commands } = await createProgram('run')
    const { options } = commands.find((command) => command.name() === 'run')!
    expect(options.length).toBeGreaterThan(20)
    expect(options.length).toBeLessThanOrEqual(35)
  })

  it('has valid examples in its help', async () => {
    const ofData = Object.values(dataCommands).flatMap(([, , ...examples]) => examples.map((one) => `data ${one}`))
    for (const line of [...entries.flatMap(([, [, , ...examples]]) => examples), ...ofData])
      expect(await problemOfArguments(argumentsIn(`shaketable ${line}`)[0]!), line).toBeUndefined()
  })

  it('exits quietly when its reader closes the pipe', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `'${process.execPath}' '${main}' list | head -n 1; exit 0`], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
  })

  it.skipIf(!existsSync('/dev/full'))('reports a full disk under its output in one line, with exit code 2', () => {
    const { status, stderr } = spawnSync(process.execPath, [main, 'list'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/^Cannot write to stdout \(ENOSPC.*The disk is full\..*\n$/)
    expect(status).toBe(2)
  })
})

it('shaketable list prints everything with a summary and its source', async () => {
  const { stdout } = await succeed('list', here)
  for (const title of ['environments', 'perturbations', 'models', 'agents', 'reports'])
    expect(stdout).toMatch(new RegExp(`^${title}\\n {2}\\S+\\n {4}\\S.*\\n {4}from \\S`, 'm'))
  expect((await shaketable('list environments household', here)).stdout).toContain('--set household.split=')
})
