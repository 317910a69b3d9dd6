import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { filesOf } from '../../src/run/store/run-folder.js'
import { scratchFolder } from '../scratch.js'
import { main, shaketable } from './_command.js'

const scratch = scratchFolder()
const bin = join(scratch, 'bin')

beforeAll(() => {
  mkdirSync(bin)
  writeFileSync(join(bin, 'shaketable'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(join(bin, 'shaketable'), 0o755)
  const folder = join(scratch, 'runs', 'my-model')
  mkdirSync(folder, { recursive: true })
  writeFileSync(filesOf(folder).plan, '{}')
  writeFileSync(join(scratch, 'experiment.yaml'), '')
})

const values = async (...words: string[]) => {
  const { code, stdout, stderr } = await shaketable(['complete', '--', ...words], scratch)
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.trimEnd().split('\n')
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^[^\t]+\t[^\t]*$/)
  return [...lines.slice(0, -1).map((line) => line.split('\t')[0]!), lines.at(-1)!]
}

describe('what fits at the end of a line', () => {
  it.each([
    [['re'], ['report', ':4']],
    [
      ['help', 'sh'],
      ['show', 'shrink', ':4'],
    ],
    [['--v'], ['--version', ':4']],
    [
      ['run', '--max-t'],
      ['--max-tokens', '--max-tokens-total', ':4'],
    ],
    [
      ['run', '--env', 'house'],
      ['household', ':4'],
    ],
    [
      ['run', '--env=house'],
      ['household', ':4'],
    ],
    [
      ['run', '--env', 'household,bab'],
      ['household,babyai', ':4'],
    ],
    [
      ['run', '--perturb', 'placebo+syn'],
      ['placebo+synonyms', ':4'],
    ],
    [
      ['run', '--model', 'par'],
      ['parrot', ':4'],
    ],
    [
      ['run', '--dry-run', '--agent', 'react:a'],
      ['react:agentboard', ':4'],
    ],
    [
      ['run', '--suite', 'c'],
      ['core', ':4'],
    ],
    [
      ['run', '--generation', ''],
      ['old', 'new', ':4'],
    ],
    [
      ['search', '--family', 'syn'],
      ['synonyms', ':4'],
    ],
    [
      ['report', '--format', 'l'],
      ['latex', ':4'],
    ],
    [
      ['report', 'runs/my-model', '--table', 'rob'],
      ['robustness', ':4'],
    ],
    [
      ['show', ''],
      ['runs/my-model', ':4'],
    ],
    [
      ['play', '--seed', '3', 'pd'],
      ['pddl', ':4'],
    ],
    [
      ['list', 'mod'],
      ['models', ':4'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', ':4'],
    ],
    [['run', 'exp'], [':0']],
    [['run', '--out', ''], [':0']],
    [['run', '--seeds', ''], [':0']],
    [['nothing', ''], [':0']],
    [[], [':0']],
  ])('after %j is %j', async (words, expected) => {
    const found = await values(...words)
    if (words.length > 0) expect(found).toEqual(expected)
    else expect(found).toContain('run')
  })
})

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0
const inShell = (shell: string, commands: string): string => {
  const { stdout, stderr } = spawnSync(shell, ['-c', commands], {
    cwd: scratch,
    encoding: 'utf8',
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: scratch, TERM: 'dumb' },
  })
  expect(stderr).toBe('')
  return stdout
}

describe('shaketable completion', () => {
  it.skipIf(!has('bash')).each([
    ['shaketable rep', 'report'],
    ['shaketable run --perturb placebo,syn', 'placebo,synonyms'],
    ['shaketable report runs/my-model --table rob', 'robustness'],
    ['shaketable show ', 'runs/my-model'],
    ['shaketable run --agent react:a', 'agentboard'],
    ['shaketable run exp', ''],
    ['shaketable run --name "$(touch evil)" ; touch evil --generation ', 'old new'],
  ])('in bash completes %j, and runs nothing of it', (line, expected) => {
    const script = `source <(shaketable completion bash)
COMP_LINE='${line}' COMP_POINT=${String(line.length)}
_shaketable
echo "\${COMPREPLY[*]}"; complete -p shaketable; [ -e evil ] && echo evil`
    expect(inShell('bash', script)).toBe(`${expected}\ncomplete -o default -F _shaketable shaketable\n`)
  })

  it.skipIf(!has('zsh'))('in zsh is a script that defines the completion', () => {
    const script = 'autoload -U compinit; compinit -D; source <(shaketable completion zsh); print ${_comps[shaketable]}'
    expect(inShell('zsh', script)).toBe('_shaketable\n')
  })

  it.skipIf(!has('fish'))('in fish completes', () => {
    expect(inShell('fish', 'shaketable completion fish | source; complete -C "shaketable rep"')).toMatch(/^report\t/)
  })

  it.each(['zsh', 'fish'])('for %s is a script that asks the command', async (shell) => {
    const { code, stdout } = await shaketable(['completion', shell], scratch)
    expect(code).toBe(0)
    expect(stdout).toContain('shaketable complete -- ')
  })

  it('refuses another shell', async () => {
    const { code, stderr } = await shaketable(['completion', 'cmd'], scratch)
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')])
  })
})
