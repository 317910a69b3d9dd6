import type { ComponentChildren } from 'preact'
import { Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../src/results/aggregate.js'
import type { Difference } from '../../../src/results/schema.js'
import { modelCards } from '../../../reports/html/overview/cards.js'
import { conditionsStrip } from '../../../reports/html/overview/conditions.js'
import { affectedBy } from '../../../reports/html/overview/effects.js'
import { examplesOf } from '../../../reports/html/overview/examples.js'
import { robustnessTable } from '../../../reports/html/overview/robustness-table.js'
import { headlineList, noticeList, noticesOf } from '../../../reports/html/overview/top.js'
import { about, percent, points, pValue } from '../../../src/results/summary/figures.js'
import { findingsOf } from '../../../src/results/summary/findings.js'
import { intervalBar, scaleOf } from '../../../reports/html/overview/interval-bar.js'
import { judge } from '../../../src/results/summary/verdict.js'
import type { Dose } from '../../../src/core/environment.js'
import type { Measures, Outcome, Step } from '../../../src/core/episode.js'
import { changedDose, makePlan, makeRow, makeRun, noDose, taskId } from '../fixture.js'
import { richRun } from '../rich-example.js'
import { workedExample } from '../worked-example.js'
import { makeStep, runWithTrajectories } from './_runs.js'

/** A difference of success over 134 tasks. */
function differenceOf(
  success: { readonly mean?: number; readonly interval?: { readonly low: number; readonly high: number } },
  p?: number,
): Difference {
  const both = { tasks: 134, ...success }
  const test = p !== undefined && ({ method: 'sign-flip-exact', p: p / 4, holm: p } as const)
  return {
    ...{ pairs: 670, planned: 670, touched: { tasks: 134, of: 134 }, dropRate: {} },
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
    ['worse: Significantly worse: −93.3 points [−95.0, −91.0], Holm p < 0.001', change(-0.933, -0.95, -0.91, 0.0004)],
    ['better: Significantly better: +20.0 points [+10.0, +30.0], Holm p = 0.012', change(0.2, 0.1, 0.3, 0.012)],
    ['worse: Significantly worse: −30.0 points [−40.0, −20.0]', change(-0.3, -0.4, -0.2)],
    ['worse: Significantly worse: −100.0 points, Holm p = 0.008', differenceOf({ mean: -1 }, 0.008)],
    [
      'steady: Holds: −1.2 points [−3.0, +0.6], Holm p = 0.31 | A drop of more than 3.0 points is ruled out.',
      change(-0.012, -0.03, 0.006, 0.31),
    ],
    [
      'unclear: Inconclusive: −8.0 points [−25.0, +9.0], Holm p = 0.40 | Anything from a drop of 25.0 points to a gain of 9.0 is possible.',
      change(-0.08, -0.25, 0.09, 0.4),
    ],
    [
      'unclear: Inconclusive: −8.0 points [−16.0, −0.1], Holm p = 0.090 | Anything from a drop of 16.0 points to one of 0.1 is possible.',
      change(-0.08, -0.16, -0.001, 0.09),
    ],
    ['unknown: Unknown | No pair with the clean twin is measured yet.', none],
    [
      'untouched: Unchanged | The perturbation changed nothing on any task, so this is no evidence.',
      { ...change(0, -0.02, 0.02, 1), touched: { tasks: 0, of: 134 } },
    ],
    [
      'unknown: No clean success: 0.0 points, Holm p = 1.00 | The clean twins never succeed, so there is nothing to lose.',
      differenceOf({ mean: 0 }, 1),
      0,
    ],
    ['better: Significantly better: +20.0 points [+10.0, +30.0], Holm p = 0.001', change(0.2, 0.1, 0.3, 0.001), 0],
  ])('is %s', (expected, difference, clean = 0.9) => {
    const { kind, title, figures, remark } = judge({ ...difference, identity: false }, clean)
    const words = figures === undefined ? title : `${title}: ${figures}`
    expect(`${kind}: ${remark === undefined ? words : `${words} | ${remark}`}`).toBe(expected)
  })

  it('is none on a control', () => {
    const { kind, title, figures } = judge({ ...change(0.2, 0.1, 0.3, 0.001), identity: true }, 0.5)
    expect([kind, title, figures]).toEqual(['control', 'Control', '+20.0 points [+10.0, +30.0]'])
  })
})

