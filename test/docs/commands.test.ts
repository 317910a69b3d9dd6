import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageOf } from '../../src/core/errors.js'
import { readExperimentFile } from '../../src/run/experiment-file.js'
import { type Running, main, rowsOf, start, succeed } from '../cli/_command.js'
import { scratchFolder } from '../scratch.js'
import { argumentsIn, linesOf, problemOfArguments } from './_commands.js'
import { type Block, type Page, pages } from './_pages.js'

/*
 * The commands that the pages show. The arguments of all are checked. Those of the pages that a newcomer follows are
 * run, in order, in one folder a page: `sh` as they are, `sh dry-run` with --dry-run, `sh not-run` not at all.
 */

const limitMs = 60_000
const gate = '--env household --model reader --perturb agentrefine-1,agentrefine-3 --temperatures 1'
/** The pages that are run, with the runs that they take for granted. */
const followed: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    'run --env household --model my-model --base-url http://SERVER/v1 --perturb agentrefine-1 --tasks 6 --seeds 1 --steps 4 --out runs/my-model',
    `run ${gate} --tasks 134 --seeds 2 --out runs/old`,
    `run ${gate} --tasks 134 --seeds 2 --out runs/new`,
  ],
  'docs/first-run.md': [],
}

const scratch = scratchFolder()
const bin = join(scratch, 'bin')
const shell = (page: Page): readonly Block[] => page.blocks.filter(({ language }) => language === 'sh')

let server: Running
let address: string

beforeAll(async () => {
  mkdirSync(bin)
  writeFileSync(join(bin, 'shaketable'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 })
  server = start(['serve', 'my-model=reader'], scratch)
  const [url] = (await once(server.child.stdout!, 'data')) as [string]
  address = new URL(url.trim()).host
})

afterAll(() => server.child.kill())

/** Prepares the folder of a page: the blocks that have names, and the runs that it takes for granted. */
async function prepareFolder(page: Page): Promise<string> {
  const folder = mkdtempSync(join(scratch, 'page-'))
  for (const line of followed[page.file]!) await succeed(line.replace('SERVER', address), folder)
  for (const { name, text } of page.blocks) {
    if (name === undefined) continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), `${text.replaceAll('localhost:8000', address)}\n`)
  }
  return folder
}

/** Runs a line in bash. @returns its exit code, and the end of what it printed */
async function runLine(line: string, cwd: string): Promise<readonly [code: number | null, printed: string]> {
  const child = spawn('bash', ['-c', `{ ${line}\n} 2>&1`], {
    cwd,
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: cwd, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limitMs,
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>])
  return [code, printed.split('\n').slice(-12).join('\n')]
}

/** A line with the address of the server, and for `KEY` a lost episode under a perturbation, if there is one. */
function complete(line: string, cwd: string): string {
  const there = line.replaceAll('localhost:8000', address)
  const [folder] = /\bruns\/[\w-]+/.exec(line) ?? []
  if (folder === undefined || !/\bKEY\b/.test(line)) return there
  const rows = rowsOf(join(cwd, folder)).filter(({ condition }) => condition !== 'none')
  return there.replace(/\bKEY\b/, (rows.find(({ outcome }) => outcome !== 'success') ?? rows[0]!).key)
}

/** Runs the commands of a page, up to the first that fails. @returns what failed, or undefined */
async function runPage(page: Page): Promise<string | undefined> {
  const folder = await prepareFolder(page)
  for (const block of shell(page).filter(({ words }) => !words.includes('not-run'))) {
    for (const { text, line, exitCode } of linesOf(block)) {
      const asked = block.words.includes('dry-run') ? text.replace(/\bshaketable \S+/, '$& --dry-run') : text
      const [code, printed] = await runLine(complete(asked, folder), folder)
      if (code === exitCode) continue
      return `${page.file}:${String(line)}: ${asked}\nended with ${String(code)}, expected ${String(exitCode)}, and printed:\n${printed}`
    }
  }
  return undefined
}

describe('the commands of the pages', () => {
  it('have arguments that exist', async () => {
    const problems: string[] = []
    for (const page of pages)
      for (const { text, line } of shell(page).flatMap(linesOf))
        for (const args of argumentsIn(text)) {
          const problem = await problemOfArguments(args)
          if (problem !== undefined) problems.push(`${page.file}:${String(line)}: ${problem}`)
        }
    expect(problems).toEqual([])
    expect(pages.flatMap(shell).flatMap(linesOf).length).toBeGreaterThan(50)
  })

  it.each(Object.keys(followed))('%s: run to their end', { timeout: 600_000 }, async (name) => {
    expect(await runPage(pages.find(({ file }) => file === name)!)).toBeUndefined()
  })
})

describe('the experiment files of the pages', () => {
  it('can be read', () => {
    const path = join(scratch, 'experiment.yaml')
    const problems = pages.flatMap(({ file, blocks }) =>
      blocks
        .filter(({ language, name, text }) => language === 'yaml' && (name === undefined || /^models:/m.test(text)))
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
