import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { describeSummary, summaryJson } from '../../src/cli/_summary.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { coloursOf } from '../../src/tables/colours.js'
import { widthOf } from '../../src/tables/plain.js'
import { makePlan, makeRun } from '../reports/fixture.js'

const several = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${String(index)}`)

const families = [
  ...['synonyms', 'argument-order', 'item-style', 'error-messages', 'decoy-actions'],
  ...['list-order', 'list-visibility', 'action-failures', 'step-budget'],
]
const draws = families.flatMap((name) => [name, `${name}:draw=2`])

/** Every second model loses more with each family, on every task; the others lose nothing. */
const play = (row: EpisodeRow): EpisodeRow => {
  const [, task = ''] = row.task.split('-')
  const family = families.findIndex((name) => row.column.startsWith(name))
  const isFragile = /parrot|[13579]$/.test(row.model)
  return isFragile && family >= 0 && Number(task) >= family ? row : { ...row, outcome: 'success', progress: 1 }
}

const run = (given: Parameters<typeof makePlan>[0], played: typeof play | (() => undefined) = play): Aggregate =>
  aggregate(makeRun(makePlan({ seeds: [1], temperatures: [0], ...given }), played))

const show = (figures: Aggregate, more: Partial<Parameters<typeof describeSummary>[1]> = {}): string[] =>
  describeSummary(figures, {
    width: 100,
    colours: coloursOf({}, {}),
    page: 'runs/x/report/report.html',
    controls: [],
    following: 0,
    ...more,
  }).split('\n')

const one = run({ models: ['parrot'], columns: ['none', 'synonyms'], environments: [{ name: 'household', tasks: 40 }] })

describe('the end of a run', () => {
  it.each<[string, Parameters<typeof makePlan>[0]]>([
    ['one model and one condition', { models: ['parrot'], columns: ['none', 'synonyms'] }],
    ['one model and all families', { models: ['parrot'], columns: ['none', 'placebo', ...draws] }],
    ['two models', { models: ['parrot', 'reader'], columns: ['none', ...draws] }],
    ['eight models and 22 conditions', { models: several(8, 'model'), columns: ['none', 'placebo', ...draws] }],
    [
      'three environments and four agents',
      {
        environments: ['household', 'babyai', 'pddl'].map((name) => ({ name, tasks: 1 })),
        agents: several(4, 'agent'),
        models: several(2, 'an-organisation/a-model-with-a-very-long-name-for-a-table'),
        columns: ['none', ...families],
      },
    ],
  ])('takes at most 25 lines of 100 columns with %s', (_, given) => {
    const figures = run({ environments: [{ name: 'household', tasks: 3 }], ...given })
    const text = 'Replies were cut off. '.repeat(20)
    const notices = several(9, text).map((text, index) => ({
      kind: 'replies-cut' as const,
      severity: index < 2 ? ('error' as const) : ('note' as const),
      text,
    }))
    for (const following of [0, 5])
      for (const one of [figures, { ...figures, notices }])
        for (const width of [100, 40, 300]) {
          const lines = show(one, { following, controls: ['parrot'], width })
          expect(lines.length + following).toBeLessThanOrEqual(25)
          for (const line of lines.slice(0, -1)) expect(widthOf(line)).toBeLessThanOrEqual(Math.min(width, 100))
          expect(lines[0]!.startsWith('! Replies were cut')).toBe(one !== figures)
          expect(lines.at(-1)).toBe('open runs/x/report/report.html')
        }
  })

  it('cuts nothing where the output is no terminal', () => {
    const name = 'an-organisation/a-model-with-a-very-long-name-for-a-table'
    const figures = run({
      models: [name, 'b', 'c'],
      columns: ['none', ...draws],
      environments: [{ name: 'household', tasks: 9 }],
    })
    const notice = { kind: 'leaks' as const, severity: 'error' as const, text: 'A long notice. '.repeat(40) }
    const told = { ...figures, notices: [notice] }
    const text = show(told, { width: Infinity, controls: [name, 'b'] }).join('\n')
    expect(text).not.toContain('…')
    expect(text).toContain(notice.text.trim())
    expect(text).toContain(name)
    expect(show(told).join('\n')).toContain('…')
  })

  it('says with names and figures what happened, what the models are, and what to open', () => {
    const lines = show(one, { controls: ['parrot'] })
    expect(lines).toMatchInlineSnapshot(`
      [
        "Primary endpoint: the mean change of success over synonyms is −100.0 points [−100.0, −82.4] for",
        "  parrot, p < 0.001.",
        "parrot is significantly worse under synonyms.",
        "parrot falls from 100 to 0 under synonyms.",
        "",
        "Success of parrot in percent, and its change in points (95 % interval; * significant)",
        "family    clean  perturbed                   change",
        "synonyms  100.0        0.0  −100.0 [−100.0, −82.4]*",
        "",
        "household, version 1: 40 tasks; agent act; prompt shaketable's own; 1 seed (1), temperature 0",
        "Control models are instruments, not language models: parrot.",
        "open runs/x/report/report.html",
      ]
    `)
  })

  it('shows the most harmed models and families first, and counts the others', () => {
    const figures = run({
      models: several(20, 'model'),
      columns: ['none', ...families],
      environments: [{ name: 'household', tasks: 20 }],
    })
    const lines = show(figures)
    const head = lines.findIndex((line) => line.startsWith('model '))
    expect(lines[head]).toMatch(/^model +clean +synonyms +argument-order +item-style +error-messages/)
    expect(lines[head + 1]).toMatch(/^model-1 +100\.0 +−100\.0\* +−95\.0\*/)
    expect(lines.filter((line) => /^and \d+ more models, \d+ more families$/.test(line))).toHaveLength(1)
    expect(lines).toContainEqual(expect.stringMatching(/^\d+ of 20 models are significantly worse/))
  })

  it('escapes names, and has colours only where they are wanted', () => {
    const named = run({ models: ['evil\u001b[31m'], columns: ['none', 'synonyms'] })
    expect(show(named).join('')).not.toContain('\u001b')
    const coloured = show(one, { colours: coloursOf({}, { FORCE_COLOR: '1' }) })
    expect(coloured.join('')).toContain('\u001b[')
    expect(coloured.map(stripVTControlCharacters)).toEqual(show(one))
  })

  it('gives programs the same figures under stable names', () => {
    const { headlines, results, notices } = summaryJson(one, ['parrot'])
    expect(headlines.slice(0, 2)).toMatchObject([
      { kind: 'primary', models: ['parrot'] },
      { kind: 'overall', models: ['parrot'] },
    ])
    expect(notices).toEqual(one.notices)
    expect(results).toMatchObject([
      {
        environment: 'household',
        model: 'parrot',
        agent: 'act',
        clean: 1,
        control: true,
        families: [{ family: 'synonyms', conditions: ['synonyms'], pairs: 40, clean: 1, perturbed: 0, change: -1 }],
      },
    ])
    expect(Object.keys(results[0]!.families[0]!)).toEqual(expect.arrayContaining(['interval', 'p']))
  })
})
