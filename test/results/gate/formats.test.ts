import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { summaryOf } from '../../../src/cli/check.js'
import type { Check } from '../../../src/results/gate/check.js'
import { checkRun } from '../../../src/results/gate/check-run.js'
import { annotationsOf, junitOf } from '../../../src/results/gate/formats.js'
import { type Node, findAll, parseXml } from '../../reports/charts/xml.js'
import { type Vectors, madeBaseline, madeCells, madeOutcomes, madePanel, solving, defaultRule } from './_made.js'

/** A check with a cell that fails, one that passes, one that is new, and one with only errors. */
function mixed(ids: readonly string[] = []): Check {
  const solved = solving(100, 100)
  const lost: Vectors = [...solving(6, 0), ['x'], ['x'], ...solving(92, 92)]
  const missing: Vectors = solved.map(() => ['x'])
  const panels = [
    madePanel(100, { tasks: madePanel(100).tasks.map((task, place) => ({ ...task, id: ids[place] ?? task.id })) }),
  ]
  const before = ['none', 'lost', 'broken'].flatMap((condition) => madeCells(solved, { condition }))
  const after = [
    ...madeCells(solved, { condition: 'none' }),
    ...madeCells(lost, { condition: 'lost', broken: lost.map((_, task) => (task === 6 ? 1 : 0)) }),
    ...madeCells(missing, { condition: 'broken', broken: missing.map(() => 1) }),
    ...madeCells(solved, { condition: 'new' }),
  ]
  return checkRun(madeOutcomes(after, { panels }), madeBaseline(madeOutcomes(before, { panels })), defaultRule)
}

/** @throws for what is not well-formed */
function readJUnit(text: string): Node {
  const [head, ...lines] = text.split('\n')
  expect(head).toBe('<?xml version="1.0" encoding="UTF-8"?>')
  return parseXml(lines.join('').replace(/>\s+</g, '><'))
}

describe('JUnit', () => {
  it('distinguishes failures, errors and skipped tests', () => {
    const root = readJUnit(junitOf(mixed()))
    const counted = findAll(root, 'testsuite').map(({ attributes: { tests, failures, errors, skipped } }) =>
      [tests, failures, errors, skipped].map(Number),
    )
    expect(counted).toEqual([
      [101, 0, 0, 0],
      [101, 7, 1, 1],
      [101, 0, 101, 0],
      [1, 0, 0, 1],
    ])
    expect(root).toMatchObject({ attributes: { tests: '304', failures: '7', errors: '102', skipped: '2', time: '0' } })
    const found = ['failure', 'error', 'skipped'].map((kind) => findAll(root, kind))
    expect(found.map(({ length }) => length)).toEqual([7, 102, 2])
    for (const { attributes } of found.flat()) expect(attributes['message']).not.toBe('')
  })

  it('is well-formed for any name of a task', () => {
    const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 })
    const ids = fc.uniqueArray(id, { minLength: 4, maxLength: 8 })
    const markup = ['</testcase>', '<script>alert(1)</script>', '"&\'<>', ']]>']
    const hostile = [...markup, '\u0000\u0008\ufffe\uffff', '\ud800', 'a\u202eb\nc\td']
    fc.assert(
      fc.property(ids, (names) => {
        const text = junitOf(mixed([...hostile, ...names.filter((name) => !hostile.includes(name))]))
        expect(findAll(readJUnit(text), 'testcase').length).toBeGreaterThan(300)
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff\u202a-\u202e]|\p{Cs}/u)
      }),
      { numRuns: 20 },
    )
  })
})

it('annotations are sorted by severity', () => {
  expect(annotationsOf(mixed())).toMatchInlineSnapshot(`
      [
        "::error title=household · reader · act · lost::Got worse: −6.1 points (90 %25 interval −11.9 to −2.5), p = 0.031. Counting the missing pairs at their worst and best: −14.1 to −2.4.",
        "::error title=household · reader · act · broken::All 100 episodes that were played ended in an error.",
        "::notice title=household · reader · act · new::The baseline does not have it yet; update the baseline to gate on it.",
      ]
    `)
})

it('annotations of a run that is not whole, and its JUnit, have the reason', () => {
  const before = madeOutcomes(madeCells(solving(2, 1)))
  const check = checkRun(before, madeBaseline(before), defaultRule, 'It was stopped.')
  expect(annotationsOf(check)).toEqual(['::error title=shaketable check::It was stopped.'])
  const root = readJUnit(junitOf(check))
  expect(root.attributes).toMatchObject({ tests: '1', errors: '1' })
  expect(findAll(root, 'error')[0]!.attributes).toEqual({ message: 'broken: It was stopped.' })
})

it('annotations escape the control characters of workflow commands', () => {
  const check = mixed()
  const cell = { ...check.cells[1]!, condition: 'a:b,c%\r\n::error::x', reason: '100%\nof' }
  expect(annotationsOf({ ...check, cells: [cell] })).toEqual([
    '::error title=household · reader · act · a%3Ab%2Cc%25%0D%0A%3A%3Aerror%3A%3Ax::100%25%0Aof',
  ])
})

describe('the step summary', () => {
  it('has the verdict, the tables and the tasks', () => {
    const text = summaryOf(mixed())
    expect(text).toMatch(/^# shaketable check: REGRESSION\n\n- How often /)
    expect(text).toContain(
      '\n- REGRESSION (exit code 1): 1 of 4 cells got worse. 1 of 4 cells had nothing but errors.\n',
    )
    expect(text).toContain('\n  - lost task-0: 1/1 → 0/1\n')
    expect(text).toContain('\n  - broken task-6: 1/1 → 0/0\n')
  })

  it.each([
    ['2026-11-20', '2026-11-26', 'The baseline was played on 2026-11-20, 6 days before the run.'],
    ['2026-11-26', '2026-11-26', 'The baseline was played on 2026-11-26, the same day.'],
  ])('tells how old the baseline is: %s, %s', (baseline, run, sentence) => {
    const check = mixed()
    const text = summaryOf({
      ...check,
      baseline: { ...check.baseline, played: baseline },
      run: { ...check.run, played: run, took: '1,200 calls' },
    })
    expect(text).toContain(`- ${sentence}\n`)
    expect(text).toContain('- The run took 1,200 calls.\n')
    // Control models play alike on any day.
    expect(summaryOf(check)).not.toMatch(/was played on/)
  })

  it('has the sentences alone where GitHub would drop it', () => {
    const whole = summaryOf(mixed())
    expect(summaryOf(mixed(), Buffer.byteLength(whole))).toBe(whole)
    const short = summaryOf(mixed(), Buffer.byteLength(whole) - 1)
    expect(short).toMatch(/\n- REGRESSION \(exit code 1\): .*\n\n- The tables are left out: /)
    expect(short).not.toContain('| Model |')
  })
})
