import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import { askChoice } from '../../src/cli/init.js'
import { serve } from '../../src/proxy/served.js'
import { readExperimentFile } from '../../src/run/experiment-file.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable, succeed } from './_command.js'

const scratch = scratchFolder()
const newFolder = (): string => mkdtempSync(join(scratch, 'use-'))

it('a run that flags begin has a folder of its own settings, which the same command continues', async () => {
  const folder = newFolder()
  const runs = (): string[] => readdirSync(join(folder, 'runs')).sort()
  const grid = 'run --env household --tasks 1 --perturb placebo --temperatures 0 --model reader --quiet'
  const play = (more: string) => shaketable(`${grid} ${more}`, folder)
  expect(await play('--seeds 1')).toMatchObject({ code: 0, stderr: '' })
  const [first] = runs()
  expect(first).toMatch(/^household-reader-[0-9a-f]{8}$/)
  // What does not decide an episode does not decide the folder.
  await play('--seeds 1 --concurrency 2 --set attempts=9')
  expect(runs()).toEqual([first])
  for (const other of ['--steps 7', '--seeds 2', '--set household.split=train']) await play(other)
  expect(runs().filter((name) => name.startsWith('household-reader-'))).toHaveLength(4)
})

it('a run keeps its conditions when it is continued without them', async () => {
  const folder = newFolder()
  const grid = 'run --env household --tasks 1 --temperatures 0 --model reader --out kept'
  await succeed(`${grid} --perturb synonyms --seeds 1`, folder)
  await succeed(`${grid} --seeds 2`, folder)
  const conditions = rowsOf(join(folder, 'kept')).map(({ condition }) => condition)
  expect(conditions.sort()).toEqual(['none', 'none', 'synonyms', 'synonyms'])
})

describe('shaketable init', () => {
  it('writes the experiment that its flags describe', async () => {
    const folder = newFolder()
    const flags = '--base-url http://localhost:8000/v1 --model tuned --env babyai'
    await succeed(`init experiment first ${flags}`, folder)
    expect(readExperimentFile(join(folder, 'first.yaml')).given).toMatchObject({
      ...{ name: 'first', environments: ['babyai'] },
      models: [{ name: 'tuned', baseUrl: 'http://localhost:8000/v1' }],
    })
  })

  /** What is chosen by a person who types these lines, and what is shown. */
  async function answer(...lines: string[]) {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const seen = text(output)
    const terminal = createInterface({ input, output })
    // A line is typed once a question is shown.
    output.on('data', (shown: Buffer) => {
      if (!String(shown).endsWith('] ')) return
      const next = lines.shift()
      if (next === undefined) input.end()
      else input.write(`${next}\n`)
    })
    const choice = await askChoice(terminal, {}).finally(() => {
      terminal.close()
      output.end()
    })
    return { choice, shown: await seen }
  }

  it('asks for a server, one of its models and a world, and again after an answer that it cannot use', async () => {
    const serving = await serve({ models: [createReader()], host: '127.0.0.1', port: 0 })
    try {
      const { choice, shown } = await answer('localhost', serving.baseUrl, '', 'househld', 'babyai')
      expect(choice).toEqual({ environment: 'babyai', model: 'reader', baseUrl: serving.baseUrl })
      expect(shown).toContain('Model [reader]')
    } finally {
      await serving.close()
    }
  })

  it('takes defaults for empty answers, and ends with the input', async () => {
    expect((await answer('', '', '')).choice).toEqual({ environment: 'household', model: 'reader' })
    await expect(answer('none')).rejects.toThrow('the input has ended')
  })
})

it.skipIf(process.platform !== 'linux')('--open opens the page of a run and of a report', async () => {
  const folder = newFolder()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${join(folder, 'opened')}\n`)
  chmodSync(join(bin, 'xdg-open'), 0o755)
  const variables = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` }
  const grid = '--env household --tasks 1 --perturb placebo --temperatures 0 --seeds 1 --model reader'
  await succeed(`run ${grid} --out run --open`, folder, variables)
  await succeed('report run --open --format json', folder, variables)
  const page = join('run', 'report', 'report.html')
  await expect.poll(() => readFileSync(join(folder, 'opened'), 'utf8')).toBe(`${page}\n${page}\n`)
})
