import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { format, resolveConfig } from 'prettier'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { baselineJsonSchema } from '../../src/gate/baseline-schema.js'
import { pairCells } from '../../src/compare/pair-cells.js'
import { describeDrift, makeBaseline } from '../../src/gate/baseline.js'
import { readBaseline } from '../../src/gate/read-baseline.js'
import { baselineText, writeBaseline } from '../../src/gate/write-baseline.js'
import { checkRun } from '../../src/gate/check-run.js'
import { madeBaseline, madeCells, madeOutcomes, madeRun, messageFrom, usualRule } from './_made.js'

const scratch = mkdtempSync(join(tmpdir(), 'shaketable-baseline-'))
const path = join(scratch, 'made.json')
afterAll(() => rmSync(scratch, { recursive: true }))

const outcomes = madeOutcomes([
  ...madeCells([
    ['111', '110'],
    ['1x0', '000'],
  ]),
  ...madeCells(
    [
      ['111', '110'],
      ['100', '000'],
    ],
    { column: 'agentrefine-1', unchanged: true },
  ),
])
const baseline = madeBaseline(outcomes)

describe('a baseline in its file', () => {
  it('is small and has a line for each task', () => {
    expect(baselineText(baseline)).toMatchInlineSnapshot(`
      "{
        "schema": 1,
        "history": [
          { "version": "0.1.0", "plan": "0123456789ab", "why": "first" }
        ],
        "sampling": {
          "temperatures": [0, 1],
          "seeds": [0, 1, 2],
          "stepLimit": 30,
          "maxTokens": 100
        },
        "models": [
          { "name": "reader", "hash": "aaaaaaaaaaaa" }
        ],
        "agents": [
          { "name": "act", "hash": "bbbbbbbbbbbb" }
        ],
        "columns": [
          { "environment": "household", "name": "none", "hash": "cccccccccccc" },
          { "environment": "household", "name": "agentrefine-1", "hash": "cccccccccccc" }
        ],
        "panels": [
          {
            "environment": "household",
            "version": "1",
            "hash": "00020123456789abcdef",
            "tasks": [
              ["task-0", "kind"],
              ["task-1", "kind"]
            ]
          }
        ],
        "cells": [
          {
            "environment": "household",
            "model": "reader",
            "agent": "act",
            "column": "none",
            "success": { "mean": 0.5417, "low": 0.0722, "high": 0.9441, "noise": 0.3874 },
            "progress": { "mean": 0.5417, "low": 0.0722, "high": 0.9441, "noise": 0.3874 },
            "tasks": [
              ["task-0", "111 110"],
              ["task-1", "1x0 000"]
            ]
          },
          {
            "environment": "household",
            "model": "reader",
            "agent": "act",
            "column": "agentrefine-1",
            "success": { "mean": 0.5, "low": 0.0589, "high": 0.9411, "noise": 0.3267 },
            "progress": { "mean": 0.5, "low": 0.0589, "high": 0.9411, "noise": 0.3267 },
            "tasks": [
              ["task-0", "111 110", "unchanged"],
              ["task-1", "100 000", "unchanged"]
            ]
          }
        ]
      }
      "
    `)
  })

  it('is read back unchanged, and written again to the same bytes', () => {
    writeBaseline(path, baseline)
    const read = readBaseline(path)
    expect(read).toEqual({ ...baseline, outcomes: { ...baseline.outcomes, source: path } })
    expect(baselineText(read)).toBe(readFileSync(path, 'utf8'))
  })

  it('is read as it was written where a checkout has changed its line ends, and says so', () => {
    writeFileSync(path, baselineText(baseline))
    const before = readBaseline(path)
    writeFileSync(path, `\ufeff${baselineText(baseline).replaceAll('\n', '\r\n')}`)
    const { outcomes, ...others } = readBaseline(path)
    expect({ ...others, outcomes: { ...outcomes, notes: [] } }).toEqual(before)
    const { notes } = checkRun(madeRun(outcomes), readBaseline(path), usualRule)
    expect(notes).toContainEqual(expect.stringContaining('were changed to CR LF'))
  })

  it('may have fewer seeds at one temperature; the file of an earlier version, which weighed seeds alike, is told', () => {
    const vectors = [
      ['1xx', '110'],
      ['0xx', '010'],
    ]
    const cells = madeCells(vectors, { sameAs: [0, -1, -1, 0, 1, 2] })
    const made = makeBaseline(madeRun(madeOutcomes(cells)), { plan: '', why: 'first', minCoverage: 0.9, history: [] })
    expect(made).toHaveProperty('baseline')
    writeFileSync(path, baselineText(madeBaseline(madeOutcomes(cells))))
    expect([...readBaseline(path).outcomes.cells[0]!.played.planned]).toEqual([1, 0, 0, 1, 1, 1])
    // By hand: (1 + 2/3) / 2; over seeds alike 3/4.
    const uneven = madeCells([['1xx', '110']])
    const text = baselineText(madeBaseline(madeOutcomes(uneven)))
    expect(text).toContain('"mean": 0.8333')
    writeFileSync(path, text.replaceAll('"mean": 0.8333', '"mean": 0.75'))
    expect(messageFrom(() => readBaseline(path))).toMatch(
      /expected 0\.8333, .*, got 0\.75: an earlier version wrote the file, .*now every temperature has it.*--update-baseline/,
    )
    writeFileSync(path, text.replaceAll('"mean": 0.8333', '"mean": 0.7'))
    expect(messageFrom(() => readBaseline(path))).not.toContain('earlier version')
  })

  it('knows the last day on which a model behind a server played, and a check tells it', () => {
    const cells = madeCells([['111', '110']])
    const run = madeRun(madeOutcomes(cells), { played: '2026-11-22' })
    const made = makeBaseline(run, { plan: '0123456789ab', why: 'first', minCoverage: 0.9, history: [] })
    if (!('baseline' in made)) throw new Error(made.refused.reason)
    writeBaseline(path, made.baseline)
    const read = readBaseline(path)
    expect(read.history).toMatchObject([{ why: 'first', played: '2026-11-22' }])
    const check = checkRun({ ...run, played: '2026-11-26' }, read, usualRule)
    expect([check.baseline.played, check.run.played]).toEqual(['2026-11-22', '2026-11-26'])
  })

  it('has each distinct episode once: copies are written as not played', () => {
    const vectors = [
      ['111', '110'],
      ['000', '010'],
    ]
    const cells = madeCells(vectors, { sameAs: [0, 0, 0, 0, 1, 2] })
    writeBaseline(path, madeBaseline(madeOutcomes(cells)))
    const text = readFileSync(path, 'utf8')
    expect(text).toContain('["task-0", "1xx 110"],')
    expect(text).toContain('["task-1", "0xx 010"]')
    const read = readBaseline(path)
    expect(baselineText(read)).toBe(text)
    const { cells: paired } = pairCells(read.outcomes, madeOutcomes(cells))
    expect(paired[0]!.pairedBy).toBe('seed')
    const { temperatures, seeds, sides } = paired[0]!
    expect([temperatures, seeds.first, [...sides.first.planned]]).toEqual([
      [0, 1],
      [0, 1, 2],
      [1, 0, 0, 1, 1, 1],
    ])
  })

  it('keeps any names and any order of tasks', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }), {
      minLength: 2,
      maxLength: 5,
    })
    fc.assert(
      fc.property(names, fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }), (ids, model) => {
        const cells = madeCells(
          ids.map(() => ['10']),
          { model },
        )
        const panels = [
          {
            environment: 'household',
            version: '1',
            hash: '0'.repeat(20),
            settings: 'a hash',
            tasks: ids.map(
              (id, task) => [{ id }, { id, kind: 'a' }, { id, hash: 'b' }, { id, kind: 'a', hash: 'b' }][task % 4]!,
            ),
          },
        ]
        const made = madeBaseline(madeOutcomes(cells, { panels }))
        writeBaseline(path, made)
        const read = readBaseline(path)
        expect(read.outcomes.panels).toEqual(panels)
        expect(read.outcomes.cells).toEqual(cells)
      }),
    )
  })

  it('has a schema that is published as defined in the code; `npx vitest run test/gate/baseline.test.ts -u` writes it', async () => {
    const published = fileURLToPath(new URL('../../docs/baseline.schema.json', import.meta.url))
    const text = await format(baselineJsonSchema(), { ...(await resolveConfig(published)), parser: 'json' })
    await expect(text).toMatchFileSnapshot(published)
  })
})

