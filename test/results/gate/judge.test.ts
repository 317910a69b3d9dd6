import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CellVerdict, CheckedCell, Rule } from '../../../src/results/gate/check.js'
import { decide, judge, testDifference } from '../../../src/results/gate/judge.js'
import { defaultRule } from './_made.js'

/** One pair per task: the first are lost, the next gained, the rest unchanged. */
function singles(lost: number, gained: number, tasks: number): number[] {
  return Array.from({ length: tasks }, (_, task) => (task < lost ? -1 : task < lost + gained ? 1 : 0))
}

const testOf = (difference: number[], low = difference, high = difference) => {
  const [measured, ifLost, ifGained] = [difference, low, high].map((list) => Float64Array.from(list))
  return testDifference({ difference: measured!, low: ifLost!, high: ifGained! }, defaultRule)!
}

const judgeOne = (byTask: number[], rule: Partial<Rule> = {}) => {
  const whole = { ...defaultRule, ...rule }
  const difference = Float64Array.from(byTask)
  return judge([testDifference({ difference, low: difference, high: difference }, whole)!], whole)[0]!
}

describe('the test of a cell', () => {
  it('does not become a pass when seven tasks change by a millionth', () => {
    const still = Array.from({ length: 20 }, () => 0)
    const moved = still.map((_, task) => (task < 7 ? 1e-6 : 0))
    expect(judgeOne(still).verdict).toBe('inconclusive')
    expect(judgeOne(moved).verdict).toBe('inconclusive')
  })

  it('is mirrored with its differences', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(-1, -0.5, 0, 1 / 3, 1), { minLength: 2, maxLength: 40 }), (byTask) => {
        const test = testOf(byTask)
        const mirrored = testOf(byTask.map((difference) => -difference))
        expect(mirrored.p.better).toBeCloseTo(test.p.worse, 9)
        expect(mirrored.interval.low).toBeCloseTo(-test.interval.high, 9)
      }),
    )
  })

  it('assumes the worst outcomes for missing pairs', () => {
    const measured = [...Array.from({ length: 126 }, () => 0), ...Array.from({ length: 8 }, () => NaN)]
    const filled = (difference: number) => measured.map((one) => (Number.isNaN(one) ? difference : one))
    const alone = testOf(measured)
    const whole = testOf(measured, filled(-1), filled(1))
    expect(whole.interval).toEqual(alone.interval)
    expect(whole.worstCase!.low).toBeLessThan(alone.interval.low)
    expect(judge([alone], defaultRule)[0]!.verdict).toBe('pass')
    expect(judge([whole], defaultRule)[0]!.verdict).toBe('inconclusive')
  })
})

describe('the verdict on a cell', () => {
  // The cases of the reference page, section 13, and their neighbours.
  it.each<[string, number[], Partial<Rule>, string, string | undefined]>([
    ['12 gained, 4 lost of 134', singles(4, 12, 134), {}, 'pass', 'better'],
    ['9 gained, 9 lost of 134', singles(9, 9, 134), {}, 'inconclusive', undefined],
    ['3 gained, 8 lost of 50', singles(8, 3, 50), {}, 'inconclusive', undefined],
    ['30 lost of 134', singles(30, 0, 134), {}, 'fail', 'worse'],
    ['9 lost of 134', singles(9, 0, 134), {}, 'fail', 'worse'],
    ['6 lost of 134, less than the margin', singles(6, 0, 134), { margin: 0.1 }, 'pass', 'worse'],
    ['6 lost of 134, perhaps less than the margin', singles(6, 0, 134), {}, 'inconclusive', 'worse'],
    ['nothing moved on 134', singles(0, 0, 134), {}, 'pass', undefined],
    ['nothing moved on 20', singles(0, 0, 20), {}, 'inconclusive', undefined],
    ['3 lost of 3', singles(3, 0, 3), {}, 'inconclusive', undefined],
    ['4 lost of 50', singles(4, 0, 50), {}, 'inconclusive', undefined],
    ['one lost of 20, exactly the margin', singles(1, 0, 20), {}, 'inconclusive', undefined],
  ])('%s', (_, byTask, rule, verdict, moved) => {
    const judgement = judgeOne(byTask, rule)
    expect([judgement.verdict, judgement.moved]).toEqual([verdict, moved])
  })

  it('never moves towards a pass as a task becomes worse', () => {
    const severity = { pass: 0, inconclusive: 1, fail: 2 }
    const outcome = fc.constantFrom(-1, -0.5, -0.1, 0, 0, 0, 0, 0.1, 1)
    fc.assert(
      fc.property(
        fc.array(outcome, { minLength: 20, maxLength: 134 }),
        fc.nat(),
        outcome,
        fc.constantFrom(0.02, 0.05, 0.1, 0.2),
        (differences, place, other, margin) => {
          const task = place % differences.length
          const worse = differences.with(task, other < differences[task]! ? other : differences[task]!)
          const [before, after] = [differences, worse].map((one) => judgeOne(one, { margin }))
          expect(severity[after!.verdict]).toBeGreaterThanOrEqual(severity[before!.verdict])
        },
      ),
      { numRuns: 200 },
    )
  })

  it('requires more for a fail among many cells, and the same for a pass', () => {
    const test = testOf(singles(8, 0, 134))
    const steady = testOf(singles(0, 0, 134))
    const worse = testOf(singles(10, 2, 134))
    expect(worse.p.worse).toBeGreaterThan(0.005)
    const verdicts = (others: number) =>
      judge([worse, ...Array.from({ length: others }, () => steady)], defaultRule).map(({ verdict }) => verdict)
    expect(verdicts(0)).toEqual(['fail'])
    expect(verdicts(17)).toEqual(['inconclusive', ...Array.from({ length: 17 }, () => 'pass')])
    expect(test.p.worse).toBeLessThan(0.005)
  })
})

describe('the verdict over all cells', () => {
  const codes = { pass: 0, fail: 1, inconclusive: 3, broken: 4 }
  const cell = (verdict: CellVerdict, cause?: CheckedCell['cause']) => ({ verdict, ...(cause && { cause }) })

  it.each<[string, ReturnType<typeof cell>[], string | undefined, keyof typeof codes]>([
    ['all pass', [cell('pass'), cell('pass')], undefined, 'pass'],
    ['one fails', [cell('fail'), cell('broken', 'errors'), cell('unknown', 'missing')], undefined, 'fail'],
    ['one has only errors', [cell('pass'), cell('broken', 'errors'), cell('inconclusive')], undefined, 'broken'],
    ['the run was stopped', [], 'It was stopped.', 'broken'],
    ['one is inconclusive', [cell('pass'), cell('inconclusive')], undefined, 'inconclusive'],
    ['one is missing', [cell('pass'), cell('unknown', 'missing')], undefined, 'inconclusive'],
    ['one has too little coverage', [cell('pass'), cell('unknown', 'coverage')], undefined, 'inconclusive'],
    ['one is new', [cell('pass'), cell('unknown', 'new')], undefined, 'pass'],
    ['one changes nothing', [cell('pass'), cell('unknown', 'unchanged')], undefined, 'pass'],
    ['all are new', [cell('unknown', 'new')], undefined, 'inconclusive'],
    ['there are no cells', [], undefined, 'inconclusive'],
  ])('%s', (_, cells, obstacle, verdict) => {
    const decision = decide(cells, obstacle)
    expect(decision.verdict).toBe(verdict)
    expect(decision.code).toBe(codes[verdict])
    expect(decision.reasons.length).toBeGreaterThan(0)
  })
})
