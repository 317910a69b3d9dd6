import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../reports/aggregate/aggregate.js'
import type { Difference } from '../../../reports/aggregate/schema.js'
import { markupOf } from '../../../reports/html/markup.js'
import { overviewCards } from '../../../reports/html/overview/cards.js'
import { changesTable } from '../../../reports/html/overview/changes.js'
import { about, percent, points, pValue } from '../../../reports/summary/figures.js'
import { findingsOf, worstOf } from '../../../reports/summary/findings.js'
import { intervalBar, scaleOf } from '../../../reports/html/overview/interval-bar.js'
import { judge } from '../../../reports/summary/verdict.js'
import { warningsOf } from '../../../reports/html/page-body.js'
import type { Measures, Outcome } from '../../../src/core/episode.js'
import { changedDose, makePlan, makeRow, makeRun, taskId } from '../fixture.js'
import { richRun } from '../rich-example.js'
import { workedExample } from '../worked-example.js'
import { runWithTrajectories } from './_runs.js'

/** A difference of success over 134 tasks. */
function differenceOf(
  success: { readonly mean?: number; readonly interval?: { readonly low: number; readonly high: number } },
  p?: number,
): Difference {
  const both = { tasks: 134, ...success }
  const test = p !== undefined && ({ method: 'sign-flip-exact', p: p / 4, holm: p } as const)
  return {
    ...{ pairs: 670, planned: 670, unchanged: 0, dropRate: {} },
    success: both,
    progress: both,
    flips: { both: 0, lost: 0, gained: 0, neither: 0 },
    ...(test && { tests: { success: test, progress: test } }),
  }
}

const change = (mean: number, low: number, high: number, p?: number): Difference =>
  differenceOf({ mean, interval: { low, high } }, p)
const none = { ...differenceOf({}), pairs: 0 }

describe('a verdict', () => {
  it.each<[string, Difference, number?]>([
    ['worse: Significantly worse: −93.3 points [−95.0, −91.0], p < 0.001', change(-0.933, -0.95, -0.91, 0.0004)],
    ['better: Significantly better: +20.0 points [+10.0, +30.0], p = 0.012', change(0.2, 0.1, 0.3, 0.012)],
    ['worse: Significantly worse: −30.0 points [−40.0, −20.0]', change(-0.3, -0.4, -0.2)],
    ['worse: Significantly worse: −100.0 points, p = 0.008', differenceOf({ mean: -1 }, 0.008)],
    [
      'steady: Holds: −1.2 points [−3.0, +0.6], p = 0.31 | A drop of more than 3.0 points is ruled out.',
      change(-0.012, -0.03, 0.006, 0.31),
    ],
    [
      'unclear: Inconclusive: −8.0 points [−25.0, +9.0], p = 0.40 | Anything from a drop of 25.0 points to a gain of 9.0 is possible.',
      change(-0.08, -0.25, 0.09, 0.4),
    ],
    [
      'unclear: Inconclusive: −8.0 points [−16.0, −0.1], p = 0.090 | Anything from a drop of 16.0 points to one of 0.1 is possible.',
      change(-0.08, -0.16, -0.001, 0.09),
    ],
    ['unknown: Unknown | No pair with the clean twin is measured yet.', none],
    [
      'untouched: Unchanged | The perturbation changed nothing on any task, so this is no evidence.',
      { ...none, unchanged: 134 },
    ],
    [
      'unknown: No clean success: 0.0 points, p = 1.00 | The clean twins never succeed, so there is nothing to lose.',
      differenceOf({ mean: 0 }, 1),
      0,
    ],
    ['better: Significantly better: +20.0 points [+10.0, +30.0], p = 0.001', change(0.2, 0.1, 0.3, 0.001), 0],
  ])('is %s', (expected, difference, clean = 0.9) => {
    const { kind, title, figures, remark } = judge(difference, clean)
    const words = figures === undefined ? title : `${title}: ${figures}`
    expect(`${kind}: ${remark === undefined ? words : `${words} | ${remark}`}`).toBe(expected)
  })
})

