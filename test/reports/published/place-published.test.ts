import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../src/results/aggregate.js'
import { csvOf } from '../../../src/tables/csv.js'
import { latexOf } from '../../tables/_latex.js'
import { markdownOf } from '../../../src/tables/markdown.js'
import { terminalOf } from '../../../src/tables/terminal.js'
import { printReport } from '../../../reports/index.js'
import mainReport from '../../../reports/tables/main.js'
import { parsePublished } from '../../../src/results/published/parse-published.js'
import robustnessReport from '../../../reports/tables/robustness.js'
import type { Row, Table } from '../../../src/tables/table.js'
import { richRun } from '../rich-example.js'

const published = parsePublished(readFileSync(new URL('../../../baselines/published.csv', import.meta.url), 'utf8'))
const summary = aggregate(richRun())
const robustness = robustnessReport.tables(summary, 'pooled', published).filter(({ name }) => name === 'robustness')
const [main] = mainReport.tables(summary, 'pooled', published)

function rowOf({ rows }: Table, start: string): Row {
  return rows.find(({ heads, published }) => published !== undefined && heads[0]!.startsWith(start))!
}

/** Cells of a row by group and title of their conditions, in percent. */
function percents(table: Table, row: Row): Record<string, number> {
  const titles = table.groups.flatMap((group) => group.columns.map(({ title }) => `${group.title}: ${title}`))
  return Object.fromEntries(
    titles.flatMap((title, index) => {
      const { value } = row.cells[index]!
      return value === undefined ? [] : [[title, Math.round(value * 1e4) / 100]]
    }),
  )
}

describe('published rows', () => {
  it("equal the paper's table 3 in the robustness table, with their own average and spread", () => {
    expect(percents(robustness[0]!, rowOf(robustness[0]!, 'Agent-FLAN'))).toMatchObject({
      'Success rate: None': 67.2,
      'Success rate: P1': 21.6,
      'Success rate: P2': 51.4,
      'Success rate: P3': 27.6,
      'Success rate: P4': 52.2,
      'Success rate: P5': 1.5,
      'Success rate: Average': 36.9,
      'Success rate: STD': 21.98,
    })
    expect(markdownOf([robustness[0]!])).toMatch(
      /\| _Agent-FLAN \\\[1\\\]_ \| <ins>67\.2<\/ins> \|.* \| <ins>21\.98<\/ins> \| – \|/,
    )
  })

  it("equal the paper's table 1 and appendix H in the main table, with spread if it was printed", () => {
    expect(percents(main!, rowOf(main!, 'AgentRefine'))).toMatchObject({
      'babyai: Success': 37.5,
      'pddl: Progress': 37.8,
    })
    const sampled = main!.rows.filter(
      ({ model, published }) => published?.startsWith('AppH') && model === 'AgentRefine',
    )
    expect(sampled.map(({ cells }) => [cells[0]!.value, cells[0]!.deviation])).toEqual([[0.601, 0.026]])
  })

  it('are marked in every format', () => {
    expect(markdownOf([main!])).toContain('| _GPT-4o \\[1\\]_ | 66.4 | 79.9 |')
    expect(latexOf([main!])).toMatch(/\\textit\{GPT\{-\}4o \[1\]\}.* & 66\.4/)
    expect(terminalOf([main!], 120)).toMatch(/\n─+\nGPT-4o \[1\] /)
    const line = csvOf([main!])
      .split('\r\n')
      .find((one) => one.startsWith('main,,babyai,AgentGym,,,none,success'))
    expect(line).toMatch(/,0\.473,,,,,,,,true,"T1-main, base LLaMA-3-8B, decode greedy, project page[^"]*",,$/)
  })

  it('change none of our own rows, and no figures for programs', () => {
    const run = richRun()
    const own = (tables: readonly Table[]) =>
      tables.map(({ rows }) => rows.filter((row) => row.published === undefined))
    expect(own(robustnessReport.tables(summary, 'pooled', published))).toEqual(
      own(robustnessReport.tables(summary, 'pooled')),
    )
    expect(own(mainReport.tables(summary, 'pooled', published))).toEqual(own(mainReport.tables(summary, 'pooled')))
    expect(
      main!.rows.filter((row) => row.published !== undefined).some(({ cells }) => cells.some(({ best }) => best)),
    ).toBe(false)
    expect(printReport({ ...run, published }, 'json')).toBe(printReport(run, 'json'))
  })
})
