import { type Outcome, hashOf } from '../../src/core/episode.js'
import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { chartsOf } from '../../reports/charts/charts-of.js'
import html from '../../reports/html/html.js'
import main from '../../reports/tables/main.js'
import { printReport } from '../../reports/index.js'
import { parsePublished } from '../../src/results/published/parse-published.js'
import type { EpisodeRow, Measures } from '../../src/results/episode-row.js'
import type { Plan, StoredRun } from '../../src/run/plan.js'
import { changedDose, makePlan, makeRun } from './fixture.js'

const plan: Plan = {
  ...makePlan({
    models: [{ name: 'tuned', settings: { endpoint: 'http://localhost:8000/v1', model: 'tuned' } }],
    conditions: ['none', 'agentrefine-1'],
    temperatures: [0, 1],
  }),
  maxTokens: 512,
}

/** Half of the episodes succeed, with other lengths for other seeds, unless `change` gives something else. */
function runOf(change: (at: EpisodeRow) => Partial<EpisodeRow> | undefined, more: Partial<StoredRun> = {}): StoredRun {
  const run = makeRun(more.plan ?? plan, (at) => {
    const row: EpisodeRow = {
      ...at,
      outcome: Number(at.task.slice(-1)) % 2 === 0 ? 'success' : 'step-limit',
      progress: Number(at.task.slice(-1)) % 2 === 0 ? 1 : 0,
      measures: { ...at.measures, completionTokens: 50 + at.seed },
    }
    const changed = change(row)
    return changed && { ...row, ...changed }
  })
  return { ...run, ...more }
}

const measured = (measures: Partial<Measures>) => (at: EpisodeRow) => ({ measures: { ...at.measures, ...measures } })
const ended = (outcome: Outcome) => (at: EpisodeRow) =>
  at.condition === 'none' && at.seed === 1 ? { outcome, progress: 0 } : {}
const repeated: Plan = {
  ...makePlan({ models: plan.models, conditions: ['none', 'placebo'], temperatures: [0, 1] }),
  maxTokens: 512,
}
const generated: Plan = {
  ...plan,
  environments: [{ ...plan.environments[0]!, data: { kind: 'generated', split: 'valid-unseen' } }],
}
const published = parsePublished('table,model,environment,metric,value\nT1-main,GPT-4o,alfworld,success,66.4')
const leaked = [{ old: 'go to {recep}', part: 'examples', times: 2 }] as const
const redeployed = { name: 'system_fingerprint', was: 'fp_1', is: 'fp_2' }
const reworded = { metric: 'progress', conditions: ['agentrefine-1'] } as const
const findings = (name: string, value: string): NonNullable<StoredRun['servers']> => [
  { model: 'tuned', findings: [{ name, value }] },
]

describe('the severity of a notice', () => {
  const cut = (share: number) => runOf(measured({ steps: 1000, faults: { length: 1000 * share } }))
  it.each<[string, StoredRun, readonly string[]]>([
    ['5 % of replies cut off', cut(0.05), ['warning: Replies were cut off']],
    ['half of the replies cut off', cut(0.5), ['error: These figures mean nothing: replies were cut off']],
    [
      'replies cut off, at the floor, and broken episodes',
      runOf((at) => ({
        outcome: at.seed === 1 ? 'model-error' : 'step-limit',
        progress: 0,
        measures: { ...at.measures, steps: 10, faults: { length: 10 } },
      })),
      [
        'error: These figures mean nothing: replies were cut off',
        'error: This run cannot show robustness',
        'warning: Only 32 of 48 planned episodes',
      ],
    ],
  ])('fits %s', (_, run, expected) => {
    const found = aggregate(run).notices.map(({ severity, text }) => `${severity}: ${text}`)
    expect(found.map((text, place) => text.slice(0, expected[place]?.length))).toEqual(expected)
  })
})

