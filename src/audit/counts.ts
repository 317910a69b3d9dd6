import type { PublishedRow } from '../results/published/parse-published.js'
import { count as plural } from '../tables/words.js'
import type { Check, Finding, Sheet } from './sheet.js'
import { digitsOf, groupBy, linesOf, nameLines, nameRow, slack, wholeNumber } from './sheet.js'

/** Metrics that count tasks which were solved, or answered exactly. */
const counted: readonly string[] = ['success', 'em', 'exact match', 'accuracy']

/** Whether a row's metric counts tasks. */
export function isCounted({ metric }: PublishedRow): boolean {
  return counted.includes(metric.toLowerCase())
}

/** Rates that count tasks: is there a whole number of tasks with this rate, rounded or cut? */
export function checkCounts(sheet: Sheet): Check {
  const rates = sheet.of('cell').filter(isCounted)
  const findings: Finding[] = []
  const withoutSeeds: PublishedRow[] = []
  let [checked, onlyCut, onlyRounded] = [0, 0, 0]
  for (const row of rates) {
    const trials = trialsOf(sheet, row)
    if (trials === undefined) continue
    checked++
    const fit = fitCount(row.value, trials.count, sheet.full, sheet.unitOf(row))
    if (fit.cut && !fit.rounded) onlyCut++
    if (fit.rounded && !fit.cut) onlyRounded++
    if (fit.cut || fit.rounded) continue
    if (trials.seedsAreAssumed) withoutSeeds.push(row)
    else findings.push(describeMisfit(sheet, row, trials))
  }
  const misfits = findings.length + withoutSeeds.length
  for (const [table, rows] of groupBy(withoutSeeds, (row) => row.table))
    findings.push(describeWithoutSeeds(sheet, table, rows))
  if (onlyCut > 0 && onlyRounded > 0)
    findings.push({
      severity: 'note',
      lines: [],
      message: `Some rates are rounded and some are cut: ${String(onlyRounded)} fit a whole number of tasks only when rounded, ${String(onlyCut)} only when the last digit is cut off.`,
    })
  return {
    name: 'counts',
    asks: 'is a success rate a whole number of tasks?',
    checked,
    held: checked - misfits,
    unchecked: rates.length - checked,
    findings,
  }
}

/** The trials behind a rate: the tasks, once for each seed. */
interface Trials {
  readonly tasks: number
  readonly seeds: number
  readonly count: number
  /** Neither the row nor the caller gives the number of tasks. */
  readonly tasksAreAssumed: boolean
  /** The row has a deviation, so it may be a mean over seeds, but their number is not given: assumes one run. */
  readonly seedsAreAssumed: boolean
}

/**
 * Undefined where the number of tasks is unknown. A rate without a deviation and without a number of seeds is that of
 * one run.
 */
export function trialsOf(sheet: Sheet, { setting, environment, deviation }: PublishedRow): Trials | undefined {
  const ownTasks = wholeNumber(setting['tasks'])
  const tasks = ownTasks ?? sheet.tasks.get(environment)
  const givenSeeds = wholeNumber(setting['seeds']) ?? sheet.seeds
  const seeds = givenSeeds ?? 1
  return tasks === undefined
    ? undefined
    : {
        tasks,
        seeds,
        count: tasks * seeds,
        tasksAreAssumed: ownTasks === undefined && sheet.assumedFrom !== undefined,
        seedsAreAssumed: givenSeeds === undefined && deviation !== undefined,
      }
}

/**
 * Whether a whole number of trials gives this rate, when it is rounded to the unit and when it is cut to it. `full` is
 * the rate of all trials.
 */
export function fitCount(
  rate: number,
  trials: number,
  full: number,
  unit: number,
): { readonly rounded: boolean; readonly cut: boolean } {
  const hasCount = (low: number, high: number): boolean => {
    const first = Math.max(0, Math.ceil(((rate + low) * trials) / full - slack))
    return first <= trials && (first * full) / trials <= rate + high + slack
  }
  return { rounded: hasCount(-unit / 2, unit / 2), cut: hasCount(0, unit - 2 * slack) }
}

function describeMisfit(sheet: Sheet, row: PublishedRow, trials: Trials): Finding {
  const { tasks, seeds, count, tasksAreAssumed } = trials
  const whole = `${String(count)}${seeds > 1 ? ` (${String(tasks)} tasks with ${String(seeds)} seeds)` : ''}`
  const [condition, advice] = tasksAreAssumed
    ? [
        ` if the task count is ${String(tasks)}`,
        ` ${String(tasks)} is ${sheet.assumedFrom!}'s number of tasks; give yours with --tasks.`,
      ]
    : ['', '']
  return {
    severity: tasksAreAssumed ? 'doubt' : 'contradiction',
    lines: [row.line],
    message: `${row.table}: ${nameRow(row)} is printed as ${sheet.print(row)}, which is not a whole number of ${whole}${condition}: ${describeNeighbours(row, count, sheet)}.${advice}`,
  }
}

/** The largest number of seeds to try: with more, nearly every rate fits. */
const maxSeeds = 20

/**
 * Rates with a deviation that are not whole numbers of tasks in one run, and the number of seeds with which all are.
 */
function describeWithoutSeeds(sheet: Sheet, table: string, rows: readonly PublishedRow[]): Finding {
  const fits = (row: PublishedRow, seeds: number): boolean => {
    const { tasks } = trialsOf(sheet, row)!
    const { rounded, cut } = fitCount(row.value, tasks * seeds, sheet.full, sheet.unitOf(row))
    return rounded || cut
  }
  let seeds = 2
  while (seeds <= maxSeeds && !rows.every((row) => fits(row, seeds))) seeds++
  const isAssumed = rows.some((row) => trialsOf(sheet, row)!.tasksAreAssumed)
  return {
    severity: 'doubt',
    lines: linesOf(rows),
    message:
      `${table}: ${plural(rows.length, 'rate')} with a deviation but without a number of seeds (${nameLines(rows)}). If the mean is over one seed` +
      `${isAssumed ? ` and the task counts are ${sheet.assumedFrom!}'s` : ''}, no whole number of tasks has this rate; ` +
      (seeds <= maxSeeds
        ? `with ${String(seeds)} seeds there is one for each.`
        : `nor is there one for each with any number of seeds up to ${String(maxSeeds)}.`) +
      ' Give the number of seeds with seeds= in the setting, or with --seeds.',
  }
}

function describeNeighbours(row: PublishedRow, trials: number, { full, unitOf }: Sheet): string {
  const below = Math.floor((row.value * trials) / full)
  const digits = digitsOf(unitOf(row)) + 1
  return [below, below + 1]
    .filter((count) => count >= 0 && count <= trials)
    .map((count) => `${String(count)} would be ${((count * full) / trials).toFixed(digits)}`)
    .join(', ')
}
