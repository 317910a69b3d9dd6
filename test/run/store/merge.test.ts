import { cpSync, existsSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../../src/results/episode-row.js'
import { hashOf } from '../../../src/core/episode.js'
import type { StoredRun } from '../../../src/run/plan.js'
import { takeLock } from '../../../src/files/lock.js'
import { countCells } from '../../../src/run/cells.js'
import { type GridParts, createGrid } from '../../../src/run/grid.js'
import { shipped } from '../../../src/run/registry.js'
import { plainTraits } from '../../../src/models/traits.js'
import { type KnownServer, writeServers } from '../../../src/run/servers.js'
import { mergeRuns } from '../../../src/run/store/merge-runs.js'
import { joinRuns, readRun } from '../../../src/run/store/read-run.js'
import { filesOf, writeStopped } from '../../../src/run/store/run-folder.js'
import { doorParts, doors, playInto } from '../_fakes.js'
import { scratchFolder } from '../../scratch.js'

const scratch = scratchFolder()
let runs = 0
let base = join(scratch, 'undivided')
const at = (name: string): string => join(base, name)
/** The undivided run, which no test changes, and its reports. */
const undivided = at('whole')
let whole: Record<string, string>
beforeAll(async () => {
  await play('whole')
  whole = reportsOf(readRun(undivided))
})
beforeEach(() => {
  base = join(scratch, String(runs++))
})
const never = new AbortController().signal

const parts = doorParts(4)
const grid = createGrid(parts, '1.0.0')
const total = countCells(grid.plan)

/** Plays some cells of a plan, given by index; all by default. */
async function play(name: string, only?: readonly number[], given: GridParts = parts): Promise<number> {
  return (await playInto(at(name), given, only)).played
}

/** Plays a plan in several runs, each with every n-th task. */
async function playShards(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, shard) => `shard-${String(shard)}`)
  for (const [shard, name] of names.entries()) {
    const own = [...Array(total).keys()].filter((index) => Math.floor(index / 3) % count === shard)
    await play(name, own)
  }
  return names.map(at)
}

const merge = (folders: readonly string[], options: Partial<Parameters<typeof mergeRuns>[2]> = {}) =>
  mergeRuns(folders, at('all'), { stop: never, opened: () => undefined, ...options })

/** A hash of every file of every report. */
function reportsOf(run: StoredRun): Record<string, string> {
  const files = shipped.list('report').flatMap((report) => [...report.render(run)])
  return Object.fromEntries(files.map(({ file, text }) => [file, hashOf(text, 12)]))
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')
const stateOf = (folder: string): [string, string][] =>
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])

/** Rewrites one row. */
function edit(name: string, line: number, change: object): void {
  const path = filesOf(at(name)).outcomes
  const lines = linesOf(path)
  const row = JSON.parse(lines[line]!) as EpisodeRow
  lines[line] = JSON.stringify({ ...row, ...change })
  writeFileSync(path, `${lines.join('\n')}\n`)
}

describe('the merged parts of a run', () => {
  it.each([1, 5])('have the report of the undivided run to the byte: %i parts', async (count) => {
    const shards = await playShards(count)
    const before = shards.map(stateOf)
    const { added } = await merge(shards)
    expect(added).toBe(total)
    expect(shards.map(stateOf)).toEqual(before)
    const merged = readRun(at('all'))
    expect([merged.notes, merged.remarks]).toEqual([[], []])
    expect(reportsOf(merged)).toEqual(whole)
    const joined = joinRuns(shards)
    expect(reportsOf(joined)).toEqual(whole)
    for (const name of ['outcomes', 'trajectories', 'prompts'] as const) {
      expect(linesOf(filesOf(at('all'))[name]).sort()).toEqual(linesOf(filesOf(undivided)[name]).sort())
    }
    expect(await play('all')).toBe(0)
  })

  it('may come in several merges, each of which adds what is new', async () => {
    const shards = await playShards(3)
    const some = (await merge(shards.slice(0, 2))).added
    expect(some).toBeGreaterThan(total / 2)
    expect(readRun(at('all')).stored).toBe(some)
    expect((await merge(shards)).added).toBe(total - some)
    expect((await merge([...shards, at('all')])).added).toBe(0)
    expect(reportsOf(readRun(at('all')))).toEqual(whole)
    expect(linesOf(filesOf(at('all')).outcomes).length).toBe(total)
  })

  it('end well after a kill at any moment', async () => {
    const shards = await playShards(3)
    await merge(shards)
    const files = filesOf(at('all'))
    const shares = [
      { outcomes: 0.3, trajectories: 1, prompts: 1 },
      { outcomes: 0.31, trajectories: 0.6, prompts: 0.8 },
      { outcomes: 0, trajectories: 0, prompts: 0.4 },
    ]
    for (const share of shares) {
      for (const name of ['outcomes', 'trajectories', 'prompts'] as const)
        truncateSync(files[name], Math.floor(readFileSync(files[name]).length * share[name]))
      await merge(shards)
      expect(reportsOf(readRun(at('all')))).toEqual(whole)
    }
    rmSync(files.plan)
    rmSync(files.outcomes)
    for (const name of [files.trajectories, files.prompts]) rmSync(name)
    await merge(shards)
    expect(reportsOf(readRun(at('all')))).toEqual(whole)
  })
})

