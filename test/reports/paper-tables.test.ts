import { describe, expect, it } from 'vitest'
import { printPaper } from '../../reports/index.js'
import { aggregate } from '../../src/results/aggregate.js'
import { findGroup } from '../../src/results/find.js'
import type { StoredRun } from '../../src/run/plan.js'
import { mean, standardDeviation } from '../../src/statistics/dispersion.js'
import { richRun } from './rich-example.js'

const run = richRun()
const summary = aggregate(run)
const atOne: StoredRun = {
  plan: { ...run.plan, temperatures: [1] },
  rows: [...run.rows].filter(({ temperature }) => temperature === 1),
}

type Choice = Parameters<typeof printPaper>[2]

/** The lines of a paper's table: its titles, and the figures by the name of the row. */
function gridOf(run: StoredRun, choice: Choice): { readonly titles: string; row(name: string): string[] } {
  const lines = printPaper(run, 'markdown', choice)
    .split('\n')
    .filter((line) => line.startsWith('| '))
  return {
    titles: lines[0]!,
    row: (name) =>
      lines
        .filter((line) => line.startsWith(`| ${name} |`))
        .flatMap((line) => line.slice(name.length + 5, -2).split(' | ')),
  }
}

const scopeOf = (environment: string, model: string, condition = 'none') =>
  findGroup(summary, environment, model, 'react', condition)!.pooled

/** What a cell begins with: a share in percent, with as many decimals as are shown. */
function shows(cell: string | undefined, share: number | undefined): void {
  const text = cell?.replace(/<\/?ins>|\*/g, '')
  const [, digits = ''] = /^-?\d+\.?(\d*)/.exec(text ?? '') ?? []
  expect(text?.split(' ')[0]?.replace('†', '')).toBe((100 * share!).toFixed(digits.length))
}

describe("AgentRefine's tables are rows and conditions of the six", () => {
  it('table 1: success and progress of each model in each environment', () => {
    const { titles, row } = gridOf(run, { table: 'main' })
    expect(titles).toMatch(/household: Success \| household: Progress \| babyai: Success .* pddl: Progress/)
    row('base').forEach((cell, place) => {
      const of = scopeOf(['household', 'babyai', 'pddl'][Math.floor(place / 2)]!, 'base')
      shows(cell, (place % 2 === 0 ? of.success : of.progress).mean)
    })
    expect(row('base')).toHaveLength(6)
  })

  it('table 2, ablation: variants of a model below it', () => {
    const choice = { table: 'changes', by: 'variant', environments: ['household'], columns: ['none'] }
    const { titles, row } = gridOf(run, { ...choice, figures: ['success', 'progress'] })
    expect(titles).toMatch(/Rate \| .*Change \| .*p \| /)
    shows(row('tuned')[0], scopeOf('household', 'tuned').success.mean)
    shows(row('– tuned-masked')[0], scopeOf('household', 'tuned-masked').success.mean)
    shows(row('– tuned-masked')[1], summary.variants.find(({ model }) => model === 'tuned-masked')!.success.mean)
  })

  it('table 3, robustness: None, P1 to P5, Average and STD, also of components, which are variants', () => {
    const choice = { environments: ['household'], rows: ['tuned', 'tuned-without'], figures: ['success'] }
    const { titles, row } = gridOf(run, choice)
    expect(titles).toBe('| Model | None | P1 | P2 | P3 | P4 | P5 | Average | STD |')
    const conditions = ['none', ...[1, 2, 3, 4].map((place) => `agentrefine-${String(place)}`)]
    const own = conditions.map((condition) => scopeOf('household', 'tuned', condition).success.mean!)
    const rates = [...own, scopeOf('household', 'tuned-without').success.mean!]
    rates.forEach((rate, place) => shows(row('tuned')[place], rate))
    shows(row('tuned')[6], mean(rates))
    shows(row('tuned')[7], standardDeviation(rates.slice(1)))
    expect(row('tuned-without')).toHaveLength(8)
  })

  it('table 4, best of N: the best of the seeds at one temperature', () => {
    const choice = { table: 'behaviour', environments: ['household'], columns: ['none'], figures: ['best'] }
    const { titles, row } = gridOf(atOne, choice)
    expect(titles).toBe('| Model | Condition | Best success | Best progress |')
    // By task the best of three seeds, from the rows.
    const tasks = new Map<string, number>()
    for (const { model, environment, condition, task, outcome } of atOne.rows)
      if (model === 'base' && environment === 'household' && condition === 'none')
        tasks.set(task, Math.max(tasks.get(task) ?? 0, outcome === 'success' ? 1 : 0))
    shows(row('base | none')[0], mean([...tasks.values()]))
  })

  it('the deviation over runs and over temperatures, by name', () => {
    const choice = { table: 'behaviour', environments: ['household'], columns: ['none'] }
    const { titles, row } = gridOf(run, { ...choice, figures: ['success-deviation'] })
    expect(titles).toBe('| Model | Condition | SD within T | SD of runs | SD between T |')
    const { success } = scopeOf('household', 'base')
    shows(row('base | none')[1], success.deviationOfRuns)
    shows(row('base | none')[2], success.betweenTemperatures)
  })
})
