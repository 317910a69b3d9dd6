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
import { perturbationName } from '../run/registry.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import { readRun } from '../run/store/read-run.js'
import { harmlessLine, print, printJson, wrap } from './_lines.js'
import { readShare } from './_flags.js'

interface PowerFlags {
  readonly metric: string
  readonly margin: string
  readonly alpha: string
  readonly power: string
  readonly drop?: string
  readonly taskVariance?: string
  readonly with?: string
  readonly environment?: string
  readonly model?: string
  readonly agent?: string
  readonly column?: string
  readonly format: string
}

/** `shaketable power RUN`: how many seeds and tasks a gate's margin needs. */
export function powerCommand(): Command {
  return new Command('power')
    .description(
      'Tells from a pilot run what a gate of `shaketable check` would see, and how many seeds and tasks its margin needs.',
    )
    .argument('<run>', "the pilot's folder: any run with two seeds or more")
    .option('--margin <share>', 'the largest drop that is tolerated, such as 0.05 for 5 points', '0.05')
    .option('--drop <share>', 'the true drop that is to be noticed (default: twice the margin)')
    .option('--power <share>', 'the chance wanted of the right verdict', '0.8')
    .option('--alpha <share>', 'the chance of a false alarm, and of a false pass, that is tolerated', '0.05')
    .option('--metric <name>', `what is checked: ${metrics.join(' or ')}`, 'success')
    .option(
      '--with <run>',
      'a second run on tasks of the first, from which it is learned how differently tasks take a change',
    )
    .option(
      '--task-variance <share>',
      "how differently they do, as a variance of shares (Miller's ω²), where it is known",
    )
    .option('--environment <name>', 'only this environment')
    .option('--model <name>', 'only this model')
    .option('--agent <name>', 'only this agent')
    .option('--column <label>', 'only this column', (label) => perturbationName(label))
    .option('--format <format>', `what is printed: ${formats.join(', ')}`, 'terminal')
    .action(power)
}

const metrics = ['success', 'progress'] as const
const formats = ['terminal', 'markdown', 'csv', 'json'] as const

async function power(path: string, flags: PowerFlags): Promise<void> {
  const metric = metrics.find((known) => known === flags.metric)
  if (metric === undefined) throw new ShaketableError('usage', unknownName('metric', flags.metric, metrics))
  const format = formats.find((known) => known === flags.format)
  if (format === undefined) throw new ShaketableError('usage', unknownName('format', flags.format, formats))
  const margin = readShare('--margin', flags.margin, { above: 0, below: 0.5 })
  const drop = flags.drop === undefined ? 2 * margin : readShare('--drop', flags.drop, { above: margin, to: 1 })
  const wish = {
    metric,
    margin,
    drop,
    power: readShare('--power', flags.power, { above: 0, below: 1 }),
    alpha: readShare('--alpha', flags.alpha, { above: 0, below: 0.5 }),
    ...(flags.taskVariance !== undefined && {
      taskVariance: readShare('--task-variance', flags.taskVariance, { to: 1 }),
    }),
  }
  if (flags.with !== undefined && flags.taskVariance !== undefined) {
    throw new ShaketableError(
      'usage',
      '--with and --task-variance both say how differently tasks take a change. Give one of them.',
    )
  }
  const pilot = choose(outcomesOf(readRun(path), path), flags)
  const plan = planPower(
    pilot,
    wish,
    flags.with === undefined ? undefined : outcomesOf(readRun(flags.with), flags.with),
  )
  if (plan.cells.length === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected a run with two seeds or more at one temperature, and two tasks or more, but ${path} has no such cell${flags.with === undefined ? '' : ` in common with ${flags.with}`}. Without repeats nothing is known of chance: play it again with --seeds 3.`,
    )
  }
  await (format === 'json' ? printJson : print)(printPlan(plan, format, process.stdout.columns ?? 120))
}

/** The cells that were asked for. */
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
          wrap(harmlessLine(line), Math.max(60, width), '  '),
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
