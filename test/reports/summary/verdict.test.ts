import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../src/results/aggregate.js'
import type { Measures } from '../../../src/results/episode-row.js'
import type { Difference } from '../../../src/results/schema.js'
import { explain, judge } from '../../../src/results/summary/verdict.js'
import { changedDose, makePlan, makeRow, makeRun } from '../fixture.js'

/** A change of success over 134 tasks. */
function change(mean?: number, low?: number, high?: number, holm?: number): Difference {
  const both = {
    ...{ tasks: 134, ...(mean !== undefined && { mean }) },
    ...(low !== undefined && high !== undefined && { interval: { low, high } }),
  }
  const test = holm !== undefined && { p: holm / 4, holm }
  return {
    ...{ pairs: mean === undefined ? 0 : 670, planned: 670, touched: { tasks: 134, of: 134 }, dropRate: {} },
    ...{ success: both, progress: both, flips: { both: 0, lost: 0, gained: 0, neither: 0 } },
    ...(test && { tests: { success: test, progress: test } }),
  }
}

describe('a verdict', () => {
  it.each<[string, Difference, number?]>([
    ['worse: Significantly worse: −93.3 points [−95.0, −91.0], Holm p < 0.001', change(-0.933, -0.95, -0.91, 0.0004)],
    ['better: Significantly better: +20.0 points [+10.0, +30.0], Holm p = 0.012', change(0.2, 0.1, 0.3, 0.012)],
    [
      'steady: Holds: −1.2 points [−3.0, +0.6], Holm p = 0.31 | A drop of more than 3.0 points is ruled out.',
      change(-0.012, -0.03, 0.006, 0.31),
    ],
    [
      'unclear: Inconclusive: −8.0 points [−25.0, +9.0], Holm p = 0.40 | Anything from a drop of 25.0 points to a gain of 9.0 is possible.',
      change(-0.08, -0.25, 0.09, 0.4),
    ],
    ['unknown: Unknown | No pair with the clean twin is measured yet.', change()],
    [
      'untouched: Unchanged | The perturbation changed nothing on any task, so this is no evidence.',
      { ...change(0, -0.02, 0.02, 1), touched: { tasks: 0, of: 134 } },
    ],
    [
      'unknown: No clean success: 0.0 points, Holm p = 1.00 | The clean twins never succeed, so there is nothing to lose.',
      change(0, undefined, undefined, 1),
      0,
    ],
  ])('is %s', (expected, difference, clean = 0.9) => {
    const { kind, title, figures, remark } = judge({ ...difference, identity: false }, clean)
    const words = figures === undefined ? title : `${title}: ${figures}`
    expect(`${kind}: ${remark === undefined ? words : `${words} | ${remark}`}`).toBe(expected)
  })
})

describe('a reason', () => {
  const alike = { formatErrors: 5, repeats: 4, understood: 5 }
  it.each<[string, Partial<Measures>, Partial<Measures>, readonly string[]]>([
    [
      'memorised wording',
      {},
      { understood: 5, memorised: 4 },
      ['80 % of refused actions are in the old wording.', 'No episode ever found the new wording.'],
    ],
    [
      'actions that are not understood',
      { understood: 9 },
      { understood: 5, adapted: 3 },
      ['50 % of actions are not understood, against 10 % in the clean twin.'],
    ],
    ['repeats', {}, { repeats: 3, adapted: 1 }, ['30 % of actions repeat one that was just refused.']],
    ['cut replies', {}, { faults: { length: 4 }, adapted: 1 }, ['40 % of replies reached the token limit.']],
    ['nothing that is as frequent in the clean twin', alike, { ...alike, adapted: 1 }, []],
  ])('is %s', (_, clean, perturbed, expected) => {
    const plan = makePlan({ conditions: ['none', 'agentrefine-1'], models: ['m'] })
    const run = makeRun(plan, (at) =>
      at.condition === 'none'
        ? makeRow(at, 'success', 1, clean)
        : { ...makeRow(at, 'failure', 0, perturbed), dose: changedDose },
    )
    const [before, after] = aggregate(run).groups
    expect(explain(after!, before!)).toEqual(expected)
  })
})
