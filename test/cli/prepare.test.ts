import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { start } from './_command.js'

const folder = scratchFolder()

const experiment = (count: number): string => `name: tuned
prepare:
  - data collect --count ${String(count)} --out made/data.jsonl
  - train made/data.jsonl --epochs 1 --out made/tuned.json
environments: [household]
tasks: 1
models: [{ name: tuned, file: made/tuned.json }]
perturbations: [placebo]
temperatures: [0]
seeds: 1
`

// In a process of its own, whose standard error the commands that make the files share.
async function play(text: string, ...more: string[]) {
  writeFileSync(join(folder, 'tuned.yaml'), text)
  return start(['run', 'tuned.yaml', ...more], folder).ended
}

describe('an experiment that makes its files', () => {
  it('makes them once, and again when a command or its input has changed', async () => {
    const dry = await play(experiment(3), '--dry-run')
    expect([dry.code, dry.stderr]).toEqual([
      2,
      'made/data.jsonl has to be made first: shaketable data collect --count 3 --out made/data.jsonl. Run this command, or the experiment without --dry-run.\n',
    ])
    const first = await play(experiment(3), '--out', 'first')
    expect(first.code, first.stderr).toBe(0)
    expect(first.stderr).toContain('Making made/data.jsonl: shaketable data collect --count 3 --out made/data.jsonl')
    expect(first.stdout).not.toContain('Making')
    const [data, model] = ['made/data.jsonl', 'made/tuned.json'].map((name) => readFileSync(join(folder, name), 'utf8'))
    const written = statSync(join(folder, 'made/tuned.json')).mtimeMs

    const second = await play(experiment(3), '--out', 'first')
    expect(second.code, second.stderr).toBe(0)
    expect(second.stderr).not.toContain('Making')
    expect(statSync(join(folder, 'made/tuned.json')).mtimeMs).toBe(written)

    const more = await play(experiment(4), '--out', 'second')
    expect(more.code, more.stderr).toBe(0)
    expect(more.stderr.match(/^Making .*:/gm)).toEqual(['Making made/data.jsonl:', 'Making made/tuned.json:'])

    rmSync(join(folder, 'made'), { recursive: true })
    await play(experiment(3), '--out', 'first')
    expect(readFileSync(join(folder, 'made/data.jsonl'), 'utf8')).toBe(data)
    expect(readFileSync(join(folder, 'made/tuned.json'), 'utf8')).toBe(model)
  }, 120_000)

  it('plays nothing if a command fails', async () => {
    const { code, stderr } = await play(experiment(3).replace('--epochs 1', '--epochs many'), '--out', 'failed')
    expect(code).toBe(2)
    expect(stderr).toMatch(/--epochs: expected a whole number/)
    expect(stderr).toMatch(/A command of the experiment failed: shaketable train .*\. Its reason is above\.\n$/)
    expect(existsSync(join(folder, 'failed'))).toBe(false)
  }, 60_000)

  it.each(['run other.yaml --out x', 'rm -rf --out x'])(
    'does not accept %j as a command that makes a file',
    async (step) => {
      const { code, stderr } = await play(`prepare: ['${step}']\n`)
      expect(code).toBe(2)
      expect(stderr).toMatch(
        /^tuned\.yaml:1:\d+: prepare\.0: expected a command that makes a file, data collect, data synthesise, data filter-ind, /,
      )
    },
  )
})
