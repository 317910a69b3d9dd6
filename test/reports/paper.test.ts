import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conditionsOfPaper, printPaper } from '../../reports/index.js'
import { parsePublished } from '../../src/results/published/parse-published.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from './fixture.js'
import { nasty } from './nasty.js'
import { richRun } from './rich-example.js'

const published = parsePublished(
  readFileSync(new URL('../../baselines/published.csv', import.meta.url), 'utf8'),
).rows.map((row) => ({ ...row, ...conditionsOf(row.environment) }))

function conditionsOf(environment: string): object {
  const conditions = conditionsOfPaper(environment)
  return conditions === undefined ? {} : { conditions }
}

/** Every model wins each clean task; under a condition, those tasks whose number is at least `lost`. */
function playedRun(given: Parameters<typeof makePlan>[0], lost: (model: string, column: string) => number): StoredRun {
  return makeRun(makePlan(given), (at) => {
    const isWon = Number(at.task.split('-')[1]) >= (at.column === 'none' ? 0 : lost(at.model, at.column))
    return makeRow(at, isWon ? 'success' : 'failure', isWon ? 1 : 0)
  })
}

const small = playedRun(
  {
    environments: [{ name: 'household', tasks: 12 }],
    columns: ['none', 'placebo', 'agentrefine-1', 'synonyms', 'synonyms:draw=2', 'adversary'],
    temperatures: [0],
    seeds: [1],
  },
  (model, column) => (model === 'reader' ? 0 : column === 'synonyms:draw=2' ? 6 : 12),
)

/** The lines of the tabular that name a model. */
function rowsOf(latex: string): string[] {
  return latex.split('\n').filter((line) => /^\{\}(?:reader|parrot)/.test(line))
}

describe('a table for a paper', () => {
  it('has one column for all draws, no P5 without a twin, and no controls, with stars where the change is significant', () => {
    const latex = printPaper(small, 'latex')
    expect(latex).toContain('\\multicolumn{1}{c}{P1} & \\multicolumn{1}{c}{synonyms}')
    expect(latex).not.toContain('P5')
    expect(latex).not.toMatch(/^[^%].*placebo/m)
    expect(latex).toContain('% Left out (name them with --columns): placebo, adversary.')
    expect(rowsOf(latex)[1]!.replaceAll(/\\makebox\[[^\]]*\]\[l\]/g, '')).toBe(
      '{}parrot & 100.0 & 0.0{$^{*}$} & 25.0{$^{*}$} & 41.7 & 17.7 \\\\',
    )
    expect(latex).toContain('Mean over draws: synonyms (2).')
    expect(latex).toContain('STD: sample standard deviation (n{$-$}1) of these without None.')
    expect(latex.match(/\\begin\{tabular/g)).toHaveLength(1)
  })

  it.each([
    [{ rows: ['reeder'] }, "--rows: Unknown name 'reeder'. Did you mean 'reader'?"],
    [{ columns: ['synonim'] }, "--columns: Unknown name 'synonim'. Did you mean 'synonyms'?"],
    [{ environments: ['household', 'pdll'] }, "--env: Unknown name 'pdll'"],
    [{ table: 'robustnes' }, "--table: Unknown name 'robustnes'. Did you mean 'robustness'?"],
    [{ by: 'worst-case', columns: ['P1'] }, "--columns: expected a table with conditions, got 'robustness'"],
    [{ by: 'worst-cases' }, "--by: Unknown name 'worst-cases'. Did you mean 'worst-case'?"],
    [{ figures: ['sucess'] }, "--figures: Unknown name 'sucess'. Did you mean 'success'?"],
    [{ table: 'main', columns: ['P1'] }, "Expected figures for the table 'main', got none under the chosen"],
  ])('refuses the choice %j', (choice, message) => {
    expect(() => printPaper(small, 'latex', choice)).toThrow(message)
  })

  it('refuses more rows than a page holds', () => {
    const environments = Array.from({ length: 20 }, (_, place) => ({ name: `world-${String(place)}`, tasks: 1 }))
    const run = playedRun({ environments, columns: ['none', 'agentrefine-1'], temperatures: [0], seeds: [1] }, () => 1)
    expect(() => printPaper(run, 'latex')).toThrow(
      /^Expected a table that fits a page .* Choose models with --rows, conditions with --columns/,
    )
    expect(printPaper(run, 'latex', { environments: ['world-3', 'world-1'] })).toMatch(/world\{-}3}[^]*world\{-}1}/)
  })

  it('gives the deviation over seeds of the mean over draws', () => {
    const run = playedRun(
      { columns: ['none', 'synonyms', 'synonyms:draw=2'], models: ['reader'], temperatures: [0], seeds: [1, 2] },
      () => 0,
    )
    const rows = [...run.rows].map((row) =>
      row.column === 'synonyms' && row.seed === 1 ? { ...row, outcome: 'failure' as const, progress: 0 } : row,
    )
    // Seed 1 has 0 and 100, seed 2 twice 100: 50 and 100.
    expect(printPaper({ ...run, rows }, 'markdown')).toMatch(/\| reader \|[^|]*\| 75(?:\.0)? \(35(?:\.4)?\)\*? \|/)
  })

  it('names in the caption the other games or prompts beside which published rows stand', () => {
    const environments = small.plan.environments.map((one) => ({
      ...one,
      settings: { games: 'generated', generation: 'new', prompt: 'own' },
      data: { kind: 'generated' as const, split: 'valid-seen' },
    }))
    const run: StoredRun = { ...small, plan: { ...small.plan, environments }, published }
    const latex = printPaper(run, 'markdown', { rows: ['reader', 'AgentGym'] })
    expect(latex.split('\n').find((line) => line.startsWith('## '))).toBe(
      '## Success and progress rate (%) on household: 12 generated tasks, agent act, 1 seed, temperature 0. Rows in italics were published for other games or prompts ' +
        "(here household: tasks generated by shaketable instead of the benchmark's, 12 tasks instead of 134, split valid-seen instead of valid-unseen, " +
        "generation new instead of old and shaketable's own prompt instead of alfworld\\_base.json).",
    )
    expect(latex).toContain('| _AgentGym \\[1\\]_ |')
    expect(latex).not.toContain('Agent-FLAN')
    expect(latex).toContain('P5')
  })
})

