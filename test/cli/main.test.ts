import { spawnSync } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { commands, createProgram } from '../../src/cli/commands.js'
import { main, shaketable } from './_command.js'

const here = tmpdir()
const source = readFileSync(new URL('../../src/cli/commands.ts', import.meta.url), 'utf8')
const names = Object.keys(commands)

describe('shaketable', () => {
  it('prints --help before it reads any sub-command, and lists them all', async () => {
    const imports = [...source.matchAll(/^import .* from '(.*)'$/gm)].map((match) => match[1])
    expect(imports).toEqual([
      ...['node:module', 'commander', '../core/errors.js', '../environments/secrets.js', '../files/write-error.js'],
      ...['../run/plugin-faults.js', './_lines.js', './_signals.js'],
    ])
    const { code, stdout, stderr } = await shaketable(['--help'], here)
    expect([code, stderr]).toEqual([0, ''])
    const first = ['run', 'report', 'runs', 'show', 'compare', 'list', 'doctor', 'init']
    expect(names.slice(0, first.length)).toEqual(first)
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect((await shaketable([], here)).stdout).toBe(stdout)
  })

  it.each(names)('shows the options of %s', async (name) => {
    const direct = await shaketable([name, '--help'], here)
    expect([direct.code, direct.stderr]).toEqual([0, ''])
    expect(direct.stdout).toMatch(new RegExp(`^Usage: shaketable ${name} `))
    expect(direct.stdout).toMatch(/^Options:$/m)
    expect(direct.stdout.length).toBeGreaterThan(200)
    for (const line of direct.stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100)
    expect(direct.stdout).toMatch(new RegExp(`\n\nExamples:\n  shaketable ${name}\\b`))
    expect((await shaketable(['help', name], here)).stdout).toBe(direct.stdout)
  })

  it('has at most 35 flags of run', async () => {
    const { options } = await commands['run']!.load()
    expect(options.length).toBeLessThanOrEqual(35)
  })

  it.each(Object.values(commands).flatMap(({ examples }) => examples))(
    'has in its help a valid example: %s',
    async (line) => {
      const words = [...line.replace(/ > \S+$/, '').matchAll(/"([^"]*)"|\S+/g)].map((match) => match[1] ?? match[0])
      const program = await createProgram(words[0])
      const named = program.commands.find((one) => one.name() === words[0])!
      const command = named.commands.find((one) => one.name() === words[1]) ?? named
      const ran = vi.fn()
      command.action(ran)
      await program.parseAsync(words, { from: 'user' })
      expect(ran).toHaveBeenCalledOnce()
      const { registeredArguments, args } = command
      for (const [index, { argChoices }] of registeredArguments.entries())
        if (argChoices && args[index] !== undefined) expect(argChoices).toContain(args[index])
    },
  )

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    expect(await shaketable(['--version'], here)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each([
    ['runn', 2, /^Unknown command 'runn'\. Did you mean 'run'\? Known: run, /],
    ['completion bash', 2, /^'completion' is no command any more\. Use shaketable --help\.\n$/],
    ['data collect --out x --nope', 2, /^error: unknown option '--nope'/],
    ['run --sedes 3', 2, /^error: unknown option '--sedes'\n\(Did you mean --seeds\?\)/],
    ['run --seeds many', 2, /^--seeds: expected a number of seeds from 1 to 10,000 .*, got 'many'\.\n$/],
    ['run --model reader,reader', 2, /^--model: expected different models, got 'reader' twice\.\n$/],
    ['run --model reader --tasks no-such-task', 2, /^--tasks: /],
    ['run --model reader --seeds 1,1', 2, /^--seeds: expected different seeds, got '1' twice\.\n$/],
    ['run --name up', 2, /^--name is no flag of run any more\. Give --set name=NAME\.\n$/],
    ['data synthesise --max-cost 9', 2, /^--max-cost is no flag of data any more\. Give --max cost=N\.\n$/],
    [
      'run agentrefine-table-33',
      2,
      /^Unknown experiment 'agentrefine-table-33'\. Did you mean 'agentrefine-table-3'\?/,
    ],
    ['run --out=', 2, /^--out: expected a folder, got nothing\.\n$/],
    ['merge nothing --out x', 2, /^Expected a run folder with a plan\.json, but nothing has none/],
    ['list enviroments', 2, /^error: .*'enviroments'.*Allowed choices are environments/],
  ])('refuses %j with exit code %i and one sentence', async (line, code, message) => {
    const ended = await shaketable(line.split(' '), here)
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr).not.toMatch(/\n\s+at /)
    expect([ended.code, ended.stdout]).toEqual([code, ''])
  })

  it.skipIf(process.platform === 'win32')('says what to do where too few files may be open', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `ulimit -n 24; '${process.execPath}' '${main}' runs`], {
      encoding: 'utf8',
      cwd: here,
    })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^Too few files may be open at once \(EMFILE.*ulimit -n 4096\.\n$/) as string,
    })
  })

  it('exits quietly when its reader closes the pipe', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `'${process.execPath}' '${main}' list | head -n 1; exit 0`], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
  })
})

describe('shaketable list', () => {
  it('lists everything with a description and its source', async () => {
    const { code, stdout } = await shaketable(['list'], here)
    expect(code).toBe(0)
    for (const title of ['environments', 'perturbations', 'models', 'agents', 'reports']) {
      expect(stdout).toMatch(new RegExp(`^${title}\\n {2}\\S+\\n {4}\\S.*\\n {4}from \\S`, 'm'))
    }
    const one = await shaketable(['list', 'perturbations'], here)
    expect(one.stdout).toContain('agentrefine-3')
    expect(one.stdout).not.toContain('household')
    const experiments = await shaketable(['list', 'experiments'], here)
    expect(experiments.stdout).toMatch(/^ {2}agentrefine-table-3\n {4}AgentRefine's table 3: /m)
  })
})

describe.skipIf(!existsSync('/dev/full'))('standard output on a full disk', () => {
  it('is reported in one line, with exit code 2', () => {
    const { status, stderr } = spawnSync(process.execPath, [main, 'list'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/^Cannot write to standard output \(ENOSPC.*The disk is full\..*\n$/)
    expect(status).toBe(2)
  })
})
