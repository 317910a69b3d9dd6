import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageOf } from '../../src/core/errors.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { readExperimentFile } from '../../src/run/experiment-file.js'
import type { Ended, Running } from '../cli/_command.js'
import { main, shaketable, start } from '../cli/_command.js'
import { scratchFolder } from '../scratch.js'
import { hasFlag, linesOf, problemOfArguments, simpleCommands } from './_commands.js'
import type { Block, Page } from './_pages.js'
import { pages } from './_pages.js'

/*
 * The commands that the pages show. `sh`: all are run, in order, in one folder a page. `sh dry-run`: the same with
 * --dry-run. `sh not-run`: their arguments are checked, as those of the others are.
 */

const limitMs = 60_000
/** The models of the server that stands in for http://localhost:8000/v1. */
const served = ['my-model=reader', 'my-model-filtered=skimmer', 'my-base=skimmer', 'reader', 'parrot']
const modes = ['dry-run', 'not-run']

const scratch = scratchFolder()
const bin = join(scratch, 'bin')
const store = join(scratch, 'store')

const shell = (page: Page): readonly Block[] => page.blocks.filter(({ language }) => language === 'sh')
const isRun = ({ words }: Block): boolean => !words.includes('not-run')
/** The first pages that a newcomer follows; nightly, all. */
const first = ['README.md', 'docs/experiment-files.md']
const run = pages.filter(
  (page) => shell(page).some(isRun) && (process.env['NIGHTLY'] === '1' || first.includes(page.file)),
)

const conditions = ['--env', 'household', '--model', 'my-model', '--perturb', 'agentrefine-1,agentrefine-3']
/** Runs that pages take for granted, by folder, with the arguments that make them; each is made when it is wanted. */
const prepared: Readonly<Record<string, readonly string[]>> = {
  'runs/embedded': ['--env', 'household', '--tasks', '4', '--suite', 'core', '--model', 'reader,parrot'],
  'runs/my-model': [...conditions, '--tasks', '6', '--seeds', '2', '--temperatures', '0,1', '--concurrency', '32'],
  'runs/old': [...conditions, '--tasks', '134', '--seeds', '2', '--temperatures', '1', '--plugin', 'my-model.mjs'],
}
/** The run of a model that did not change. */
const equal: Readonly<Record<string, string>> = { 'runs/new': 'runs/old' }

/** A reader under the name of a model, in the process: much faster than over a server. */
const plugin = `import { defineModel } from 'shaketable'
import { createReader } from '${join(dirname(main), '../baselines/reader.js')}'
export default defineModel({ name: 'my-model', create: () => ({ ...createReader(), name: 'my-model' }) })
`

let server: Running
let address: string

beforeAll(async () => {
  mkdirSync(bin)
  writeFileSync(join(bin, 'shaketable'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 })
  writeFileSync(join(scratch, 'my-model.mjs'), plugin)
  server = start(['serve', ...served], scratch)
  const url = await new Promise<string>((resolve, reject) => {
    server.child.stdout!.on('data', (text: string) => resolve(text.trim()))
    void server.ended.then(({ stderr }) => reject(new Error(stderr)))
  })
  address = new URL(url).host
})

afterAll(() => server.child.kill())

const making = new Map<string, Promise<string>>()

function prepareRun(folder: string): Promise<string> {
  const made = making.get(folder) ?? makeRun(folder)
  making.set(folder, made)
  return made
}

async function makeRun(folder: string): Promise<string> {
  const path = join(store, folder)
  const args = prepared[folder]!
  const over = args.includes('--concurrency') ? ['--base-url', `http://${address}/v1`] : []
  const ended = await shaketable(['run', ...args, ...over, '--out', path], scratch)
  expect(ended).toMatchObject({ code: 0 })
  return path
}

function mentions(text: string, folder: string): boolean {
  return new RegExp(`${folder}(?![\\w-])`).test(text)
}

/** Prepares the folder of a page: the blocks that have names, and the runs that it mentions. */
async function prepareFolder(page: Page): Promise<string> {
  const folder = mkdtempSync(join(scratch, 'page-'))
  for (const name of [...Object.keys(prepared), ...Object.keys(equal)]) {
    if (!mentions(page.text, name)) continue
    cpSync(await prepareRun(equal[name] ?? name), join(folder, name), { recursive: true })
  }
  for (const { name, text } of page.blocks) {
    if (name === undefined) continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), `${replaceAddress(text)}\n`)
  }
  return folder
}

function replaceAddress(text: string): string {
  return text.replaceAll('localhost:8000', address).replace(/--port \d+/g, '--port 0')
}

