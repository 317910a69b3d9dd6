import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { cellAt } from '../../../src/run/cells.js'
import { createGrid } from '../../../src/run/grid.js'
import { playCell } from '../../../src/run/play-cell.js'
import { openFileStore } from '../../../src/run/store/file-store.js'
import { thisProcess } from '../../../src/files/lock.js'
import { readRun } from '../../../src/run/store/read-run.js'
import { sealEpisode } from '../../../src/run/store/record.js'
import { doorParts, playInto } from '../_fakes.js'
import { scratchFolder } from '../../scratch.js'

const scratch = scratchFolder()

const parts = doorParts(3)
const grid = createGrid(parts, '1.0.0')
const planFile = { plan: grid.plan, experiment: { name: 'doors' } }
let folder = ''
let runs = 0
beforeEach(() => {
  folder = join(scratch, `run-${String(runs++)}`)
})

const playAll = () => playInto(folder, parts)

const outcomes = () => join(folder, 'outcomes.jsonl')
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n')
const report = () => JSON.stringify([...readRun(folder).rows].sort((one, other) => (one.key < other.key ? -1 : 1)))

describe('a run that was stopped', () => {
  it('loses only the line that was being written, reports that, and ends as if it had never been stopped', async () => {
    await playAll()
    const whole = report()
    const size = readFileSync(outcomes()).length
    truncateSync(outcomes(), size - 40)
    expect(readRun(folder).notes).toEqual(['outcomes.jsonl: the last line is unfinished and left out.'])
    const { notes, played } = await playAll()
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatch(/^outcomes\.jsonl: cut 1 unfinished last line \(\d+ bytes\)/)
    expect(played).toBe(1)
    expect(report()).toBe(whole)
    expect(linesOf(outcomes()).length).toBe(48)
  })

  it('plays an unreadable line again, names it, and loses nothing else', async () => {
    await playAll()
    const whole = report()
    const lines = linesOf(outcomes())
    lines[6] = `${lines[6]!.slice(0, 50)}###`
    lines[9] = lines[9]!.replace('"progress":', '"progress":2')
    writeFileSync(outcomes(), `${lines.join('\n')}\n`)
    const { notes, played } = await playAll()
    const note = "expected an episode's row, got something unreadable: LEFT OUT; `shaketable run` with the same"
    const named = (line: number): unknown => expect.stringContaining(`outcomes.jsonl:${String(line)}: ${note}`)
    expect(notes).toEqual([named(7), named(10)])
    expect(played).toBe(2)
    expect(report()).toBe(whole)
  })
})

describe('a run that is read', () => {
  it('gives trajectories by their keys, and none for missing or damaged ones', async () => {
    await playAll()
    const rows = [...readRun(folder).rows]
    const path = join(folder, 'trajectories.jsonl')
    const lines = linesOf(path)
    const damaged = rows[3]!.key
    const place = lines.findIndex((line) => line.includes(damaged))
    lines[place] = lines[place]!.slice(0, -10)
    writeFileSync(path, `${lines.join('\n')}\n`)
    const { trajectories } = readRun(folder)
    const keys = [rows[7]!.key, damaged, 'f'.repeat(20), rows[0]!.key, rows[7]!.key]
    expect([...trajectories(keys).keys()]).toEqual([rows[7]!.key, rows[0]!.key])
    expect(trajectories(keys).get(rows[0]!.key)!.prompt.length).toBeGreaterThan(0)
    expect(trajectories([]).size).toBe(0)
    writeFileSync(path, 'another file by now\n'.repeat(1000))
    expect(trajectories(keys).size).toBe(0)
  })
})

