import { Command } from 'commander'
import { csvOf } from '../tables/csv.js'
import { markdownOf, markdownText } from '../tables/markdown.js'
import { terminalOf } from '../tables/terminal.js'
import { outcomesOf } from '../compare/outcomes-of.js'
import type { Outcomes } from '../compare/outcomes.js'
import type { PowerPlan } from '../compare/power.js'
import { planPower } from '../compare/power.js'
import { describePower, powerTables } from '../compare/power-tables.js'
import { canonicalJson } from '../core/episode.js'
import { readBaseline } from '../gate/read-baseline.js'
import { perturbationName } from '../run/registry.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import { readRun } from '../run/store/read-run.js'
import { escapeLine, print, printJson, wrap } from './_lines.js'
import type { Metric } from './_flags.js'
import { choice, metrics, readShare, share } from './_flags.js'

interface PowerFlags {
  readonly metric: Metric
  readonly margin: number
  readonly alpha: number
  readonly pass: number
  readonly power: number
  readonly drop?: string
  readonly taskVariance?: number
  readonly with?: string
  readonly baseline?: string
  readonly environment?: string
  readonly model?: string
  readonly agent?: string
  readonly column?: string
  readonly format: (typeof formats)[number]
}

/** `shaketable power RUN`: how many seeds and tasks a gate's margin needs. */
export function powerCommand(): Command {
  return new Command('power')
    .description(
      'Estimates from a pilot run what a gate of `shaketable check` could detect, and how many seeds and tasks its margin needs.',
    )
    .argument('<run>', 'folder of the pilot: any run with at least two seeds')
    .option(
      ...share('--margin <share>', 'largest tolerated drop, such as 0.05 for 5 points', { above: 0, below: 0.5 }, 0.05),
    )
    .option('--drop <share>', 'true drop that the gate should detect (default: twice the margin)')
    .option(
      ...share(
        '--pass <share>',
        'wanted probability that an unchanged model passes, all cells together',
        { above: 0, below: 1 },
        0.95,
      ),
    )
    .option(...share('--power <share>', 'wanted probability that the drop fails', { above: 0, below: 1 }, 0.8))
    .option(
      ...share('--alpha <share>', 'tolerated probability of a false alarm or pass', { above: 0, below: 0.5 }, 0.05),
    )
    .option(...choice('--metric <name>', 'what is checked', metrics, 'success'))
    .option('--baseline <file>', 'the baseline that runs are checked against (default: one like the run)')
    .option('--with <run>', 'second run on the same tasks, to estimate how the effect of a change varies between tasks')
    .option(...share('--task-variance <share>', "this variance of the effect (Miller's ω²), if it is known", {}))
    .option('--environment <name>', 'only this environment')
    .option('--model <name>', 'only this model')
    .option('--agent <name>', 'only this agent')
    .option('--column <label>', 'only this column', (label) => perturbationName(label))
    .option(...choice('--format <format>', 'output format', formats, 'terminal'))
    .action(power)
}

const formats = ['terminal', 'markdown', 'csv', 'json'] as const

async function power(path: string, flags: PowerFlags): Promise<void> {
  const { metric, margin, alpha, taskVariance, format } = flags
  const drop = flags.drop === undefined ? 2 * margin : readShare('--drop', flags.drop, { above: margin, to: 1 })
  if (flags.with !== undefined && taskVariance !== undefined) {
    throw new ShaketableError(
      'usage',
      '--with and --task-variance both give the variance between tasks. Give one of them.',
    )
  }
  if (flags.with !== undefined && flags.baseline !== undefined)
    throw new ShaketableError('usage', '--with and --baseline both give the other side of a check. Give one of them.')
  const plan = planPower(
    choose(outcomesOf(readRun(path), path), flags),
    {
      metric,
      margin,
      drop,
      pass: flags.pass,
      power: flags.power,
      alpha,
      ...(taskVariance !== undefined && { taskVariance }),
    },
    {
      ...(flags.with !== undefined && { second: outcomesOf(readRun(flags.with), flags.with) }),
      ...(flags.baseline !== undefined && { baseline: readBaseline(flags.baseline).outcomes }),
    },
  )
  if (plan.cells.length === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected a run with two seeds or more at one temperature, and two tasks or more, but ${path} has no such cell${flags.with === undefined ? '' : ` in common with ${flags.with}`}. Without repeats the noise between seeds is unknown: run it again with --seeds 3.`,
    )
  }
  await (format === 'json' ? printJson : print)(printPlan(plan, format, process.stdout.columns ?? 120))
}

/** The cells that the flags select. */
function choose(outcomes: Outcomes, flags: PowerFlags): Outcomes {
  const kinds = ['environment', 'model', 'agent', 'column'] as const
  for (const kind of kinds) {
    const [wanted, known] = [flags[kind], [...new Set(outcomes.cells.map((cell) => cell[kind]))]]
    if (wanted !== undefined && !known.includes(wanted))
      throw new ShaketableError('usage', unknownName(kind, wanted, known))
  }
  const isChosen = (cell: Outcomes['cells'][number]): boolean =>
    kinds.every((kind) => flags[kind] === undefined || flags[kind] === cell[kind])
  return { ...outcomes, cells: outcomes.cells.filter(isChosen) }
}

function printPlan(plan: PowerPlan, format: (typeof formats)[number], width: number): string {
  const tables = powerTables(plan)
  switch (format) {
    case 'terminal':
      return [
        terminalOf(tables, width),
        ...[...plan.notes.map((note) => `note: ${note}`), ...describePower(plan)].flatMap((line) =>
          wrap(escapeLine(line), Math.max(60, width), '  '),
        ),
      ].join('\n')
    case 'markdown':
      return [
        [...describePower(plan), ...plan.notes].map((line) => `- ${markdownText(line)}\n`).join(''),
        markdownOf(tables),
      ].join('\n')
    case 'csv':
      return csvOf(tables)
    case 'json':
      return JSON.stringify(JSON.parse(canonicalJson(plan)), null, 1)
  }
}
