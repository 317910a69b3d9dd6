import { describe, expect, it } from 'vitest'
import { describeSummary } from '../../src/cli/_summary.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { type Aggregate, aggregate } from '../../src/results/aggregate.js'
import { coloursOf } from '../../src/tables/colours.js'
import { widthOf } from '../../src/tables/plain.js'
import { makePlan, makeRun } from '../reports/fixture.js'

const several = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${String(index)}`)
const families = ['synonyms', 'argument-order', 'item-style', 'error-messages', 'decoy-actions', 'list-order']

/** Every second model loses more with each family, on every task; the others lose nothing. */
const play = (row: EpisodeRow): EpisodeRow => {
  const [, task = ''] = row.task.split('-')
  const family = families.findIndex((name) => row.condition.startsWith(name))
  const isFragile = /parrot|[13579]$/.test(row.model)
  return isFragile && family >= 0 && Number(task) >= family ? row : { ...row, outcome: 'success', progress: 1 }
}

const run = (given: Parameters<typeof makePlan>[0], tasks: number): Aggregate =>
  aggregate(
    makeRun(makePlan({ seeds: [1], temperatures: [0], environments: [{ name: 'household', tasks }], ...given }), play),
  )

const show = (figures: Aggregate, more: Partial<Parameters<typeof describeSummary>[1]> = {}): string[] =>
  describeSummary(figures, {
    width: 100,
    colours: coloursOf({}, {}),
    page: 'runs/x/report/report.html',
    controls: [],
    ...more,
  }).split('\n')

const one = run({ models: ['parrot'], conditions: ['none', 'synonyms'] }, 40)

describe('the end of a run', () => {
  it('takes at most 30 lines of the width, serious notices first, and cuts nothing without a terminal', () => {
    const name = 'an-organisation/a-model-with-a-very-long-name-for-a-table'
    const figures = run({ models: [name, ...several(20, 'model')], conditions: ['none', 'placebo', ...families] }, 9)
    const notices = several(9, 'Replies were cut off. '.repeat(20)).map((text, index) => ({
      kind: 'replies-cut' as const,
      severity: index < 2 ? ('error' as const) : ('note' as const),
      text,
    }))
    for (const told of [one, figures, { ...figures, notices }])
      for (const width of [100, 40, 300]) {
        const lines = show(told, { controls: ['parrot', name], width })
        expect(lines.length).toBeLessThanOrEqual(30)
        for (const line of lines.slice(0, -1)) expect(widthOf(line)).toBeLessThanOrEqual(Math.min(width, 100))
        expect(lines[0]!.startsWith('! Replies were cut')).toBe(told !== one && told !== figures)
        expect(lines.at(-1)).toBe('open runs/x/report/report.html')
      }
    const whole = show({ ...figures, notices }, { width: Infinity, controls: [name] }).join('\n')
    expect(whole).not.toContain('…')
    expect(whole).toContain(notices[0]!.text.trim())
    expect(whole).toContain(name)
  })

  it('says with names and figures what happened, what the models are, and what to open', () => {
    expect(show(one, { controls: ['parrot'] })).toMatchInlineSnapshot(`
      [
        "Primary endpoint: the mean change of success over synonyms is −100.0 points [−100.0, −82.4] for",
        "  parrot, p < 0.001.",
        "parrot is significantly worse under synonyms.",
        "parrot falls from 100 to 0 under synonyms.",
        "",
        "Success: clean in percent, then its change in points under each family (* significant)",
        "model      parrot",
        "clean       100.0",
        "synonyms  −100.0*",
        "",
        "household, version 1: 40 tasks; agent act; prompt shaketable's own; 1 seed (1), temperature 0",
        "Control models are instruments, not language models: parrot.",
        "open runs/x/report/report.html",
      ]
    `)
  })

  it('shows the most harmed models and families first, and counts the others', () => {
    const lines = show(run({ models: several(30, 'model'), conditions: ['none', ...families] }, 20))
    const head = lines.findIndex((line) => line.startsWith('model '))
    expect(lines[head]).toMatch(/^model +clean +synonyms +argument-order +item-style +error-messages/)
    expect(lines[head + 1]).toMatch(/^model-1 +100\.0 +−100\.0\* +−95\.0\*/)
    expect(lines.filter((line) => /^and \d+ rows, \d+ columns? more$/.test(line))).toHaveLength(1)
  })

  it('escapes names', () => {
    const lines = show(run({ models: ['evil\u001b[31m'], conditions: ['none', 'synonyms'] }, 4))
    expect(lines.join('')).not.toContain('\u001b')
  })
})