describe('a reason', () => {
  it.each<[string, Partial<Measures>, Partial<Measures>, readonly string[], Outcome?, Dose?]>([
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
    [
      'nothing about wording under a family that rewords nothing',
      { understood: 9 },
      { understood: 5 },
      ['50 % of actions are not understood, against 10 % in the clean twin.'],
      'failure',
      { ...noDose, failed: 3 },
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
  ])('is %s', (_, clean, perturbed, expected, outcome = 'failure', dose = changedDose) => {
    const plan = makePlan({ columns: ['none', 'agentrefine-1'], models: ['m'] })
    const run = makeRun(plan, (at) =>
      at.column === 'none' ? makeRow(at, 'success', 1, clean) : { ...makeRow(at, outcome, 0, perturbed), dose },
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
    expect(markupOf(intervalBar({ mean: -1 }, { low: -1, high: 1 }, 'worse'))).toContain(
      '<circle class="bar-mean" cx="4.0" cy="7" r="3.5">',
    )
  })
})

/** Markup as words. */
const markupOf = (child: ComponentChildren): string => renderToString(h(Fragment, {}, child))
const wordsOf = (markup: string): string =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const words = (child: ComponentChildren): string => wordsOf(markupOf(child))

/** The households' episodes of models that succeed, or not, by model and column. */
function runOf(
  models: readonly string[],
  columns: readonly string[],
  succeeds: (model: string, column: string) => boolean,
  environments = ['household'],
) {
  const plan = makePlan({
    models,
    columns: ['none', ...columns],
    environments: environments.map((name) => ({ name, tasks: 80 })),
  })
  return aggregate(
    makeRun(plan, (at) => (succeeds(at.model, at.column) ? makeRow(at, 'success', 1) : makeRow(at, 'failure', 0))),
  )
}

describe('the overview', () => {
  const played = aggregate(runWithTrajectories(makePlan({ environments: [{ name: 'household', tasks: 80 }] })))
  const subjects = affectedBy(played)

  it('shows the worst perturbation and its reasons', () => {
    const parrot = subjects.find(({ model }) => model === 'parrot')!
    const worst = parrot.findings.find(({ column }) => column.label === 'agentrefine-1')!
    expect(worst.verdict).toMatchObject({ kind: 'worse' })
    expect(worst.reasons).toMatchInlineSnapshot(`
      [
        "100 % of refused actions are in the old wording.",
        "No episode ever found the new wording.",
        "33 % of actions repeat one that was just refused.",
      ]
    `)
    expect(words(modelCards(played, subjects))).toMatchInlineSnapshot(
      `"parrot clean success 100.0 % lowest, under agentrefine-1 0.0 % Significantly worse under agentrefine-1 : −100.0 points [−100.0, −91.0], Holm p &lt; 0.001. 100 % of refused actions are in the old wording. No episode ever found the new wording. 33 % of actions repeat one that was just refused. Change of success in points agentrefine-1 −100.0 No significant drop: reader reader clean success 100.0 % lowest, under agentrefine-1 100.0 % Holds under agentrefine-1 : 0.0 points [−4.5, +4.5], Holm p = 1.00. A drop of more than 4.5 points is ruled out. holds under 1 of 1 agentrefine-1"`,
    )
  })

  it('has the most harmed model and the most harmful family first, controls last', () => {
    const run = runOf(['calm', 'parrot', 'reader'], ['placebo', 'a', 'b'], (model, column) =>
      column === 'b' ? model === 'calm' : column !== 'a' || model !== 'parrot',
    )
    const table = robustnessTable(run, affectedBy(run))!
    expect(words(table)).toMatchInlineSnapshot(
      `"Model Clean b a placebo parrot 100.0 −100.0 −100.0 0.0 reader 100.0 −100.0 0.0 0.0 calm 100.0 0.0 0.0 0.0"`,
    )
    expect(markupOf(table).match(/class="[^"]*(?:drop|gain|level)[^"]*"/g)).toMatchInlineSnapshot(`
      [
        "class="number change drop-8"",
        "class="number change drop-8"",
        "class="number change first level"",
        "class="number change drop-8"",
        "class="number change level"",
        "class="number change first level"",
        "class="number change level"",
        "class="number change level"",
        "class="number change first level"",
      ]
    `)
    expect(markupOf(table)).toContain('title="parrot under b: 100.0 % clean, 0.0 % perturbed; −100.0 points [−100.0, ')
    expect(markupOf(table)).toContain(
      '<a href="#episodes?environment=household&amp;model=parrot&amp;agent=act&amp;column=b"><strong>−100.0</strong></a>',
    )
  })

  it('folds families with the same verdict, and models without a significant drop', () => {
    const run = runOf(['calm', 'parrot'], ['a', 'b', 'c'], (model, column) => model === 'calm' || column !== 'b')
    const text = words(modelCards(run, affectedBy(run)))
    expect(text.indexOf('parrot')).toBeLessThan(text.indexOf('No significant drop: calm'))
    expect(text).toContain('holds under 2 of 3 a and c')
    expect(text).toContain('holds under 3 of 3 a, b and c')
  })

  it('marks what changed nothing, in the table and in the cards', () => {
    const plan = makePlan({ models: ['m'], columns: ['none', 'a', 'b'] })
    const run = aggregate(
      makeRun(plan, (at) => ({
        ...makeRow(at, 'success', 1),
        ...(at.column === 'b' && { dose: noDose }),
      })),
    )
    expect(words(robustnessTable(run, affectedBy(run)))).toContain('·')
    expect(words(modelCards(run, affectedBy(run)))).toContain('nothing was changed under 1 of 2 b')
  })

  it('never reports an identity or adversarial column as the worst', () => {
    const run = runOf(
      ['m'],
      ['placebo', 'adversary', 'agentrefine-1'],
      (_, column) => column !== 'placebo' && column !== 'adversary',
    )
    const text = words(modelCards(run, affectedBy(run)))
    expect(text).toContain('Adversarial, and so in no figure over several conditions: adversary.')
    expect(text).toContain('lowest, under agentrefine-1')
  })

  it('reports that there is nothing to compare with', () => {
    const run = aggregate(makeRun(makePlan({ columns: ['agentrefine-1'] }), (at) => at))
    expect(words(modelCards(run, affectedBy(run)))).toContain('No clean twin was played')
    expect(robustnessTable(run, affectedBy(run))).toBeUndefined()
  })

  it('names environments if there are several', () => {
    const rich = aggregate(richRun())
    const cards = markupOf(modelCards(rich, affectedBy(rich)))
    for (const name of ['household', 'babyai', 'pddl']) {
      expect(cards).toContain(`<h3><bdi class="short">${name}</bdi></h3>`)
      expect(words(robustnessTable(rich, affectedBy(rich)))).toContain(`on ${name}`)
    }
  })

  it('has a sentence for each model', () => {
    expect(words(headlineList(played))).toMatch(/parrot falls from 100 to 0 under agentrefine-1/)
  })

  it('shows each family once, with the wording before and after', () => {
    const { experiment } = played
    const conditions = experiment.conditions.map((one) =>
      one.label === 'agentrefine-1'
        ? {
            ...one,
            changes: [{ environment: 'household', version: '1', summary: 'other words: take {obj} → grab {obj}' }],
          }
        : one,
    )
    const strip = markupOf(conditionsStrip({ ...played, experiment: { ...experiment, conditions } }))
    expect(strip).toContain(
      '<del><bdi>take {obj}</bdi></del><span class="arrow"> → </span><ins><bdi>grab {obj}</bdi></ins>',
    )
    const example = { before: 'take mug 1', after: 'grab mug 1' }
    const real = words(
      conditionsStrip({ ...played, experiment: { ...experiment, conditions } }, new Map([['agentrefine-1', example]])),
    )
    expect(real).toContain('agentrefine-1 other words take mug 1 → grab mug 1')
    expect(real).not.toContain('{obj}')
    const long = ['a', 'b'].map(
      (before, draw) => [`agentrefine-1:draw=${String(draw + 1)}`, { before, after: 'x'.repeat(60) }] as const,
    )
    const drawn = { ...played, columns: long.map(([label]) => ({ ...played.columns.at(-1)!, label })) }
    expect(words(conditionsStrip(drawn, new Map(long))).match(/x{60}/g)).toHaveLength(1)
    expect(strip.match(/<dt>/g)).toHaveLength(2)
  })
})

describe('an example of a condition', () => {
  const played = runWithTrajectories()
  const after = (more: Partial<Step>) => ({
    ...played,
    trajectories: (keys: readonly string[]) =>
      new Map(
        keys.map((key) => [key, { prompt: [], opening: { observation: 'A room.' }, steps: [makeStep('look', more)] }]),
      ),
  })

  it.each<[string, Partial<Step>, object | undefined]>([
    ['an action in both wordings', { action: 'see', command: 'look' }, { before: 'look', after: 'see' }],
    [
      'the first words that differ of a long answer',
      { original: `${'word '.repeat(20)}a, b, c`, observation: `${'word '.repeat(20)}c, b, a` },
      { before: 'word a, b, c', after: 'word c, b, a' },
    ],
    ['an answer that was withheld', { original: '', observation: 'No answer.' }, { before: '', after: 'No answer.' }],
    ['a list that is hidden', { original: 'a, b', observation: '' }, { before: 'a, b', after: '' }],
    ['a cut text', { original: 'a', observation: 'b'.repeat(90) }, { before: 'a', after: `${'b'.repeat(60)}…` }],
    ['nothing, if nothing differs', {}, undefined],
  ])('is %s', (_, more, expected) => {
    expect(examplesOf(after(more)).get('agentrefine-1')).toEqual(expected)
  })

  it('is absent without trajectories', () => {
    expect(examplesOf(workedExample()).size).toBe(0)
  })
})

describe('notices', () => {
  const texts = (run: Parameters<typeof aggregate>[0]): string[] => noticesOf(aggregate(run)).map(({ text }) => text)

  it('are empty for a complete run', () => {
    expect(texts(runWithTrajectories())).toEqual([])
    expect(noticeList(aggregate(runWithTrajectories()))).toBeUndefined()
  })

  it('list first what is missing, then leaks, then what was left out', () => {
    const run = workedExample()
    const rows = [...run.rows].map((row) =>
      row.column === 'agentrefine-1' && row.task === taskId(1) ? { ...row, dose: { ...changedDose, leaks: 100 } } : row,
    )
    expect(texts({ ...run, rows: [...rows, { ...rows[0]!, task: 'gone' }], notes: ['A line was torn.'] }))
      .toMatchInlineSnapshot(`
      [
        "Only 141 of 144 planned episodes are measurements: 2 broke and 1 were not played. The rest enters no mean; changes have a second interval, over everything that it may have been. Run the same experiment again, without --only and --shard, to play the missing episodes.",
        "1,100 mentions of the old wording reached the agent under agentrefine-1; expect none unless the scope of a perturbation leaves parts out. Check the perturbation with \`shaketable validate\`.",
        "A line was torn.",
        "1 row of unplanned episodes left out.",
        "4 of 96 pairs with the clean twin lack a measurement, and enter no change.",
      ]
    `)
  })

  it('fold a long list, but no error', () => {
    const notice = (severity: string, number: number) => ({
      kind: 'floor',
      severity,
      text: `${severity} ${String(number)}.`,
    })
    const notices = [1, 2, 3, 4, 5].flatMap((number) => [notice('warning', number), notice('error', number)])
    const markup = markupOf(noticeList({ ...aggregate(runWithTrajectories()), notices } as never))
    const [open, folded] = markup.split('<details') as [string, string]
    expect(wordsOf(open)).toBe(
      'Error: error 1. Error: error 2. Error: error 3. Error: error 4. Error: error 5. Warning: warning 1. Warning: warning 2.',
    )
    expect(folded).toContain('3 more notices')
  })

  it('report that a run is not finished', () => {
    expect(texts({ ...runWithTrajectories(), writing: true }).join(' ')).toContain('still being written')
    expect(texts({ ...runWithTrajectories(), stopped: 'The server is gone.' }).join(' ')).toContain(
      'The server is gone.',
    )
  })
})
