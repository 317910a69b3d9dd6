import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import json from '../../../reports/json.js'
import type { EpisodeRow } from '../../../src/core/episode.js'
import { createRandom } from '../../../src/core/random.js'
import { AppendFile } from '../../../src/files/append-file.js'
import { withChecksum } from '../../../src/files/checksum.js'
import { takeLock } from '../../../src/files/lock.js'
import { writeWhole } from '../../../src/files/write-whole.js'
import { createGrid } from '../../../src/run/grid.js'
import { createLocalPlayer } from '../../../src/run/play-cell.js'
import { schedule } from '../../../src/run/schedule.js'
import { writeServers } from '../../../src/run/servers.js'
import { FileStore } from '../../../src/run/store/file-store.js'
import { writePlan } from '../../../src/run/store/plan-file.js'
import { readRun } from '../../../src/run/store/read-run.js'
import { filesOf, writePrices, writeStopped } from '../../../src/run/store/run-folder.js'
import { repairRun, verifyRun } from '../../../src/run/store/verify-run.js'
import { doorParts, doors } from '../_fakes.js'

const folder = join(mkdtempSync(join(tmpdir(), 'shaketable-verify-')), 'run')
afterAll(() => rmSync(join(folder, '..'), { recursive: true }))
const files = filesOf(folder)
const grid = createGrid(doorParts(1, { temperatures: [0] }), '1.0.0')
const never = new AbortController().signal
const planned = 8
const prices = new Map([['knocker', { prompt: 1, completion: 2 }]])

async function play(): Promise<number> {
  const store = await FileStore.open(folder, { plan: grid.plan, experiment: {} })
  let played = 0
  await schedule({ plan: grid.plan, player: createLocalPlayer(grid, 1), store, played: () => played++, stop: never })
  await store.close()
  return played
}

async function writeLines(path: string, values: readonly object[]): Promise<void> {
  const file = await AppendFile.open(path)
  await file.write(values.map((value) => JSON.stringify(value)))
  await file.close()
}

/** Everything that reports read of the run, beside notes. */
function read(): unknown {
  const run = readRun(folder)
  const rows = [...run.rows]
  return [[...json.render(run)], [...run.trajectories(rows.map(({ key }) => key))]]
}