describe('runs with one episode in common', () => {
  it('keep one row if both are equal but for dates and attempts', async () => {
    await play('a')
    cpSync(at('a'), at('b'), { recursive: true })
    edit('b', 2, { date: '2026-11-22' })
    const { added, joined } = await merge([at('a'), at('b'), at('a')])
    expect(added).toBe(total)
    expect(joined.notes).toEqual([])
  })

  it('are refused with the first ten contradictions', async () => {
    await play('a')
    cpSync(at('a'), at('b'), { recursive: true })
    for (let line = 0; line < 12; line++) edit('b', line, { progress: 0.25, outcome: 'failure' })
    await expect(merge([at('a'), at('b')])).rejects.toThrow(
      /different ones of 12 episodes:\n {2}doors, door-0, .*, seed 0: \S+a and \S+b\n(.*\n){9} {2}… and 2 more\nLeave one of the runs out\./,
    )
    expect(existsSync(at('all'))).toBe(false)
    await merge([at('a')])
    await expect(merge([at('b')])).rejects.toThrow(/different ones of 12 episodes/)
    expect([...readRun(at('all')).rows]).toEqual([...readRun(at('a')).rows])
  })

  it('take a valid row before one that ended in an error, whichever comes first', async () => {
    const broken = doors(4, { broken: 'door-1' })
    await play('a')
    await play('broken', undefined, { ...parts, environments: [{ environment: broken, tasks: broken.tasks }] })
    for (const order of ['a broken', 'broken a']) {
      rmSync(at('all'), { recursive: true, force: true })
      await merge(order.split(' ').map(at))
      expect(reportsOf(readRun(at('all')))).toEqual(whole)
    }
    rmSync(at('all'), { recursive: true })
    await merge([at('broken')])
    expect((await merge([at('broken')])).added).toBe(0)
    expect((await merge([at('broken'), at('a')])).added).toBe(total / 4)
    expect(reportsOf(readRun(at('all')))).toEqual(whole)
  })
})

describe('a run that is merged', () => {
  it('that is being written is read as far as it is, with a remark', async () => {
    const [first, second] = await playShards(2)
    truncateSync(filesOf(second!).outcomes, readFileSync(filesOf(second!).outcomes).length - 10)
    const lock = takeLock(filesOf(second!).lock)
    const { joined, added } = await merge([first!, second!])
    lock.release()
    expect([joined.notes, joined.remarks]).toEqual([[], [`${second!} is being written; what it has so far is read.`]])
    expect(added).toBe(total - 1)
  })

  it('that have other settings are refused with the fields that differ', async () => {
    await play('a')
    await play('b', undefined, doorParts(4, { stepLimit: 9 }))
    await expect(merge([at('a'), at('b')])).rejects.toThrow(
      /b cannot be joined with .*a, since equal names stand for different episodes:\n {2}stepLimit: was \d+, is 9\nJoin only runs of one version/,
    )
    expect(() => joinRuns([at('a'), at('b')])).toThrow(/stepLimit/)
    expect(existsSync(at('all'))).toBe(false)
  })

  it('is complete once all parts are there, though one of them was stopped', async () => {
    const shards = await playShards(2)
    writeStopped(filesOf(shards[1]!).stopped, 'The budget is used up.')
    await merge([shards[1]!])
    expect(readRun(at('all')).stopped).toBe('The budget is used up.')
    await merge([shards[0]!])
    expect(readRun(at('all')).stopped).toBeUndefined()
  })
})

describe('what runs hold beside their episodes', () => {
  const server = (served: KnownServer['served'], address: string): KnownServer => ({
    schema: 1,
    address,
    model: 'knocker',
    findings: [],
    traits: {} as KnownServer['traits'],
    calls: 3,
    ...(served && { served }),
  })
  const traits: KnownServer['traits'] = { ...plainTraits, tools: 'accepted' }
  const put = (folder: string, served: Record<string, string | number>): void =>
    writeServers(filesOf(folder).servers, [{ ...server(served, `http://${folder.at(-1)!}`), traits }])

  it('of servers is joined', async () => {
    const shards = await playShards(2)
    for (const [number, folder] of shards.entries()) {
      put(folder, { root: 'weights', system_fingerprint: `fp-${String(number)}` })
      writeStopped(filesOf(folder).stopped, 'The budget is used up.')
    }
    for (let time = 0; time < 2; time++) {
      const { joined } = await merge(shards)
      expect(joined.accepted.join('\n')).toMatch(/system_fingerprint was fp-0, is fp-1.*noted/)
      const merged = readRun(at('all'))
      expect(merged.servers).toMatchObject([
        { address: 'http://0', changes: [{ accepted: false, differences: [{ was: 'fp-0', is: 'fp-1' }] }] },
      ])
      expect(merged.stopped).toBeUndefined()
    }
  })

  it('is refused if a server served another model, unless that is accepted', async () => {
    const shards = await playShards(2)
    put(shards[0]!, { root: 'weights', owned_by: 'vllm' })
    put(shards[1]!, { root: 'others', owned_by: 'vllm' })
    await expect(merge(shards)).rejects.toThrow(
      /another model under the name 'knocker' than .*: root was weights, is others\..*--accept-changed-model/,
    )
    await merge(shards, { acceptsChange: true })
    expect(readRun(at('all')).servers).toMatchObject([{ changes: [{ accepted: true }] }])
  })
})
