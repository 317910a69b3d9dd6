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
    ['seven of 20 moved by a millionth', singles(0, 7, 20).map((one) => one * 1e-6), {}, 'inconclusive', undefined],
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
    const steady = testOf(singles(0, 0, 134))
    const worse = testOf(singles(10, 2, 134))
    expect(worse.p.worse).toBeGreaterThan(0.005)
    const verdicts = (others: number) =>
      judge([worse, ...Array.from({ length: others }, () => steady)], defaultRule).map(({ verdict }) => verdict)
    expect(verdicts(0)).toEqual(['fail'])
    expect(verdicts(17)).toEqual(['inconclusive', ...Array.from({ length: 17 }, () => 'pass')])
  })
})

describe('the verdict over all cells', () => {
  const codes = { pass: 0, fail: 1, inconclusive: 3, broken: 4 }

  it.each<[string, keyof typeof codes, obstacle?: string]>([
    ['pass pass', 'pass'],
    ['fail broken:errors unknown:missing', 'fail'],
    ['pass broken:errors inconclusive', 'broken'],
    ['', 'broken', 'It was stopped.'],
    ['pass inconclusive', 'inconclusive'],
    ['pass unknown:missing', 'inconclusive'],
    ['pass unknown:coverage', 'inconclusive'],
    ['pass unknown:new', 'pass'],
    ['pass unknown:unchanged', 'pass'],
    ['unknown:new', 'inconclusive'],
    ['', 'inconclusive'],
  ])('of %j is %s', (text, verdict, obstacle) => {
    const cells = text.split(' ').flatMap((cell) => {
      const [verdict, cause] = cell.split(':') as [CellVerdict, CheckedCell['cause']?]
      return cell === '' ? [] : { verdict, ...(cause && { cause }) }
    })
    const { reasons, ...decision } = decide(cells, obstacle)
    expect(decision).toEqual({ verdict, code: codes[verdict] })
    expect(reasons.length).toBeGreaterThan(0)
  })
})
