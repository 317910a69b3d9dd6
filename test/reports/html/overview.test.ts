import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../reports/aggregate/aggregate.js'
import type { Difference } from '../../../reports/aggregate/differences.js'
import { markupOf } from '../../../reports/html/markup.js'
import { overviewCards } from '../../../reports/html/overview/cards.js'
import { changesTable } from '../../../reports/html/overview/changes.js'
import { about, percent, points, pValue } from '../../../reports/html/overview/figures.js'
import { findingsOf, worstOf } from '../../../reports/html/overview/findings.js'
import { intervalBar, scaleOf } from '../../../reports/html/overview/interval-bar.js'
import { judge } from '../../../reports/html/overview/verdict.js'
import { warningsOf } from '../../../reports/html/overview/warnings.js'
import type { Measures, Outcome } from '../../../src/core/episode.js'
import { changedDose, makePlan, makeRow, makeRun, taskId } from '../fixture.js'
import { richRun } from '../rich-example.js'
import { workedExample } from '../worked-example.js'
import { spokenRun } from './_spoken-run.js'

/** A difference of success; what it says of progress is not judged. */
function differ(of: {
  mean?: number
  low?: number
  high?: number
  p?: number
  tasks?: number
  pairs?: number
  unchanged?: number
}): Difference {
  const { mean, low, high, p, tasks = 134, pairs = 670, unchanged = 0 } = of
  const success = {
    tasks,
    ...(mean !== undefined && { mean }),
    ...(low !== undefined && high !== undefined && { interval: { low, high } }),
  }
  const test = p !== undefined && ({ method: 'sign-flip-exact', p: p / 4, holm: p } as const)
  return {
    pairs,
    planned: 670,
    unchanged,
    success,
    progress: success,
    flips: { both: 0, lost: 0, gained: 0, neither: 0 },
    dropRate: {},
    ...(test && { tests: { success: test, progress: test } }),
  }
}

describe('a verdict', () => {
  it.each([
    [
      'a clear drop',
      { mean: -0.933, low: -0.95, high: -0.91, p: 0.0004 },
      'worse',
      'Clearly worse: −93.3 points [−95.0, −91.0], p < 0.001',
    ],
    [
      'a clear gain',
      { mean: 0.2, low: 0.1, high: 0.3, p: 0.012 },
      'better',
      'Clearly better: +20.0 points [+10.0, +30.0], p = 0.012',
    ],
    [
      'a small change in narrow bounds',
      { mean: -0.012, low: -0.03, high: 0.006, p: 0.31 },
      'steady',
      'Holds: −1.2 points [−3.0, +0.6], p = 0.31 | A drop of more than 3.0 points is ruled out.',
    ],
    [
      'a change in wide bounds',
      { mean: -0.08, low: -0.25, high: 0.09, p: 0.4 },
      'unclear',
      'Cannot tell: −8.0 points [−25.0, +9.0], p = 0.40 | Anything from a drop of 25.0 points to a gain of 9.0 is possible.',
    ],
    [
      'bounds below zero that the corrected test does not follow',
      { mean: -0.08, low: -0.16, high: -0.001, p: 0.09 },
      'unclear',
      'Cannot tell: −8.0 points [−16.0, −0.1], p = 0.090 | Anything from a drop of 16.0 points to one of 0.1 is possible.',
    ],
    [
      'no test but an interval',
      { mean: -0.3, low: -0.4, high: -0.2 },
      'worse',
      'Clearly worse: −30.0 points [−40.0, −20.0]',
    ],
    [
      'every task by the same amount, tested',
      { mean: -1, p: 0.008 },
      'worse',
      'Clearly worse: −100.0 points, p = 0.008',
    ],
    ['no pair', { pairs: 0, tasks: 0 }, 'unknown', 'Not known | There is no pair of two measurements yet.'],
    [
      'nothing that was changed',
      { pairs: 0, tasks: 0, unchanged: 134 },
      'untouched',
      'Untouched | The perturbation changed nothing on any task, so this is no evidence.',
    ],
  ] as const)('is given on %s', (_, difference, kind, words) => {
    const verdict = judge(differ(difference), 0.9)
    expect(verdict.kind).toBe(kind)
    const figures = verdict.figures === undefined ? '' : `: ${verdict.figures}`
    const remark = verdict.remark === undefined ? '' : ` | ${verdict.remark}`
    expect(`${verdict.says}${figures}${remark}`).toBe(words)
  })

  it('does not call it steady where the clean twins have nothing to lose', () => {
    expect(judge(differ({ mean: 0, p: 1 }), 0)).toMatchObject({ kind: 'unknown', says: 'Nothing to lose' })
    expect(judge(differ({ mean: 0.2, low: 0.1, high: 0.3, p: 0.001 }), 0)).toMatchObject({ kind: 'better' })
  })
})