describe('a reason', () => {
  it.each<[string, Partial<Measures>, Partial<Measures>, readonly string[], Outcome?]>([
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
    [
      'format errors',
      { formatErrors: 1 },
      { formatErrors: 6, adapted: 1 },
      ['60 % of replies are not in the expected format.'],
    ],
    [
      'replies that are cut off',
      {},
      { faults: { length: 4 }, adapted: 1 },
      ['40 % of replies reached the token limit.'],
    ],
    ['empty replies', { faults: { empty: 1 } }, { faults: { empty: 2 }, adapted: 1 }, ['20 % of replies are empty.']],
    [
      'nothing that is as frequent in the clean twin',
      { formatErrors: 5, repeats: 4, understood: 5 },
      { formatErrors: 5, repeats: 4, understood: 5, adapted: 1 },
      [],
    ],
    [
      'a context that is too small',
      {},
      { adapted: 1 },
      ['100 % of episodes no longer fit the context.'],
      'context-overflow',
    ],
  ])('is %s', (_, clean, perturbed, expected, outcome = 'failure') => {
    const plan = makePlan({ columns: ['none', 'agentrefine-1'], models: ['m'] })
    const run = makeRun(plan, (at) =>
      at.column === 'none' ? makeRow(at, 'success', 1, clean) : makeRow(at, outcome, 0, perturbed),
    )
    expect(findingsOf(aggregate(run))[0]!.findings[0]!.reasons).toEqual(expected)
  })
})

describe('figures', () => {
  it.each([
    [points(-0.0004), '0.0'],
    [points(-0.5), '−50.0'],
    [points(0.123), '+12.3'],
    [percent(1), '100.0 %'],
    [about(0.976), '98 %'],
    [about(0.9951), 'more than 99 %'],
    [about(0.002), 'less than 1 %'],
    [about(1), '100 %'],
    [about(0), '0 %'],
    [pValue(0.0491), 'p = 0.049'],
    [pValue(0.2), 'p = 0.20'],
  ])('are rounded for reading: %s', (written, expected) => {
    expect(written).toBe(expected)
  })
})

describe('an interval bar', () => {
  it('spans all figures and always zero', () => {
    expect(scaleOf([])).toEqual({ low: -0.1, high: 0.1 })
    expect(scaleOf([{ mean: -0.5, interval: { low: -0.63, high: -0.2 } }])).toEqual({ low: -0.7, high: 0.1 })
    expect(intervalBar({ mean: -1 }, { low: -1, high: 1 }, 'worse').markup).toContain(
      '<circle class="bar-mean" cx="4.0" cy="7" r="3.5">',
    )
  })
})