describe('the lock', () => {
  it('refuses a second writer, names the first, and lets readers read', async () => {
    const store = await openFileStore(folder, planFile)
    await expect(openFileStore(folder, planFile)).rejects.toThrow(
      `Another writer holds this run: process ${String(process.pid)} on ${hostname()}. Wait for it to end, or give --out another folder; if you know that it is gone, delete ${join(folder, 'lock')}.`,
    )
    expect(readRun(folder).writing).toBe(true)
    await store.close()
    expect(readRun(folder).writing).toBeUndefined()
    expect(existsSync(join(folder, 'lock'))).toBe(false)
  })

  it('is taken over if its process is gone, or if another process has its number', async () => {
    mkdirSync(folder)
    const gone = { ...thisProcess(), pid: 2 ** 22 + 1 }
    const renumbered = { ...thisProcess(), started: 'long ago' }
    for (const holder of [gone, renumbered]) {
      writeFileSync(join(folder, 'lock'), JSON.stringify(holder))
      await (await openFileStore(folder, planFile)).close()
    }
  })

  it('is not taken from a process on another machine, nor when it is unreadable', async () => {
    mkdirSync(folder)
    for (const text of [JSON.stringify({ pid: 1, host: 'elsewhere', started: '1' }), '', 'null', '{"pid":"1"}']) {
      writeFileSync(join(folder, 'lock'), text)
      await expect(openFileStore(folder, planFile)).rejects.toThrow(/^Another writer holds this run/)
    }
  })

  it.skipIf(process.platform === 'win32')('that cannot be written, as on a full disk, leaves nothing', () => {
    mkdirSync(folder)
    const path = join(folder, 'lock')
    const { href } = new URL('../../../dist/src/files/lock.js', import.meta.url)
    const script = `const { takeLock } = await import('${href}')
      try { takeLock('${path}') } catch (thrown) { process.stdout.write(thrown.code) }`
    const command = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"'
    expect(execFileSync('bash', ['-c', command, process.execPath, script], { encoding: 'utf8' })).toBe('EFBIG')
    expect(existsSync(path)).toBe(false)
  })
})

describe('a folder', () => {
  it('with unrelated files, a file in its place, or no write permission is refused in one sentence', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'thesis.tex'), '')
    await expect(openFileStore(folder, planFile)).rejects.toThrow(
      `Expected an empty folder or a run, but ${folder} holds other files (thesis.tex). Give --out another folder.`,
    )
    const file = join(folder, 'thesis.tex')
    await expect(openFileStore(file, planFile)).rejects.toThrow(
      /There is a file of that name\. Give --out another folder\.$/,
    )
    await expect(openFileStore(join(file, 'run'), planFile)).rejects.toThrow(/A part of the path is a file/)
    if (process.getuid?.() !== 0) {
      const closed = join(folder, 'closed')
      mkdirSync(closed)
      chmodSync(closed, 0o500)
      await expect(openFileStore(join(closed, 'run'), planFile)).rejects.toThrow(/may not be written to/)
    }
  })

  it('whose plan is damaged is neither read nor written', async () => {
    await (await openFileStore(folder, planFile)).close()
    const plan = join(folder, 'plan.json')
    for (const [text, message] of [
      ['{"format":3', /expected the plan of a run/],
      ['7', /expected the plan of a run/],
      ['{"format":1}', /expected format 3, got 1\. The run was written by another version of shaketable/],
      ['{"format":3,"plan":{"seeds":[1]}}', /expected the plan of a run/],
      [
        JSON.stringify({ format: 3, plan: { ...grid.plan, environments: [{ tasks: 3 }] } }),
        /expected the plan of a run/,
      ],
    ] as const) {
      writeFileSync(plan, text)
      await expect(openFileStore(folder, planFile)).rejects.toThrow(message)
      expect(() => readRun(folder)).toThrow(message)
    }
  })
})

describe('writing', () => {
  it.each<[string, (folder: string) => void]>([
    ['its folder is removed', (folder) => rmSync(folder, { recursive: true })],
    ['prompts.jsonl is removed', (folder) => rmSync(join(folder, 'prompts.jsonl'))],
    ['outcomes.jsonl is emptied', (folder) => truncateSync(join(folder, 'outcomes.jsonl'), 0)],
    ['outcomes.jsonl is another file', (folder) => renameSync(join(folder, 'other'), join(folder, 'outcomes.jsonl'))],
  ])('stops at once if %s while it is under way', async (_, change) => {
    const store = await openFileStore(folder, planFile)
    const [first, second] = [await playCell(grid, cellAt(grid.plan, 0)), await playCell(grid, cellAt(grid.plan, 1))]
    store.append(sealEpisode(first))
    while (readFileSync(outcomes()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    writeFileSync(join(folder, 'other'), '')
    change(folder)
    store.append(sealEpisode(second))
    const said = /^Cannot write to .*\.jsonl: it was removed, replaced or changed while it was being written/
    await expect(store.close()).rejects.toThrow(said)
    if (existsSync(outcomes())) expect(linesOf(outcomes()).length).toBeLessThan(2)
  })

  it('goes on in a folder whose line ends were changed, as by a checkout', async () => {
    await playAll()
    const whole = report()
    for (const name of ['outcomes.jsonl', 'prompts.jsonl', 'trajectories.jsonl'])
      writeFileSync(join(folder, name), readFileSync(join(folder, name), 'utf8').replaceAll('\n', '\r\n'))
    expect(await playAll()).toEqual({ notes: [], played: 0 })
    const run = readRun(folder)
    expect([report(), run.trajectories([...run.rows].map(({ key }) => key)).size]).toEqual([whole, 48])
  })
})