/** Runs a line in bash; a server is stopped once it has printed its address. */
async function runLine(line: string, cwd: string, before: string): Promise<Ended> {
  const isServer = simpleCommands(line).some(([, name]) => name === 'serve' || name === 'proxy')
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: cwd, NO_COLOR: '1' }
  const child = spawn('bash', ['-o', 'pipefail', '-c', before + line], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const stop = (signal: NodeJS.Signals): void => void process.kill(-child.pid!, signal)
  const timer = setTimeout(() => stop('SIGKILL'), limitMs)
  let [stdout, stderr, stopped] = ['', '', false]
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (isServer && !stopped && stdout.includes('http')) stop('SIGTERM')
    stopped ||= isServer
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  clearTimeout(timer)
  return { code: stopped ? 0 : code, stdout, stderr }
}

/** `KEY` stands for an episode of the run that the command names: a lost one under a perturbation, if there is one. */
function replaceKey(line: string, cwd: string): string {
  const folder = /\bruns\/[\w-]+/.exec(line)?.[0] ?? ''
  if (!/\bKEY\b/.test(line) || !existsSync(join(cwd, folder, 'outcomes.jsonl'))) return line
  const rows = readFileSync(join(cwd, folder, 'outcomes.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((row) => JSON.parse(row) as EpisodeRow)
    .filter(({ column }) => column !== 'none')
  return line.replace(/\bKEY\b/, (rows.find(({ outcome }) => outcome !== 'success') ?? rows[0]!).key)
}

/** Runs the commands of a page, up to the first that fails. @returns what failed, or undefined */
async function runPage(page: Page): Promise<string | undefined> {
  const folder = await prepareFolder(page)
  let exports = ''
  for (const block of shell(page).filter(isRun)) {
    const isDry = block.words.includes('dry-run')
    for (const { text, line, exitCode } of linesOf(block)) {
      if (text.startsWith('export ')) {
        exports += `${text}\n`
        continue
      }
      const names = simpleCommands(text).map(([, name = '']) => name)
      if (isDry && !names.some((name) => hasFlag(name, '--dry-run'))) continue
      const dry = isDry ? text.replace(/\bshaketable (\S+)/, '$& --dry-run') : text
      const { code, stdout, stderr } = await runLine(replaceKey(replaceAddress(dry), folder), folder, exports)
      if (code === exitCode) continue
      const printed = `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n')
      return `${page.file}:${String(line)}: ${dry}\nended with ${String(code)}, expected ${String(exitCode)}, and printed:\n${printed}`
    }
  }
  return undefined
}

/** What is wrong with the shell blocks of a page, without running them. */
async function problemsOf(page: Page): Promise<string[]> {
  const problems: string[] = []
  for (const block of shell(page)) {
    const unknown = block.words.filter((word) => !modes.includes(word))
    if (unknown.length > 0) {
      problems.push(
        `${page.file}:${String(block.line - 1)}: expected sh, sh dry-run or sh not-run, got ${unknown.join(' ')}`,
      )
    }
    for (const { text, line } of linesOf(block)) {
      for (const [program, ...args] of simpleCommands(text)) {
        const problem = program === 'shaketable' ? await problemOfArguments(args) : undefined
        if (problem !== undefined) problems.push(`${page.file}:${String(line)}: ${problem}`)
      }
    }
  }
  return problems
}

describe('the commands of the pages', () => {
  it('have arguments that exist', async () => {
    const problems: string[] = []
    for (const page of pages) problems.push(...(await problemsOf(page)))
    expect(problems).toEqual([])
    expect(pages.flatMap(shell).flatMap(linesOf).length).toBeGreaterThan(50)
  })

  it('stand in sh blocks, and files in blocks with a name', () => {
    const wrong = pages.flatMap(({ file, blocks }) =>
      blocks
        .filter(({ language }) => ['', 'bash', 'shell', 'console', 'zsh'].includes(language))
        .map(({ line }) => `${file}:${String(line - 1)}: expected sh for commands, text for what they print`),
    )
    expect(wrong).toEqual([])
  })

  it.concurrent.each(run)('$file: run to their end', { timeout: 600_000 }, async (page) => {
    expect(await runPage(page)).toBeUndefined()
  })
})

describe('the experiment files of the pages', () => {
  it('can be read', () => {
    const path = join(scratch, 'experiment.yaml')
    const problems = pages.flatMap(({ file, blocks }) =>
      blocks
        .filter(({ language, name, text }) => language === 'yaml' && name !== undefined && /^models:/m.test(text))
        .flatMap(({ line, text }) => {
          writeFileSync(path, text)
          try {
            readExperimentFile(path)
            return []
          } catch (thrown) {
            return [`${file}:${String(line)}: ${messageOf(thrown)}`]
          }
        }),
    )
    expect(problems).toEqual([])
  })
})
