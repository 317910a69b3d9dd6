import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { pairCells } from '../../../src/results/compare/pair-cells.js'
import { describeDrift, findGap, makeBaseline } from '../../../src/results/gate/baseline.js'
import { baselineText, readBaseline, writeBaseline } from '../../../src/results/gate/baseline-file.js'
import { madeBaseline, madeCells, madeOutcomes } from './_made.js'

const scratch = mkdtempSync(join(tmpdir(), 'shaketable-baseline-'))
const path = join(scratch, 'made.json')
afterAll(() => rmSync(scratch, { recursive: true }))

const vectors = (first: string) => ['111 110', `${first} 000`].map((signs) => signs.split(' '))
const [clean] = madeCells(vectors('1x0'))
const outcomes = madeOutcomes([clean, ...madeCells(vectors('100'), { condition: 'agentrefine-1', unchanged: true })])
const baseline = madeBaseline(outcomes)

describe('a baseline in its file', () => {
  it('has a line for each task, is read back unchanged, with any line ends, and written again to the same bytes', () => {
    writeBaseline(path, baseline)
    const text = readFileSync(path, 'utf8')
    expect(text).toContain(
      '"condition": "none",\n      "tasks": [\n        ["task-0", "111 110"],\n        ["task-1", "1x0 000"]\n',
    )
    expect(text).toContain('["task-1", "100 000", "unchanged"]')
    const read = readBaseline(path)
    expect(read).toEqual({ ...baseline, outcomes: { ...baseline.outcomes, source: path } })
    expect(baselineText(read)).toBe(text)
    writeFileSync(path, `\ufeff${text.replaceAll('\n', '\r\n')}`)
    expect(readBaseline(path)).toEqual(read)
  })

  it('has each distinct episode once: copies are written as not played', () => {
    const cells = madeCells(vectors('000'), { sameAs: [0, 0, 0, 0, 1, 2] })
    writeBaseline(path, madeBaseline(madeOutcomes(cells)))
    const text = readFileSync(path, 'utf8')
    expect(text).toContain('["task-0", "1xx 110"],')
    const read = readBaseline(path)
    expect(baselineText(read)).toBe(text)
    const [paired] = pairCells(read.outcomes, madeOutcomes(cells)).cells
    expect(paired).toMatchObject({ temperatures: [0, 1], seeds: [0, 1, 2] })
    expect([...paired!.sides.first.planned]).toEqual([1, 0, 0, 1, 1, 1])
  })

  it('keeps any names, any order of tasks, and any progress', () => {
    const anyName = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' })
    const progress = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
      fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 100 })).map(([one, other]) => Math.min(1, one / other)),
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(anyName, { minLength: 2, maxLength: 5 }),
        anyName,
        fc.array(progress, { minLength: 10, maxLength: 10 }),
        (ids, model, scores) => {
          const signs = ids.map(() => ['10'])
          const [cell] = madeCells(signs, { model })
          const progress = Float64Array.from(scores.slice(0, 2 * ids.length))
          const cells = [{ ...cell, played: { ...cell.played, progress } }]
          const tasks = ids.map((id, task) => ({ id, ...(task % 2 === 0 && { kind: 'a' }), hash: 'b' }))
          const panels = [{ environment: 'household', version: '1', hash: '0'.repeat(20), settings: 'hash', tasks }]
          writeBaseline(path, madeBaseline(madeOutcomes(cells, { panels })))
          expect(readBaseline(path).outcomes).toMatchObject({ panels, cells })
        },
      ),
    )
  })

  it.each([
    [[0, 0, 1, 1], [1 / 3, 0.5, 2 / 3, 1], '(1/3)(0.5)[2/3]1'],
    [[0, 0, 1, 0], [0.123456789, 1e-9, 0, 1], '(0.123456789)(1e-9)[0](1)'],
  ])('writes the progress of failures in parentheses, that of successes in brackets', (success, progress, text) => {
    const [cell] = madeCells([['0000']])
    const played = { ...cell.played, success: Uint8Array.from(success), progress: Float64Array.from(progress) }
    expect(baselineText(madeBaseline(madeOutcomes([{ ...cell, played }])))).toContain(`["task-0", "${text}"]`)
  })
})

describe('a file that is not a baseline', () => {
  const swap = (from: string, to: string) => (text: string) => text.replace(from, to)
  it.each<[string, (text: string) => string, RegExp]>([
    ['torn', (text) => text.slice(0, 300), /made\.json: it is not JSON: /],
    ['a list', () => '[]', /made\.json: .*expected object, received array/],
    ['of another schema', swap('"schema": 2', '"schema": 1'), /at schema: .*expected 2/],
    ['with an unknown key', swap('"history"', '"extra": 1, "history"'), /Unrecognized key: "extra"/],
    ['with another sign', swap('"111 110"', '"112 110"'), /at cells\.0\.tasks\.0: .*got '112 110'/],
    ['with progress above 1', swap('"111 110"', '"11(1.5) 110"'), /at cells\.0\.tasks\.0: .*a progress from 0 to 1/],
    ['with unlike brackets', swap('"111 110"', '"11(0.5] 110"'), /at cells\.0\.tasks\.0: /],
    ['with a sign too few', swap('"111 110"', '"11 110"'), /at cells\.0\.tasks\.0: expected 2 groups of 3 signs/],
    ['with another task', swap('["task-1", "1x0', '["task-9", "1x0'), /at cells\.0\.tasks: expected the 2 tasks/],
    ['without a task', (text) => text.replace(/,\s*\["task-1", "1x0 000"\]/, ''), /at cells\.0\.tasks: /],
    ['with a wrong hash', swap('00020123456789abcdef', 'nonsense'), /at panels\.0\.hash: expected 20 hex digits/],
    ['without a reason', swap('"why": "first"', '"why": ""'), /at history\.0\.why: /],
  ])('is refused: %s', (_, change, message) => {
    writeFileSync(path, change(baselineText(baseline)))
    expect(() => readBaseline(path)).toThrow(message)
    expect(() => readBaseline(path)).toThrow(/--update-baseline\.$/)
  })

  it('is refused: missing, too large', () => {
    expect(() => readBaseline(join(scratch, 'none.json'))).toThrow(/no such file\. Check the path\.$/)
    writeFileSync(path, Buffer.alloc((1 << 25) + 1, 32))
    expect(() => readBaseline(path)).toThrow(/it has more than 33,554,432 bytes/)
  })
})

it('a run of which too little is measured does not become the baseline', () => {
  expect(findGap(outcomes, 0.9)).toMatch(/none at temperature 0 has 83\.3 % of 6 episodes\./)
  expect(findGap(outcomes, 0.8)).toBeUndefined()
  const entry = { plan: '0123456789ab', why: 'why', history: [] }
  const { history } = makeBaseline(madeOutcomes([clean], { played: '2026-11-22' }), entry)
  expect(history).toMatchObject([{ why: 'why', success: 0.5667, played: '2026-11-22' }])
})

it('the drift of a baseline is from the first known mean success to the last', () => {
  const entry = (success?: number) => ({ version: '1', plan: '0', why: 'w', ...(success && { success }) })
  expect(describeDrift([entry(0.62), entry(), entry(0.6), entry(0.575)])[0]).toMatch(
    /written 4 times; its mean success is 57\.5 %, compared with 62\.0 % at first \(−4\.5 points\)/,
  )
  expect(describeDrift([entry(0.62)])).toEqual([])
})