describe('a reason', () => {
  const reasonsOf = (
    clean: Partial<Measures>,
    perturbed: Partial<Measures>,
    outcome: Outcome = 'failure',
  ): readonly string[] => {
    const plan = makePlan({ columns: ['none', 'agentrefine-1'], models: ['m'] })
    const run = makeRun(plan, (at) =>
      at.column === 'none' ? makeRow(at, 'success', 1, clean) : makeRow(at, outcome, 0, perturbed),
    )
    return findingsOf(aggregate(run))[0]!.findings[0]!.reasons
  }

  it.each<[string, Partial<Measures>, Partial<Measures>, readonly string[]]>([
    [
      'memorised wording',
      {},
      { understood: 5, memorised: 4 },
      ['80 % of refused actions are the old wording.', 'No episode ever found the new wording.'],
    ],
    [
      'actions that are not understood',
      { understood: 9 },
      { understood: 5, adapted: 3 },
      ['50 % of actions are not understood, 10 % in the twin.'],
    ],
    ['repeats', {}, { repeats: 3, adapted: 1 }, ['30 % of actions repeat one that was just refused.']],
    [
      'format errors',
      { formatErrors: 1 },
      { formatErrors: 6, adapted: 1 },
      ['60 % of replies are not of the expected layout.'],
    ],
    [
      'replies that are cut off',
      {},
      { faults: { length: 4 }, adapted: 1 },
      ['40 % of replies ran into the limit of tokens.'],
    ],
    [
      'replies that are empty',
      { faults: { empty: 1 } },
      { faults: { empty: 2 }, adapted: 1 },
      ['20 % of replies are empty.'],
    ],
    [
      'nothing that the clean twin does not show too',
      { formatErrors: 5, repeats: 4, understood: 5 },
      { formatErrors: 5, repeats: 4, understood: 5, adapted: 1 },
      [],
    ],
  ])('is %s', (_, clean, perturbed, expected) => {
    expect(reasonsOf(clean, perturbed)).toEqual(expected)
  })

  it('is a context that was too small', () => {
    expect(reasonsOf({}, { adapted: 1 }, 'context-overflow')).toEqual(['100 % of episodes no longer fit the context.'])
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
  ])('are written for people: %s', (written, expected) => {
    expect(written).toBe(expected)
  })
})

describe('an interval bar', () => {
  it('reaches as far as the figures do, and always over zero', () => {
    expect(scaleOf([])).toEqual({ low: -0.1, high: 0.1 })
    expect(scaleOf([{ mean: -0.5, interval: { low: -0.63, high: -0.2 } }])).toEqual({ low: -0.7, high: 0.1 })
    expect(intervalBar({ mean: -1 }, { low: -1, high: 1 }, 'worse').markup).toContain(
      '<circle class="bar-mean" cx="4.0" cy="7" r="3.5">',
    )
  })
})