describe('notices', () => {
  it.each<[string, StoredRun]>([
    ['a whole run', runOf(() => ({}))],
    ['a probe that saw one reply, of seeds that differ', runOf(() => ({}), { servers: findings('seed', 'accepted') })],
    [
      'a world that was enlarged on purpose',
      runOf(({ condition }) =>
        condition === 'none' ? { opening: '1' } : { opening: '2', dose: { ...changedDose, objects: 3 } },
      ),
    ],
  ])('are absent for %s', (_, run) => {
    expect(aggregate(run).notices).toEqual([])
  })

  it.each<[string, StoredRun, string, readonly string[]]>([
    [
      'replies cut off at the limit of tokens',
      runOf(measured({ steps: 100, faults: { length: 10, 'unclosed-reasoning': 2 } })),
      'replies-cut',
      ['tuned 12.0 %', '--max-tokens'],
    ],
    ['overflow', runOf(ended('context-overflow')), 'overflow', ['tuned 33.3 %', 'larger context']],
    [
      'clean success at the floor',
      runOf(() => ({ outcome: 'step-limit', progress: 0 })),
      'floor',
      ['This run cannot show robustness', 'tuned 0.0 %', 'cannot lower it further', 'progress'],
    ],
    [
      'old wording that was shown',
      runOf((at) => (at.condition === 'none' ? {} : { dose: { ...changedDose, leaks: 2, leaked } })),
      'leaks',
      ['48 mentions of the old wording', 'under agentrefine-1', "('go to {recep}' 48 × in the examples)", 'validate'],
    ],
    [
      'a server whose equal calls at temperature 0 differ',
      runOf(() => ({}), { servers: findings('temperature 0', 'different') }),
      'server',
      ['tuned: temperature 0 is not deterministic (different)', '--set seedsAtZero=N'],
    ],
    [
      'repeats that differ at temperature 0 although the probe saw nothing',
      runOf((at) => ({ trace: hashOf([at.task, at.seed, at.temperature, at.temperature === 0 && at.condition], 8) }), {
        plan: repeated,
        servers: findings('temperature 0', 'equal'),
      }),
      'server',
      ['(12 of 12 episodes differ from a repeat in which nothing changed)'],
    ],
    [
      'replies that ended for unknown reasons',
      runOf(measured({ finishes: { recitation: 1 } })),
      'server',
      ['48 of ', "'recitation' 48", 'shaketable show'],
    ],
    [
      'a hosted model that was redeployed',
      runOf(() => ({}), {
        servers: [{ model: 'tuned', findings: [], changes: [{ accepted: false, differences: [redeployed] }] }],
      }),
      'server',
      ['redeployed during the run (system_fingerprint fp_1, then fp_2)'],
    ],
    [
      'another model in the replies from some call on',
      runOf((at) => ({ servedBy: at.seed < 3 ? ['tuned'] : at.task === 'task-0' ? ['tuned', 'small'] : ['small'] })),
      'changed-model',
      ["tuned: its replies are signed by 2 models: 'small' in 16 episodes and 'tuned' in 36 episodes", 'fallback'],
    ],
    [
      'twins that begin in different worlds',
      runOf((at) => ({ opening: hashOf([at.task, at.seed === 3 && at.condition], 8) })),
      'different-worlds',
      ['8 of 24 episodes under agentrefine-1 began in another world', 'shaketable validate'],
    ],
    [
      'a primary endpoint that was changed in view of its data',
      runOf(() => ({}), {
        plan: { ...plan, primary: reworded },
        history: [{ date: '2026-11-22T10:00:00Z', added: '', stored: 24, primary: { was: null, is: reworded } }],
      }),
      'changed-endpoint',
      ['is progress over agentrefine-1, but was another', 'success over all conditions (24 episodes)', 'Report both'],
    ],
    [
      'generated tasks beside published rows',
      runOf(() => ({}), { plan: generated, published }),
      'published',
      ['household has tasks generated by shaketable', 'Play what they were measured on'],
    ],
  ])('report %s with figures and what to do', (_, run, kind, words) => {
    const { notices } = aggregate(run)
    expect(notices.map((notice) => notice.kind)).toEqual([kind])
    for (const word of words) expect(notices[0]!.text).toContain(word)
  })

  it('are first in every format', () => {
    const run = runOf(ended('context-overflow'))
    const { text } = aggregate(run).notices[0]!
    for (const [format, begins] of [
      ['terminal', 'READ THIS FIRST\n! '],
      ['markdown', '> **Read this first**\n>\n> - '],
      ['csv', '# NOTICE: '],
      ['json', '{'],
    ] as const) {
      const shown = printReport(run, format, 1000)
      expect(shown.slice(0, begins.length)).toBe(begins)
      expect(shown).toContain(text.slice(0, 12))
    }
    for (const { text: file } of main.render(run)) expect(file).toContain(text.slice(0, 12))
    const [page] = html.render(run)
    const header = page!.text.slice(page!.text.indexOf('<header'), page!.text.indexOf('</header>'))
    expect(header).toContain('aria-label="Read this first"')
    for (const { caption } of chartsOf(aggregate(run))) expect(caption[0]).toBe(`NOTICE: ${text}`)
  })
})