const stored = new Map<string, Buffer>()
let whole: unknown
beforeAll(async () => {
  await play()
  const keys = [...readRun(folder).rows].map(({ key }) => key)
  await writeLines(
    files.attempts,
    keys.map((key) => ({ key, steps: [{ milliseconds: 5 }] })),
  )
  await writeLines(files.sessions, [
    { session: 'a', episodes: 3 },
    { session: 'b', episodes: 5 },
  ])
  await writeLines(files.shrunk, [
    { replay: 'one', lost: true, calls: 1 },
    { replay: 'two', lost: false, calls: 1 },
  ])
  writePrices(files.prices, prices)
  writeStopped(files.stopped, 'The budget is used up.')
  writeServers(files.servers, [])
  writeWhole(files.merged, `${withChecksum(JSON.stringify({ merged: ['a', 'b'] }))}\n`)
  whole = read()
  for (const name of readdirSync(folder)) stored.set(name, readFileSync(join(folder, name)))
})
beforeEach(restore)
function restore(): void {
  for (const [name, bytes] of stored) writeFileSync(join(folder, name), bytes)
  rmSync(files.damaged, { force: true })
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')
/** Changes the JSON of a line and computes its checksum again. */
function edit(path: string, line: number, change: (value: Record<string, unknown>) => object): void {
  const lines = linesOf(path)
  const { crc, ...value } = JSON.parse(lines[line]!) as Record<string, unknown>
  lines[line] = withChecksum(JSON.stringify(change(value)))
  expect(crc).toBeDefined()
  writeFileSync(path, `${lines.join('\n')}\n`)
}

describe('a sound run', () => {
  it('has no findings, and is not changed', () => {
    const { findings, remarks, episodes } = verifyRun(folder)
    expect([findings, remarks]).toEqual([[], []])
    expect(episodes).toEqual({ planned, ended: planned, errors: 0, missing: new Map() })
    for (const [name, bytes] of stored) expect(readFileSync(join(folder, name))).toEqual(bytes)
  })
})

it('of more episodes than can be played is refused, as reports refuse it', () => {
  const seeds = Array.from({ length: 3000 }, (_, seed) => seed)
  const temperatures = seeds.map((seed) => seed / 3000)
  writePlan(files.plan, { plan: { ...grid.plan, seeds, temperatures }, experiment: {} })
  for (const read of [verifyRun, readRun]) expect(() => read(folder)).toThrow('a plan of at most 10,000,000 episodes')
})

describe('a flipped byte anywhere in the files of a run', () => {
  const names = [
    'outcomes.jsonl',
    'trajectories.jsonl',
    'prompts.jsonl',
    'attempts.jsonl',
    'sessions.jsonl',
    'shrunk.jsonl',
    'plan.json',
    'servers.json',
    'prices.json',
    'stopped.json',
    'merged.json',
  ]
  const flips = 200
  const repairs = 8

  it('is tried in every file', () => expect([...stored.keys()].sort()).toEqual([...names].sort()))

  it.each(names)(
    'is noticed and named, and repaired so that the report is the same: %s',
    async (name) => {
      const random = createRandom(`flips of ${name}`)
      for (let flip = 0; flip < flips; flip++) {
        restore()
        const bytes = Buffer.from(stored.get(name)!)
        const [place, bit] = [random.int(bytes.length), random.int(8)]
        bytes[place]! ^= 1 << bit
        writeFileSync(join(folder, name), bytes)
        const found = verifyRun(folder)
        const where = `byte ${String(place)}, bit ${String(bit)}`
        expect(
          found.findings.map(({ file }) => file),
          where,
        ).toContain(name)
        if (flip >= repairs) continue
        if (found.episodes) repairRun(folder, found.unfit)
        else expect(() => repairRun(folder, found.unfit)).toThrow(/plan\.json: (DAMAGED|expected)/)
        await play()
        writePrices(files.prices, prices)
        if (name === 'stopped.json') writeStopped(files.stopped, 'The budget is used up.')
        expect(verifyRun(folder).findings, where).toEqual([])
        expect(read(), where).toEqual(whole)
        if (bytes.at(-1) === 10) expect(existsSync(files.damaged), where).toBe(true)
      }
    },
    240_000,
  )
})

describe('a row that was edited, with a new checksum', () => {
  const cases: readonly (readonly [string, Partial<EpisodeRow>, RegExp])[] = [
    ['its outcome', { outcome: 'budget' }, /not the row that was stored with it/],
    ['its progress', { progress: 0.5 }, /not the row that was stored with it/],
    ['its fingerprint', { trace: '0123456789ab' }, /not the row that was stored with it/],
  ]
  it.each(cases)('is noticed, and played again after a repair: %s', async (_, change, problem) => {
    edit(files.outcomes, 2, (row) => ({ ...row, ...change }))
    const { findings, unfit } = verifyRun(folder)
    expect(findings).toMatchObject([{ file: 'outcomes.jsonl', line: 3 }])
    expect(findings[0]!.problem).toMatch(problem)
    expect(findings[0]!.episode).toMatch(/^doors, door-0, .*, seed \d$/)
    expect(repairRun(folder, unfit)).toEqual(['outcomes.jsonl: 1 row that did not fit moved to damaged.jsonl.'])
    expect(await play()).toBe(1)
    expect(verifyRun(folder).findings).toEqual([])
    expect(read()).toEqual(whole)
  })

  it.each([
    ['progress', { progress: 0.5 }, /progress is 0\.5, that of the steps [01]/],
    ['trace', { trace: '0123456789ab' }, /fingerprint/],
    ['measures', undefined, /measures\.steps is 99, that of the steps/],
  ] as const)(
    'is noticed in an episode of an older version by what follows from its steps: %s',
    (_, change, problem) => {
      for (let line = 0; line < planned; line++) {
        edit(files.trajectories, line, (trajectory) => ({ ...trajectory, rowCrc: undefined }))
      }
      expect(verifyRun(folder).findings).toEqual([])
      edit(files.outcomes, 2, (row) => ({
        ...row,
        ...(change ?? { measures: { ...(row['measures'] as object), steps: 99 } }),
      }))
      expect(verifyRun(folder).findings.map((finding) => finding.problem)).toEqual([expect.stringMatching(problem)])
    },
  )

  it('is noticed if the trajectory was edited instead', () => {
    edit(files.trajectories, 1, (trajectory) => ({ ...trajectory, steps: [] }))
    expect(verifyRun(folder).findings).toMatchObject([
      { file: 'outcomes.jsonl', problem: expect.stringMatching(/trace/) as string },
    ])
  })
})

describe('other states of a run', () => {
  it('names the episode of a damaged trajectory, and missing trajectories', () => {
    const lines = linesOf(files.trajectories)
    lines[3] = lines[3]!.replace('door', 'dour')
    lines.splice(5, 1)
    writeFileSync(files.trajectories, `${lines.join('\n')}\n`)
    const { findings } = verifyRun(folder)
    expect(findings).toMatchObject([
      { file: 'trajectories.jsonl', line: 4, episode: expect.stringMatching(/^doors, door-0/) as string },
      { file: 'outcomes.jsonl', problem: expect.stringMatching(/no trajectory/) as string },
      { file: 'outcomes.jsonl', problem: expect.stringMatching(/no trajectory/) as string },
    ])
  })

  it('counts errors and missing episodes by condition, which are not damage', async () => {
    rmSync(folder, { recursive: true })
    const environment = doors(1, { broken: 'door-0' })
    const broken = createGrid(
      doorParts(1, { temperatures: [0], environments: [{ environment, tasks: environment.tasks }] }),
      '1.0.0',
    )
    const store = await FileStore.open(folder, { plan: broken.plan, experiment: {} })
    const player = createLocalPlayer(broken, 1)
    await schedule({ plan: broken.plan, player, store, played: () => undefined, stop: never, only: [0, 1, 2] })
    await store.close()
    const { findings, episodes } = verifyRun(folder)
    expect(findings).toEqual([])
    expect(episodes).toMatchObject({ planned, ended: 0, errors: 3 })
    expect([...episodes!.missing.values()].reduce((sum, times) => sum + times)).toBe(5)
    rmSync(folder, { recursive: true })
    await play()
  })

  it('remarks lines without checksums, foreign rows and removed trajectories', () => {
    const lines = linesOf(files.outcomes).map((line) => line.replace(/,"crc":"[0-9a-f]{8}"}$/, '}'))
    writeFileSync(files.outcomes, `${lines.join('\n')}\n`)
    rmSync(files.trajectories)
    const { findings, remarks } = verifyRun(folder)
    expect(findings).toEqual([])
    expect(remarks).toEqual([
      'outcomes.jsonl has lines without a checksum, as earlier versions wrote them: damage in them can go unnoticed.',
      'trajectories.jsonl is not there, so that rows cannot be compared with it.',
    ])
  })

  it('of a run that is being written are checked as far as they are, and not repaired', () => {
    truncateSync(files.outcomes, readFileSync(files.outcomes).length - 10)
    const lock = takeLock(files.lock)
    const { findings, remarks, unfit } = verifyRun(folder)
    expect(findings).toEqual([])
    expect(remarks[0]).toMatch(/is being written/)
    expect(() => repairRun(folder, unfit)).toThrow(/Another writer holds this run/)
    lock.release()
  })
})
