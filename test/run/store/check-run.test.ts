import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import { takeLock } from '../../../src/files/lock.js'
import { summariseRun } from '../../../src/run/find-runs.js'
import { createGrid } from '../../../src/run/grid.js'
import { openFileStore } from '../../../src/run/store/file-store.js'
import { checkRun } from '../../../src/run/store/read-run.js'
import { filesOf } from '../../../src/run/store/run-folder.js'
import { scratchFolder } from '../../scratch.js'
import { doorParts, playInto } from '../_fakes.js'

const scratch = scratchFolder()
let runs = 0
let files = filesOf('')
beforeEach(async () => {
  files = filesOf(join(scratch, String(runs++)))
  await playInto(files.folder, doorParts(1))
})

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

/** Changes one line of a file, given from 0. */
function edit(path: string, line: number, change: (text: string) => string): void {
  const changed = linesOf(path).map((text, at) => (at === line ? change(text) : text))
  writeFileSync(path, `${changed.join('\n')}\n`)
}

describe('the check of a run', () => {
  it('finds nothing in a run as it was written', () => {
    expect(checkRun(files.folder)).toEqual({ findings: [], remarks: [] })
  })

  it.each<[string, () => void, readonly RegExp[]]>([
    [
      'a row that is none',
      () => edit(files.outcomes, 2, (text) => text.replace('"outcome":"', '"outcome":"un')),
      [/^outcomes\.jsonl:3: expected an episode's row/],
    ],
    ...['steps', 'formatErrors', 'repeats', 'modelCalls', 'promptTokens', 'completionTokens'].map(
      (name): [string, () => void, readonly RegExp[]] => [
        `a row without its ${name}`,
        () => edit(files.outcomes, 1, (text) => text.replace(`"${name}":`, '"other":')),
        [/^outcomes\.jsonl:2: expected an episode's row/],
      ],
    ),
    [
      'a trajectory that is not there',
      () => edit(files.trajectories, 1, () => ''),
      [/^outcomes\.jsonl: the episode [0-9a-f]{20} has no trajectory/],
    ],
    [
      'a trajectory of another shape',
      () => edit(files.trajectories, 1, (text) => text.replace('"steps":', '"stops":')),
      [/^trajectories\.jsonl:2: it cannot be read/, /has no trajectory/],
    ],
    [
      'an unfinished last line',
      () => appendFileSync(files.outcomes, '{"key":"'),
      [/^outcomes\.jsonl: the last line is unfinished/],
    ],
    [
      'a row with the key of an episode and the name of another model',
      () => edit(files.outcomes, 0, (text) => text.replace(/"model":"\w+"/, '"model":"other"')),
      [/^outcomes\.jsonl: left out 1 row with a key that no episode/],
    ],
    [
      'a row of no episode',
      () => appendFileSync(files.outcomes, `${linesOf(files.outcomes)[0]!.replace(/[0-9a-f]{20}/, '0'.repeat(20))}\n`),
      [/^outcomes\.jsonl: left out 1 row with a key that no episode/],
    ],
  ])('names %s', (_, change, found) => {
    change()
    const { findings } = checkRun(files.folder)
    expect(findings).toEqual(found.map((finding) => expect.stringMatching(finding) as string))
  })

  it('names each trajectory whose prompt is missing', () => {
    rmSync(files.prompts)
    const { findings } = checkRun(files.folder)
    expect(findings).toHaveLength(16)
    expect(findings[0]).toMatch(/messages? of the prompt of [0-9a-f]{20} cannot be read/)
  })

  it('leaves out the line that is being written', () => {
    appendFileSync(files.outcomes, '{"key":"')
    const lock = takeLock(files.lock)
    const checked = checkRun(files.folder)
    lock.release()
    expect(checked).toEqual({ findings: [], remarks: ['The run is being written; what it has so far is checked.'] })
  })
})

const grid = createGrid(doorParts(1), '1.0.0')

/** Puts something odd in the place of a file of a run. */
function makeOdd(name: 'prompts' | 'trajectories' | 'outcomes' | 'lock', make: (path: string) => void): void {
  if (name !== 'lock') renameSync(files[name], `${files.folder}-${basename(files[name])}`)
  make(files[name])
}

async function openRun(): Promise<void> {
  await (await openFileStore(files.folder, { plan: grid.plan, experiment: {} })).close()
}

describe.skipIf(process.platform === 'win32')('a run folder from elsewhere', () => {
  it.each(['prompts', 'trajectories', 'outcomes', 'lock'] as const)(
    'is not written through a link as %s',
    async (name) => {
      const elsewhere = join(scratch, `elsewhere-${name}`)
      mkdirSync(elsewhere)
      const other = join(elsewhere, 'other')
      writeFileSync(other, '{"torn')
      makeOdd(name, (path) => symlinkSync(other, path))
      await expect(openRun()).rejects.toBeInstanceOf(ShaketableError)
      expect([readFileSync(other, 'utf8'), readdirSync(elsewhere)]).toEqual(['{"torn', ['other']])
    },
  )

  it.each<[string, (path: string) => void]>([
    ['FIFO', (path) => execFileSync('mkfifo', [path])],
    ['device', (path) => symlinkSync('/dev/zero', path)],
  ])('neither hangs on a %s nor is read from it', async (_, make) => {
    makeOdd('outcomes', make)
    expect(summariseRun(files.folder)).toMatchObject({ state: 'unreadable' })
    expect(() => checkRun(files.folder)).toThrow(/not a regular file/)
    await expect(openRun()).rejects.toBeInstanceOf(ShaketableError)
  })
})
