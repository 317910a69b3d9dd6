import { outcomesOf } from '../results/compare/outcomes.js'
import { describePower, planPower, powerTables } from '../results/compare/power.js'
import { ShaketableError } from '../core/errors.js'
import { readRun } from '../run/store/read-run.js'
import { type OptionsOf, choice, makeCommand, metrics, share, usageError } from './_flags.js'
import { formatFlag, printTables } from './_print-tables.js'

const flags = [
  share('--margin <share>', 'largest tolerated drop, such as 0.05 for 5 points', 0.001, 0.499, 0.05),
  share('--drop <share>', 'true drop that the gate should detect (default: twice the margin)', 0.001, 1),
  share('--pass <share>', 'wanted probability that an unchanged model passes, all cells together', 0.001, 0.999, 0.95),
  share('--power <share>', 'wanted probability that the drop fails', 0.001, 0.999, 0.8),
  share('--alpha <share>', 'tolerated probability of a false alarm or pass', 0.001, 0.499, 0.05),
  choice('--metric <name>', 'what is checked', metrics, 'success'),
  formatFlag,
] as const

/** `shaketable power RUN`: how many seeds and tasks a gate's margin needs. */
export const powerCommand = () =>
  makeCommand({ places: [['<run>', 'folder of the pilot: any run with at least two seeds']], flags, run: power })

async function power(path: string, { format, ...options }: OptionsOf<typeof flags>): Promise<void> {
  const { margin, drop = 2 * margin } = options
  if (drop <= margin) throw usageError(`--drop: expected more than the margin, got ${String(drop)}. Give a larger one.`)
  const plan = planPower(outcomesOf(readRun(path), path), { ...options, drop })
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