describe('the overview', () => {
  const subjects = findingsOf(aggregate(spokenRun(makePlan({ environments: [{ name: 'household', tasks: 80 }] }))))

  it('finds what broke and why', () => {
    const parrot = subjects.find(({ model }) => model === 'parrot')!
    const worst = worstOf(parrot)!
    expect(worst.group.column).toBe('agentrefine-1')
    expect(worst.verdict).toMatchObject({ kind: 'worse' })
    expect(worst.reasons).toMatchInlineSnapshot(`
      [
        "100 % of refused actions are the old wording.",
        "No episode ever found the new wording.",
        "33 % of actions repeat one that was just refused.",
      ]
    `)
    expect(
      markupOf(overviewCards(subjects))
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' '),
    ).toMatchInlineSnapshot(
      `" 1 of 2 models is clearly worse under at least one perturbation. reader clean success 100.0 % lowest, under agentrefine-1 100.0 % Holds under agentrefine-1 : 0.0 points [−4.5, +4.5], p = 1.00. A drop of more than 4.5 points is ruled out. Change of success in points placebo 0.0 agentrefine-1 0.0 parrot clean success 100.0 % lowest, under agentrefine-1 0.0 % Clearly worse under agentrefine-1 : −100.0 points [−100.0, −91.0], p &lt; 0.001. 100 % of refused actions are the old wording. No episode ever found the new wording. 33 % of actions repeat one that was just refused. Change of success in points placebo 0.0 agentrefine-1 −100.0 "`,
    )
  })

  it('never takes a promise of identity for the worst', () => {
    const plan = makePlan({ columns: ['none', 'placebo', 'agentrefine-1'], models: ['m'] })
    const run = makeRun(plan, (at) =>
      makeRow(at, at.column === 'placebo' ? 'failure' : 'success', at.column === 'placebo' ? 0 : 1),
    )
    expect(worstOf(findingsOf(aggregate(run))[0]!)!.group.column).toBe('agentrefine-1')
  })

  it('has a row for each model and column, with links to the pairs that were lost', () => {
    const told = aggregate(spokenRun())
    const table = changesTable(told, findingsOf(told)).markup
    expect(table.match(/<tr/g)).toHaveLength(1 + 4)
    expect(table).toContain(
      '<a href="#episodes?environment=household&amp;model=parrot&amp;agent=act&amp;column=agentrefine-1&amp;change=lost">24</a>',
    )
  })

  it('says so where there is nothing to compare with', () => {
    const plan = makePlan({ columns: ['agentrefine-1'] })
    const cards = markupOf(overviewCards(findingsOf(aggregate(makeRun(plan, (at) => at)))))
    expect(cards).toContain('No clean twin was played')
  })

  it('leaves bars to the table where there are many cards', () => {
    const many = findingsOf(
      aggregate(
        makeRun(makePlan({ models: Array.from({ length: 13 }, (_, place) => `m${String(place)}`) }), (at) => at),
      ),
    )
    expect(markupOf(overviewCards(many))).not.toContain('forest')
    expect(markupOf(overviewCards(many.slice(0, 12)))).toContain('forest')
  })

  it('names environments and agents where there are several', () => {
    const cards = markupOf(overviewCards(findingsOf(aggregate(richRun()))))
    for (const name of ['household', 'babyai', 'pddl'])
      expect(cards).toContain(`<h3><bdi class="short">${name}</bdi></h3>`)
  })
})

describe('warnings', () => {
  it('are none for a whole run', () => {
    expect(warningsOf(aggregate(spokenRun()))).toEqual([])
  })

  it('tell first what is missing, then what leaked, then what was left out', () => {
    const run = workedExample()
    const rows = [...run.rows].map((row) =>
      row.column === 'agentrefine-1' && row.task === taskId(1) ? { ...row, dose: { ...changedDose, leaks: 100 } } : row,
    )
    expect(
      warningsOf(aggregate({ ...run, rows: [...rows, { ...rows[0]!, task: 'gone' }], notes: ['A line was torn.'] })),
    ).toMatchInlineSnapshot(`
      [
        "Only 141 of 144 planned episodes are measurements: 2 broke and 1 were not played. The rest enters no mean. Run the same command again to play what is missing.",
        "1,100 mentions of the old wording reached the agent under agentrefine-1; expect none unless the scope of a perturbation leaves parts out. Check the perturbation with \`shaketable validate\`.",
        "A line was torn.",
        "1 row of no planned episode left out.",
        "4 of 84 pairs with the clean twin lack a half that was measured, and enter no change.",
      ]
    `)
  })

  it('tell that a run is not at its end', () => {
    expect(warningsOf(aggregate({ ...spokenRun(), writing: true })).join(' ')).toContain('still being written')
    expect(warningsOf(aggregate({ ...spokenRun(), stopped: 'The server is gone.' })).join(' ')).toContain(
      'The server is gone.',
    )
  })
})
