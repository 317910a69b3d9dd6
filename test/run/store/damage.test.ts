import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../../src/core/episode.js'
import json from '../../../reports/json.js'
import { withChecksum } from '../../../src/files/checksum.js'
import { readLines } from '../../../src/files/lines.js'
import { ExchangeFile } from '../../../src/models/recording/exchange-file.js'
import { withRecording } from '../../../src/models/recording/uses.js'
import { createGrid } from '../../../src/run/grid.js'
import { createLocalPlayer } from '../../../src/run/play-cell.js'
import { schedule } from '../../../src/run/schedule.js'
import { FileStore } from '../../../src/run/store/file-store.js'
import { readRun } from '../../../src/run/store/read-run.js'
import { doorParts, knocker } from '../_fakes.js'

const scratch = mkdtempSync(join(tmpdir(), 'shaketable-damage-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const folder = join(scratch, 'run')
const grid = createGrid(doorParts(1, { temperatures: [0] }), '1.0.0')
const never = new AbortController().signal
const names = ['outcomes.jsonl', 'trajectories.jsonl', 'prompts.jsonl', 'plan.json']
const pathOf = (name: string): string => join(folder, name)

async function play(): Promise<{ readonly notes: readonly string[]; readonly played: number }> {
  const store = await FileStore.open(folder, { plan: grid.plan, experiment: {} })
  let played = 0
  await schedule({ plan: grid.plan, player: createLocalPlayer(grid, 1), store, played: () => played++, stop: never })
  await store.close()
  return { notes: store.notes, played }
}

interface WhatIsRead {
  readonly rows: readonly EpisodeRow[]
  readonly trajectories: readonly [string, unknown][]
  /** report.json, which has all figures. */
  readonly reported: unknown
  /** The lines of the report that mention damage. */
  readonly said: readonly string[]
}

/** Everything that is read of a run. */
function read(): WhatIsRead {
  const run = readRun(folder)
  const rows = [...run.rows]
  const trajectories = [...run.trajectories(rows.map(({ key }) => key))]
  const reported = [...json.render(run)]
  return { rows, trajectories, reported, said: [...run.notes, ...run.remarks] }
}

const files = new Map<string, Buffer>()
let whole: WhatIsRead
const planned = 8
beforeAll(async () => {
  await play()
  whole = read()
  expect([whole.rows.length, whole.said]).toEqual([planned, []])
  for (const name of names) files.set(name, readFileSync(pathOf(name)))
})

/** Rewrites the files in the format of earlier versions. */
function removeChecksums(): void {
  for (const [name, bytes] of files) {
    writeFileSync(pathOf(name), bytes.toString('utf8').replaceAll(/,"crc":"[0-9a-f]{8}"}$/gm, '}'))
  }
}

function restore(): void {
  for (const [name, bytes] of files) writeFileSync(pathOf(name), bytes)
  rmSync(pathOf('damaged.jsonl'), { force: true })
}

/** A byte at any place of a file, and its new value. */
const flips = fc.record({
  name: fc.constantFrom(...names),
  place: fc.noBias(fc.nat(999_999)).map((millionths) => millionths / 1e6),
  change: fc.oneof(
    { weight: 3, arbitrary: fc.nat(7).map((bit) => 1 << bit) },
    fc.integer({ min: 1, max: 255 }),
    fc.constantFrom(10 ^ 125, 10 ^ 34, 32 ^ 44),
  ),
})

describe('a changed byte anywhere in the files of a run', () => {
  it('is detected by a report, which reads all other lines; a resumed run plays its episode again', async () => {
    await fc.assert(
      fc.asyncProperty(flips, async ({ name, place, change }) => {
        restore()
        const bytes = Buffer.from(files.get(name)!)
        bytes[Math.floor(place * bytes.length)]! ^= change
        writeFileSync(pathOf(name), bytes)
        if (name === 'plan.json') {
          expect(read).toThrow(/plan\.json: (DAMAGED|expected JSON)/)
          const { notes, played } = await play()
          expect(notes.join('\n')).toMatch(/plan\.json: DAMAGED, .* the damaged one is kept in damaged\.jsonl/)
          expect(played).toBe(0)
          expect(readFileSync(pathOf(name))).toEqual(files.get(name))
          expect(read()).toEqual(whole)
          return
        }

        const damaged = read()
        expect(damaged.said.join('\n')).toMatch(/DAMAGED|unreadable|unfinished/)
        expect(damaged.said.join('\n')).toContain(name)
        if (name === 'outcomes.jsonl') expect(damaged.rows.length).toBe(planned - 1)
        else expect(damaged.rows).toEqual(whole.rows)
        for (const row of damaged.rows) expect(whole.rows).toContainEqual(row)
        if (name === 'trajectories.jsonl') expect(damaged.trajectories.length).toBe(planned - 1)
        if (name !== 'prompts.jsonl')
          for (const one of damaged.trajectories) expect(whole.trajectories).toContainEqual(one)

        const { notes, played } = await play()
        expect(notes.join('\n')).toContain(name)
        expect(played).toBe(1)
        expect(read()).toEqual(whole)
        expect((await play()).notes).toEqual([])
      }),
      { numRuns: 240, seed: 1 },
    )
  }, 240_000)

  it('leaves the damaged line as it was, in a separate file', async () => {
    restore()
    const bytes = Buffer.from(files.get('trajectories.jsonl')!)
    bytes[100]! ^= 1
    writeFileSync(pathOf('trajectories.jsonl'), bytes)
    await play()
    const kept = readFileSync(pathOf('damaged.jsonl'), 'utf8').trimEnd().split('\n')
    expect(kept).toContain(bytes.toString('utf8').split('\n')[0])
    expect(kept.length).toBe(2)
  })
})

describe('line ends that a checkout has changed', () => {
  it.each(names)('are told of %s, by what reads it and what writes to it', async (name) => {
    restore()
    writeFileSync(pathOf(name), readFileSync(pathOf(name), 'utf8').replaceAll('\n', '\r\n'))
    const told = `${pathOf(name)}: expected line ends as they were written (LF), got CR LF: something has changed them, such as git with core.autocrlf. Write '* -text' into .gitattributes`
    expect(() => read()).toThrow(told)
    await expect(play()).rejects.toThrow(told)
    restore()
    expect(read().rows).toEqual(whole.rows)
  })
})

describe('files of an earlier version, without checksums', () => {
  it('are read, which is reported once, and can be resumed', async () => {
    restore()
    removeChecksums()
    const old = read()
    expect([old.rows, old.trajectories]).toEqual([whole.rows, whole.trajectories])
    expect(old.said).toEqual([
      'plan.json has no checksum, as earlier versions wrote it: damage in it can go unnoticed.',
      'outcomes.jsonl has lines without a checksum, as earlier versions wrote them: damage in them can go unnoticed.',
    ])
    const outcomes = readFileSync(pathOf('outcomes.jsonl'), 'utf8').trimEnd().split('\n')
    writeFileSync(pathOf('outcomes.jsonl'), `${outcomes.slice(1).join('\n')}\n`)
    const { notes, played } = await play()
    expect(played).toBe(1)
    expect(notes).toEqual([
      `${folder} has lines without a checksum, as earlier versions wrote them: damage in them can go unnoticed.`,
    ])
    expect(read().rows).toEqual(whole.rows)
    expect(existsSync(pathOf('damaged.jsonl'))).toBe(false)
  })

  it('give a report and a resumed run the same episodes, whatever byte is changed', async () => {
    await fc.assert(
      fc.asyncProperty(flips, async ({ place, change }) => {
        restore()
        removeChecksums()
        const bytes = readFileSync(pathOf('outcomes.jsonl'))
        bytes[Math.floor(place * bytes.length)]! ^= change
        writeFileSync(pathOf('outcomes.jsonl'), bytes)
        const { stored } = readRun(folder)
        expect((await play()).played).toBe(planned - stored)
        const { rows, said } = read()
        expect(rows.map(({ key }) => key)).toEqual(whole.rows.map(({ key }) => key))
        expect(said.filter((sentence) => !sentence.includes('checksum'))).toEqual([])
      }),
      { numRuns: 100, seed: 1 },
    )
  }, 120_000)
})

describe('a damaged plan', () => {
  const damage = (): void => {
    restore()
    writeFileSync(pathOf('plan.json'), files.get('plan.json')!.subarray(0, 100))
  }

  it('is not replaced for another experiment, nor where nothing was played', async () => {
    damage()
    const other = createGrid(doorParts(1, { temperatures: [0], stepLimit: 9 }), '1.0.0')
    await expect(FileStore.open(folder, { plan: other.plan, experiment: {} })).rejects.toThrow(
      /plan\.json: expected JSON/,
    )
    rmSync(pathOf('outcomes.jsonl'))
    await expect(play()).rejects.toThrow(/plan\.json: expected JSON/)
    expect(readFileSync(pathOf('plan.json')).length).toBe(100)
    expect(existsSync(pathOf('lock'))).toBe(false)
  })
})

describe('a changed byte anywhere in a recording', () => {
  it('is detected, and every other exchange is still answered', async () => {
    const tape = join(scratch, 'tape.jsonl')
    const recording = await ExchangeFile.write(tape)
    const model = withRecording(knocker, recording)
    const sampling = { temperature: 0, maxTokens: 5, stop: [] }
    for (let seed = 0; seed < 5; seed++) {
      const said = 'a door and another door, and behind each of them a lamp that is lit. '.repeat(seed + 2)
      await model.complete([{ role: 'user', content: said }], { ...sampling, seed })
    }
    await recording.close()
    const bytes = readFileSync(tape)
    const ids = [...readLines(tape)].slice(2).map(({ text }) => (JSON.parse(text) as { id: string }).id)
    const answersOf = (): unknown[] => {
      const recorded = ExchangeFile.read(tape)
      const answers = ids.map((id) => recorded.answer(id))
      expect(recorded.notes.length).toBeGreaterThan(bytes.equals(readFileSync(tape)) ? -1 : 0)
      void recorded.close()
      return answers
    }
    const answers = answersOf()
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(5)
    fc.assert(
      fc.property(flips, ({ place, change }) => {
        const changed = Buffer.from(bytes)
        changed[Math.floor(place * bytes.length)]! ^= change
        writeFileSync(tape, changed)
        const found = answersOf()
        expect(found.filter((answer) => answer !== undefined).length).toBeGreaterThanOrEqual(4)
        for (const [index, answer] of found.entries()) if (answer !== undefined) expect(answer).toEqual(answers[index])
      }),
      { numRuns: 300 },
    )
  })
})

describe('a line with a checksum', () => {
  it('is plain JSON, whatever characters it contains', () => {
    const path = join(scratch, 'lines.jsonl')
    fc.assert(
      fc.property(fc.array(fc.record({ text: fc.string({ unit: 'binary' }) }), { minLength: 1 }), (values) => {
        const lines = values.map((value) => withChecksum(JSON.stringify(value)))
        for (const [index, line] of lines.entries()) expect(JSON.parse(line)).toMatchObject(values[index]!)
        writeFileSync(path, `${lines.join('\n')}\n`)
        const found = [...readLines(path)]
        expect(found.map(({ state }) => state)).toEqual(values.map(() => 'sound'))
        expect(found.map(({ text }) => JSON.parse(text) as unknown)).toEqual(values)
      }),
    )
  })
})
