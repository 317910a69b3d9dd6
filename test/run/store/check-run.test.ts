import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { takeLock } from '../../../src/files/lock.js'
import { createGrid } from '../../../src/run/grid.js'
import { createLocalPlayer } from '../../../src/run/play-cell.js'
import { schedule } from '../../../src/run/schedule.js'
import { checkRun } from '../../../src/run/store/check-run.js'
import { FileStore } from '../../../src/run/store/file-store.js'
import { filesOf } from '../../../src/run/store/run-folder.js'
import { scratchFolder } from '../../scratch.js'
import { doorParts } from '../_fakes.js'

const scratch = scratchFolder()
const grid = createGrid(doorParts(1), '1.0.0')
let runs = 0
let files = filesOf('')
beforeEach(async () => {
  files = filesOf(join(scratch, String(runs++)))
  const store = await FileStore.open(files.folder, { plan: grid.plan, experiment: {} })
  const stop = new AbortController().signal
  await schedule({ plan: grid.plan, player: createLocalPlayer(grid, 1), store, played: () => undefined, stop })
  await store.close()
})

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

/** Changes one line of a file, given from 0. */
function edit(path: string, line: number, change: (text: string) => string): void {
  writeFileSync(
    path,
    `${linesOf(path)
      .map((text, at) => (at === line ? change(text) : text))
      .join('\n')}\n`,
  )
}

describe('the check of a run', () => {
  it('finds nothing in a run as it was written', () => {
    expect(checkRun(files.folder)).toEqual({ findings: [], remarks: [] })
  })

  it.each<[string, () => void, readonly [file: string, line: number, problem: RegExp][]]>([
    [
      'a row that is none',
      () => edit(files.outcomes, 2, (text) => text.replace('"outcome":"', '"outcome":"un')),
      [['outcomes.jsonl', 3, /expected an episode's row/]],
    ],
    [
      'a second row of an episode',
      () => appendFileSync(files.outcomes, `${linesOf(files.outcomes)[0]!}\n`),
      [['outcomes.jsonl', 17, /^the episode [0-9a-f]{20} has a row in line 1 already$/]],
    ],
    [
      'a trajectory that is not there',
      () => edit(files.trajectories, 1, () => ''),
      [['outcomes.jsonl', 2, /^the episode [0-9a-f]{20} has no trajectory that can be read$/]],
    ],
    [
      'a trajectory of another shape',
      () => edit(files.trajectories, 1, (text) => text.replace('"steps":', '"stops":')),
      [
        ['trajectories.jsonl', 2, /^steps: expected/],
        ['outcomes.jsonl', 2, /has no trajectory/],
      ],
    ],
    [
      'an unfinished last line',
      () => appendFileSync(files.outcomes, '{"key":"'),
      [['outcomes.jsonl', 17, /unfinished/]],
    ],
  ])('names %s', (_, change, found) => {
    change()
    const { findings } = checkRun(files.folder)
    expect(findings.map(({ file, line }) => [file, line])).toEqual(found.map(([file, line]) => [file, line]))
    for (const [place, [, , problem]] of found.entries()) expect(findings[place]!.problem).toMatch(problem)
  })

  it('names each trajectory whose prompt is missing', () => {
    rmSync(files.prompts)
    const { findings } = checkRun(files.folder)
    expect(findings).toHaveLength(16)
    expect(findings[0]).toMatchObject({ file: 'trajectories.jsonl', line: 1 })
    expect(findings[0]!.problem).toMatch(/messages? of its prompt are missing$/)
  })

  it('leaves out the line that is being written, and remarks on rows of no episode', () => {
    const [row] = linesOf(files.outcomes)
    appendFileSync(files.outcomes, `${row!.replace(/"key":"[0-9a-f]{20}"/, `"key":"${'0'.repeat(20)}"`)}\n{"key":"`)
    const lock = takeLock(files.lock)
    const { findings, remarks } = checkRun(files.folder)
    lock.release()
    expect(findings).toEqual([])
    expect(remarks).toEqual([
      'The run is being written; what it has so far is checked.',
      '1 row with a key that no episode of the plan has; reports leave them out.',
    ])
  })
})