describe('the overview', () => {
  const subjects = findingsOf(
    aggregate(runWithTrajectories(makePlan({ environments: [{ name: 'household', tasks: 80 }] }))),
  )

  it('shows the worst perturbation and its reasons', () => {
    const parrot = subjects.find(({ model }) => model === 'parrot')!
    const worst = worstOf(parrot)!
    expect(worst.group.column).toBe('agentrefine-1')
    expect(worst.verdict).toMatchObject({ kind: 'worse' })
    expect(worst.reasons).toMatchInlineSnapshot(`
      [
        "100 % of refused actions are in the old wording.",
        "No episode ever found the new wording.",
        "33 % of actions repeat one that was just refused.",
      ]
    `)
    expect(
      markupOf(overviewCards(subjects))
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' '),
    ).toMatchInlineSnapshot(
      `" 1 of 2 models is significantly worse under at least one perturbation. reader clean success 100.0 % lowest, under agentrefine-1 100.0 % Holds under agentrefine-1 : 0.0 points [−4.5, +4.5], p = 1.00. A drop of more than 4.5 points is ruled out. Change of success in points placebo 0.0 agentrefine-1 0.0 parrot clean success 100.0 % lowest, under agentrefine-1 0.0 % Significantly worse under agentrefine-1 : −100.0 points [−100.0, −91.0], p &lt; 0.001. 100 % of refused actions are in the old wording. No episode ever found the new wording. 33 % of actions repeat one that was just refused. Change of success in points placebo 0.0 agentrefine-1 −100.0 "`,
    )
  })

  it('never reports an identity or adversarial column as the worst', () => {
    const plan = makePlan({ columns: ['none', 'placebo', 'adversary', 'agentrefine-1'], models: ['m'] })
    const run = makeRun(plan, (at) => {
      const isLost = at.column === 'placebo' || at.column === 'adversary'
      return makeRow(at, isLost ? 'failure' : 'success', isLost ? 0 : 1)
    })
    const subjects = findingsOf(aggregate(run))
    expect(worstOf(subjects[0]!)!.group.column).toBe('agentrefine-1')
    expect(
      overviewCards(subjects)
        .map(({ markup }) => markup)
        .join(''),
    ).toContain('Adversarial, and so in no figure over several conditions: adversary.')
  })

  it('has a row for each model and column, with links to the pairs that were lost', () => {
    const summary = aggregate(runWithTrajectories())
    const table = changesTable(summary, findingsOf(summary)).markup
    expect(table.match(/<tr/g)).toHaveLength(1 + 4)
    expect(table).toContain(
      '<a href="#episodes?environment=household&amp;model=parrot&amp;agent=act&amp;column=agentrefine-1&amp;change=lost">24</a>',
    )
  })

  it('reports that there is nothing to compare with', () => {
    const plan = makePlan({ columns: ['agentrefine-1'] })
    const cards = markupOf(overviewCards(findingsOf(aggregate(makeRun(plan, (at) => at)))))
    expect(cards).toContain('No clean twin was played')
  })

  it('leaves bars to the table if there are many cards', () => {
    const models = Array.from({ length: 13 }, (_, index) => `m${String(index)}`)
    const many = findingsOf(aggregate(makeRun(makePlan({ models }), (at) => at)))
    expect(markupOf(overviewCards(many))).not.toContain('forest')
    expect(markupOf(overviewCards(many.slice(0, 12)))).toContain('forest')
  })

  it('names environments if there are several', () => {
    const cards = markupOf(overviewCards(findingsOf(aggregate(richRun()))))
    for (const name of ['household', 'babyai', 'pddl'])
      expect(cards).toContain(`<h3><bdi class="short">${name}</bdi></h3>`)
  })
})

describe('warnings', () => {
  it('are empty for a complete run', () => {
    expect(warningsOf(aggregate(runWithTrajectories()))).toEqual([])
  })

  it('list first what is missing, then leaks, then what was left out', () => {
    const run = workedExample()
    const rows = [...run.rows].map((row) =>
      row.column === 'agentrefine-1' && row.task === taskId(1) ? { ...row, dose: { ...changedDose, leaks: 100 } } : row,
    )
    expect(
      warningsOf(aggregate({ ...run, rows: [...rows, { ...rows[0]!, task: 'gone' }], notes: ['A line was torn.'] })),
    ).toMatchInlineSnapshot(`
      [
        "Only 141 of 144 planned episodes are measurements: 2 broke and 1 were not played. The rest enters no mean. Run the same command again to play the missing episodes.",
        "1,100 mentions of the old wording reached the agent under agentrefine-1; expect none unless the scope of a perturbation leaves parts out. Check the perturbation with \`shaketable validate\`.",
        "A line was torn.",
        "1 row of unplanned episodes left out.",
        "4 of 84 pairs with the clean twin lack a measurement, and enter no change.",
      ]
    `)
  })

  it('report that a run is not finished', () => {
    expect(warningsOf(aggregate({ ...runWithTrajectories(), writing: true })).join(' ')).toContain(
      'still being written',
    )
    expect(warningsOf(aggregate({ ...runWithTrajectories(), stopped: 'The server is gone.' })).join(' ')).toContain(
      'The server is gone.',
    )
  })
})