describe('a file that is not a baseline', () => {
  const damage = (change: (text: string) => string): string => {
    writeFileSync(path, change(baselineText(baseline)))
    return messageFrom(() => readBaseline(path)).replaceAll(scratch, '')
  }

  it.each<[string, (text: string) => string, RegExp]>([
    ['torn', (text) => text.slice(0, 300), /^\/made\.json: it is not JSON: /],
    ['a list', () => '[]', /^\/made\.json: .*expected object, received array/],
    ['null', () => 'null', /expected object, received null/],
    [
      'of another schema',
      (text) => text.replace('"schema": 1', '"schema": 2'),
      /expected a baseline of schema 1, got schema 2\. It was written by another version/,
    ],
    ['of no schema', (text) => text.replace('"schema": 1,', ''), /at schema: /],
    [
      'with a key that is unknown',
      (text) => text.replace('"history"', '"extra": 1, "history"'),
      /Unrecognized key: "extra"/,
    ],
    [
      'with another sign',
      (text) => text.replace('"111 110"', '"112 110"'),
      /at cells\.0\.tasks\.0: expected signs 1, 0, x/,
    ],
    [
      'with a sign too few',
      (text) => text.replace('"111 110"', '"11 110"'),
      /at cells\.0\.tasks\.0: expected 3 signs in each group, one for each seed, got 2/,
    ],
    [
      'with an outcome changed by hand',
      (text) => text.replace('"111 110"', '"111 111"'),
      /at cells\.0\.success\.mean: expected 0\.625, which follows from the outcomes, got 0\.5417/,
    ],
    [
      'with a figure changed by hand',
      (text) => text.replace('"noise": 0.3267', '"noise": 0.1'),
      /at cells\.1\.success\.noise: expected 0\.3267, .* got 0\.1/,
    ],
    [
      'with a task that the panel does not have',
      (text) => text.replace('["task-1", "1x0', '["task-9", "1x0'),
      /at cells\.0\.tasks\.1: expected the task task-1, as in the panel, got task-9/,
    ],
    [
      'with a task left out',
      (text) => text.replace(/,\s*\["task-1", "1x0 000"\]/, ''),
      /at cells\.0\.tasks: expected the 2 tasks of the panel, got 1/,
    ],
    [
      'with a task twice',
      (text) => text.replace('["task-1", "kind"]', '["task-0", "kind"]'),
      /at panels\.0\.tasks\.1: expected each task once/,
    ],
    [
      'with a cell twice',
      (text) => text.replaceAll('"column": "agentrefine-1"', '"column": "none"'),
      /at cells\.1: expected each cell once/,
    ],
    [
      'with a column that is not listed',
      (text) => text.replace('"column": "none"', '"column": "nome"'),
      /at cells\.0\.column: expected a column that is in columns/,
    ],
    [
      'with a seed twice',
      (text) => text.replace('[0, 1, 2]', '[0, 1, 1]'),
      /at sampling\.seeds\.2: expected each seed once/,
    ],
    [
      'with a wrong hash',
      (text) => text.replace('00020123456789abcdef', 'nonsense'),
      /at panels\.0\.hash: expected 20 hex digits/,
    ],
    [
      'with a task that is a number',
      (text) => text.replace('"task-0", "kind"', '7, "kind"'),
      /at panels\.0\.tasks\.0\.0: /,
    ],
    ['without a reason', (text) => text.replace('"why": "first"', '"why": ""'), /at history\.0\.why: /],
  ])('is refused: %s', (_, change, message) => {
    const refusal = damage(change)
    expect(refusal).toMatch(message)
    expect(refusal).toMatch(/--update-baseline\.$/)
  })

  it('is refused: missing, a folder, not text, too large', () => {
    expect(messageFrom(() => readBaseline(join(scratch, 'none.json')))).toMatch(
      /there is no such file\. Check the path\.$/,
    )
    mkdirSync(join(scratch, 'folder'))
    expect(messageFrom(() => readBaseline(join(scratch, 'folder')))).toMatch(/it is a folder/)
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0]))
    expect(messageFrom(() => readBaseline(path))).toMatch(/expected text in UTF-8/)
    writeFileSync(path, Buffer.alloc((1 << 25) + 1, 32))
    expect(messageFrom(() => readBaseline(path))).toMatch(/it has more than 33,554,432 bytes/)
  })

  it('is refused with a message, whatever the bytes', () => {
    const text = baselineText(baseline)
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(20), fc.string({ maxLength: 8 }), (at, cut, put) => {
        writeFileSync(path, text.slice(0, at) + put + text.slice(at + cut))
        let read
        try {
          read = readBaseline(path)
        } catch (thrown) {
          expect(thrown).toMatchObject({ name: 'ShaketableError', code: 'bad-input' })
          return
        }
        expect(read.outcomes.cells).toHaveLength(2)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a run that becomes the baseline', () => {
  const options = { plan: '0123456789ab', why: 'why', minCoverage: 0.9, history: [] }

  it('is refused if it is incomplete', () => {
    expect(makeBaseline(madeRun(outcomes, { obstacle: 'It was stopped.' }), options)).toEqual({
      refused: { code: 4, reason: 'It was stopped. It cannot be a baseline.' },
    })
  })

  it('is refused if too little of a cell is measured', () => {
    const made = makeBaseline(madeRun(outcomes), options)
    expect(made).toMatchObject({ refused: { code: 3 } })
    expect('refused' in made && made.refused.reason).toMatch(
      /^Expected at least 90\.0 % of every cell measured, but household · reader · act · none at temperature 0 has 83\.3 % of 6 episodes\./,
    )
  })
})

describe('the drift of a baseline', () => {
  const entry = (success?: number) => ({
    version: '1',
    plan: '0123456789ab',
    why: 'w',
    ...(success !== undefined && { success }),
  })

  it('is from the first known entry to the last', () => {
    expect(describeDrift([entry(0.62), entry(), entry(0.6), entry(0.575)])).toEqual([
      'The baseline was written 4 times; its mean success is 57.5 %, compared with 62.0 % at first (-4.5 points). A check compares with the last baseline only, so several drops within the margin can add up.',
    ])
    expect(describeDrift([entry(0.62)])).toEqual([])
    expect(describeDrift([entry(), entry()])).toEqual([])
  })
})
