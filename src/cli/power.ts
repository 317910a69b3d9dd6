import { Command } from 'commander'
import { outcomesOf } from '../compare/outcomes.js'
import { planPower } from '../compare/power.js'
import { describePower, powerTables } from '../compare/power-tables.js'
import { ShaketableError } from '../core/errors.js'
import { readBaseline } from '../gate/read-baseline.js'
import { readRun } from '../run/store/read-run.js'
import type { Metric } from './_flags.js'
import { choice, metrics, readShare, share } from './_flags.js'
import type { TableFormat } from './_print-tables.js'
import { printTables, tableFormats } from './_print-tables.js'

interface PowerFlags {
  readonly metric: Metric
  readonly margin: number
  readonly alpha: number
  readonly pass: number
  readonly power: number
  readonly drop?: string
  readonly taskVariance?: number
  readonly baseline?: string
  readonly format: TableFormat
}

/** `shaketable power RUN`: how many seeds and tasks a gate's margin needs. */
export function powerCommand(): Command {
  const half = { above: 0, below: 0.5 }
  const chance = { above: 0, below: 1 }
  return new Command('power')
    .description(
      'Estimates from a pilot run what a gate of `shaketable check` could detect, and how many seeds and tasks its margin needs.',
    )
    .argument('<run>', 'folder of the pilot: any run with at least two seeds')
    .option(...share('--margin <share>', 'largest tolerated drop, such as 0.05 for 5 points', half, 0.05))
    .option('--drop <share>', 'true drop that the gate should detect (default: twice the margin)')
    .option(
      ...share('--pass <share>', 'wanted probability that an unchanged model passes, all cells together', chance, 0.95),
    )
    .option(...share('--power <share>', 'wanted probability that the drop fails', chance, 0.8))
    .option(...share('--alpha <share>', 'tolerated probability of a false alarm or pass', half, 0.05))
    .option(...choice('--metric <name>', 'what is checked', metrics, 'success'))
    .option('--baseline <file>', 'the baseline that runs are checked against (default: one like the run)')
    .option(...share('--task-variance <share>', "variance of a change between tasks (Miller's ω²), if it is known", {}))
    .option(...choice('--format <format>', 'output format', tableFormats, 'terminal'))
    .action(power)
}

async function power(path: string, { format, baseline, drop, ...options }: PowerFlags): Promise<void> {
  const { margin } = options
  const plan = planPower(
    outcomesOf(readRun(path), path),
    { ...options, drop: drop === undefined ? 2 * margin : readShare('--drop', drop, { above: margin, to: 1 }) },
    baseline === undefined ? undefined : readBaseline(baseline).outcomes,
  )
  if (plan.cells.length === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected a run with two seeds or more at one temperature, and two tasks or more, but ${path} has no such cell. Without repeats the noise between seeds is unknown: run it again with --seeds 3.`,
    )
  }
  await printTables(format, {
    tables: powerTables(plan),
    json: plan,
    sentences: describePower(plan),
    notes: plan.notes,
  })
}