const hasLatex = spawnSync('pdflatex', ['--version']).status === 0
const classes = {
  'one column': '\\documentclass{article}',
  'two columns': '\\documentclass[twocolumn]{article}',
  'two columns of 219 pt at 11 pt':
    '\\documentclass[11pt,twocolumn]{article}\\setlength{\\textwidth}{16cm}\\setlength{\\columnsep}{0.6cm}\\setlength{\\textheight}{24cm}',
  'one column at 12 pt': '\\documentclass[12pt]{article}',
}

/** Every complaint of pdflatex on a document of one float a page. */
function complaintsOf(head: string, texts: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-paper-'))
  try {
    const inputs = texts.map((text, index) => {
      writeFileSync(join(folder, `t${String(index)}.tex`), text.replace('\\label{tab:', `\\label{${String(index)}:`))
      return `\\input{t${String(index)}}\\clearpage\n`
    })
    const packages = /Needs (\\usepackage\{.*?\})/.exec(texts[0]!)![1]!
    writeFileSync(
      join(folder, 'all.tex'),
      `${head}${packages}\\begin{document}\nText.\n${inputs.join('')}\\end{document}\n`,
    )
    for (let pass = 0; pass < 2; pass++) {
      execFileSync('pdflatex', ['-interaction=nonstopmode', 'all.tex'], { cwd: folder, stdio: 'pipe' })
    }
    const log = readFileSync(join(folder, 'all.log'), 'latin1')
    return log.match(/^(?:!|LaTeX Warning|Package \S+ Warning|Overfull|Underfull|Missing character).*/gm) ?? []
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe.skipIf(!hasLatex)('compiling tables for papers (skipped without pdflatex)', () => {
  const long = 'meta-llama/Meta-Llama-3-70B-Instruct-AWQ-INT4-with_a_very_long_name'
  const hostile = [...nasty, `${'x'.repeat(80)}`, long, 'a_b%c&d#e\\f^g~h{i}j$k', 'W'.repeat(30)]
  const hostileRun = (models: readonly string[], environments: readonly string[], seeds = [1, 2]): StoredRun =>
    playedRun(
      {
        models,
        environments: environments.map((name) => ({ name, tasks: 3 })),
        columns: ['none', 'agentrefine-1', 'synonyms', 'list-visibility', 'step-budget'],
        seeds,
      },
      (model) => model.length % 3,
    )
  it('gives no warning in a class of one or of two columns', { timeout: 300_000 }, () => {
    const rich = richRun()
    const texts = [
      printPaper(small, 'latex'),
      printPaper(small, 'latex', { rows: ['parrot'], columns: ['None', 'P1'] }),
      printPaper({ ...small, published }, 'latex', {
        rows: ['reader', 'AgentGym', 'AgentRefine'],
        columns: ['None', 'P1'],
      }),
      printPaper({ ...small, published }, 'latex', { table: 'main', rows: ['reader', 'AgentGym'] }),
      ...['robustness', 'held-out'].map((table) => printPaper(rich, 'latex', { table, figures: ['success'] })),
      ...['profile', 'differences'].map((table) =>
        printPaper(rich, 'latex', { table, environments: ['household'], rows: ['tuned'] }),
      ),
      ...[0, 3, 6, 9, 12, 15, 18].map((from) =>
        printPaper(hostileRun(hostile.slice(from, from + 3), ['household'], from === 0 ? [1] : [1, 2]), 'latex', {
          figures: ['success'],
        }),
      ),
      printPaper(hostileRun([long, 'b'], [hostile.at(-4)!, hostile[6]!]), 'latex', { figures: ['success'] }),
      printPaper(hostileRun(['a', 'b', 'c'], nasty.slice(0, 3)), 'latex', { columns: ['None', 'synonyms'] }),
    ]
    for (const [name, head] of Object.entries(classes)) expect([name, ...complaintsOf(head, texts)]).toEqual([name])
  })
})
