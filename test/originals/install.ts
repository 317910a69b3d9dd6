import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagedPath } from '../../src/files/packaged.js'

/** The path of a file beside this one; benches are joined into files elsewhere. */
export const here = (name: string): string => packagedPath(`test/originals/${name}`)

const home = process.env['SHAKETABLE_ORIGINALS'] ?? join(tmpdir(), 'shaketable-originals')
const isWindows = process.platform === 'win32'
const lists = ['requirements.txt', 'requirements-no-deps.txt'].map(here)
const hash = createHash('sha256')
for (const list of lists) hash.update(readFileSync(list))
const mark = join(home, `installed-${hash.digest('hex').slice(0, 16)}`)

export const python = join(home, isWindows ? 'Scripts/python.exe' : 'bin/python')

export function packages(): string {
  if (isWindows) return join(home, 'Lib', 'site-packages')
  const lib = join(home, 'lib')
  const version = readdirSync(lib).find((name) => name.startsWith('python'))!
  return join(lib, version, 'site-packages')
}

/** Installs the Python packages once for each list of them. @returns what is missing, if anything */
export function install(): string | undefined {
  if (existsSync(mark)) return undefined
  console.log(`Installing the originals into ${home}`)
  mkdirSync(home, { recursive: true })
  const run = (program: string, ...args: readonly string[]): string | undefined => {
    const { status, error, stderr = '' } = spawnSync(program, args, { encoding: 'utf8', timeout: 1_200_000 })
    if (status === 0) return undefined
    return `${program} ${args[0]!} ${args[1]!}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? ''}`
  }
  const [all, alone] = lists as [string, string]
  const problem =
    run('python3', '-m', 'venv', home) ??
    run(python, '-m', 'pip', 'install', '--quiet', '--retries', '2', '--requirement', all) ??
    run(python, '-m', 'pip', 'install', '--quiet', '--retries', '2', '--no-deps', '--requirement', alone)
  if (problem === undefined) writeFileSync(mark, '')
  return problem
}
