import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type PublishedRow, canonicalJson } from '../src/define.js'
import { paperTasks } from '../src/results/published/paper-tasks.js'
import { parsePublished } from '../src/results/published/parse-published.js'
import { mean, standardDeviation } from '../src/statistics/index.js'

/**
 * Recomputes a file of printed results from itself, and says where its figures cannot all be true:
 *
 *     npx jiti baselines/audit.ts [FILE]
 *
 * Without a file, those of AgentRefine in `published.csv`.
 */

/** `contradiction`: figures that cannot all be true. `doubt`: one that does not follow. `note`: worth knowing. */
export interface Finding {
  readonly severity: 'contradiction' | 'doubt' | 'note'
  readonly line: number
  readonly message: string
}

type Rows = readonly PublishedRow[]
type Findings = Iterable<Finding>
/** The unit of the last printed digit of a figure. */
type UnitOf = (row: PublishedRow, figure?: 'value' | 'deviation') => number

/** Allowance for the rounding of binary fractions. */
const slack = 1e-9
const clean = 'none'
const tasksOf = new Map(paperTasks.map(({ name, tasks }) => [name, tasks]))

/** Recomputes printed results. Rates are in percent; `tasks=` and `seeds=` in a setting say what a row is over. */
export function audit(rows: Rows): readonly Finding[] {
  const of = (role: ReturnType<typeof roleOf>): Rows => rows.filter((row) => roleOf(row) === role)
  const [cells, averages] = [of('cell'), of('average')]
  const unitOf = unitsOf(rows)
  return [
    ...checkRepeated([...cells, ...of('weighted')], unitOf),
    ...checkCounts(cells, unitOf),
    ...checkProgress(rows, unitOf),
    ...checkDifferences(of('difference'), cells, unitOf),
    ...checkAverages(averages, cells, unitOf),
    ...checkCopies(cells),
  ]
}

/** A cell that is printed in several places: is it the same figure? */
function* checkRepeated(rows: Rows, unitOf: UnitOf): Findings {
  const groups = groupBy(rows, ({ model, setting, environment, perturbation, metric }) =>
    canonicalJson([model, setting, environment, perturbation, metric]),
  )
  for (const same of groups) {
    const values = same.map(({ value }) => value)
    const unit = Math.max(...same.map((row) => unitOf(row)))
    if (Math.max(...values) - Math.min(...values) <= unit + slack) continue
    const figures = groupBy(same, ({ value }) => value).sort((one, other) => one.length - other.length)
    const [rare, ...others] = figures.map((group) => group[0]!)
    const also = others.map(({ value, table }) => `as ${String(value)} in ${table}`).join(', ')
    yield finding('contradiction', rare!, `is printed as ${String(rare!.value)}, and ${also}`)
  }
}

/** Is a success rate a whole number of tasks, rounded or cut? A rate with a deviation may be over several seeds. */
function* checkCounts(cells: Rows, unitOf: UnitOf): Findings {
  for (const row of cells) {
    const trials = trialsOf(row)
    const { value, metric, deviation, setting } = row
    if (metric !== 'success' || trials === undefined || (deviation !== undefined && !('seeds' in setting))) continue
    if (fitsCount(value, trials, unitOf(row))) continue
    const below = Math.floor((value * trials) / 100)
    const near = [below, below + 1].map((count) => `${String(count)} is ${((100 * count) / trials).toFixed(2)}`)
    yield finding('contradiction', row, `is ${String(value)}, no whole number of ${String(trials)}: ${near.join(', ')}`)
  }
}

/** A solved task has all progress: is progress at least success? */
function* checkProgress(rows: Rows, unitOf: UnitOf): Findings {
  for (const same of groupBy(rows, columnOf)) {
    const [success, progress] = ['success', 'progress'].map((name) =>
      same.find((row) => row.metric === name && roleOf(row) !== 'difference'),
    )
    if (!success || !progress || progress.value >= success.value - unitOf(progress) - slack) continue
    yield finding(
      'contradiction',
      progress,
      `is ${String(progress.value)}, below a success of ${String(success.value)}`,
    )
  }
}

/** Is a printed gain that of its two cells? `delta=A - B` names them by a value of their settings. */
function* checkDifferences(differences: Rows, cells: Rows, unitOf: UnitOf): Findings {
  for (const row of differences) {
    const { delta = '', ...shared } = row.setting
    const [first, second] = delta
      .split(' - ')
      .map((name) =>
        cells.find(
          (cell) =>
            isLike(cell, row) &&
            cell.perturbation === row.perturbation &&
            Object.entries(cell.setting).every(([key, value]) => value === name.trim() || shared[key] === value),
        ),
      )
    if (!first || !second) continue
    const reach = [row, first, second].reduce((sum, publishedRow) => sum + unitOf(publishedRow) / 2, 0)
    const difference = first.value - second.value
    if (Math.abs(difference - row.value) <= reach + slack) continue
    const sum = `${String(first.value)} − ${String(second.value)} is ${difference.toFixed(1)}`
    yield finding('contradiction', row, `is ${String(row.value)}, but ${sum}`)
  }
}

/**
 * Is a printed average the mean of its cells, with the unperturbed one or without? Is its deviation theirs, by n or
 * n − 1?
 */
function* checkAverages(averages: Rows, cells: Rows, unitOf: UnitOf): Findings {
  for (const row of averages) {
    const sets = setsOf(row, cells)
    const means = sets.map(({ name, values }) => ({ name, value: mean(values)! }))
    const reach = unitOf(row) / 2 + slack
    if (sets.length > 0 && means.every(({ value }) => Math.abs(value - row.value) > reach)) {
      const list = means.map(({ name, value }) => `${value.toFixed(3)} over ${name}`).join(', ')
      yield finding('contradiction', row, `is ${String(row.value)}, but the mean is ${list}`)
    }
    const conventions = sets.flatMap(({ name, values }) =>
      (['population', 'sample'] as const).map((by) => {
        const byNumber = by === 'population' ? Math.sqrt(1 - 1 / values.length) : 1
        const value = standardDeviation(values)! * byNumber
        return { value, name: `${value.toFixed(3)} (the ${by} deviation of ${name})` }
      }),
    )
    const printed = row.deviation
    if (printed === undefined || conventions.length === 0) continue
    const fitting = conventions.filter(({ value }) => Math.abs(value - printed) <= unitOf(row, 'deviation') / 2 + slack)
    const list = (some: typeof conventions): string => some.map(({ name }) => name).join(', ')
    const what = `has a deviation of ${String(printed)}, which`
    if (fitting.length > 0) yield finding('note', row, `${what} fits ${list(fitting)}`)
    else yield finding('doubt', row, `${what} no convention gives: ${list(conventions)}`)
  }
}

/** Are two columns of a model equal in every metric? */
function* checkCopies(cells: Rows): Findings {
  const seen = new Map<string, PublishedRow>()
  for (const rows of groupBy(cells, columnOf)) {
    if (rows.length < 2 || rows.every(({ value }) => value === 0)) continue
    const { table, model, setting, environment, perturbation, line } = rows[0]!
    const figures = rows.map(({ metric, value }) => `${metric} ${String(value)}`).sort()
    const key = canonicalJson([table, model, setting, environment, figures])
    const first = seen.get(key)
    seen.set(key, first ?? rows[0]!)
    if (first === undefined) continue
    const what = `${perturbation} has the figures of ${first.perturbation} in every metric: ${figures.join(', ')}`
    yield { severity: 'doubt', line, message: `${table}: ${model}, ${environment}: ${what}.` }
  }
}

/** What a row is: measured, a mean over perturbations, a difference of two cells, or a score over environments. */
function roleOf({ setting, perturbation, environment }: PublishedRow): 'cell' | 'average' | 'difference' | 'weighted' {
  if ('delta' in setting) return 'difference'
  if (/\b(?:average|mean)\b/i.test(perturbation)) return 'average'
  return /\b(?:weighted|mean|overall)\b/i.test(environment) ? 'weighted' : 'cell'
}

/** A table prints the figures of one role with as many digits; files of figures often lose trailing zeros. */
function unitsOf(rows: Rows): UnitOf {
  const digits = new Map<string, number>()
  const keyOf = (row: PublishedRow, figure: 'value' | 'deviation'): string => `${row.table} ${roleOf(row)} ${figure}`
  for (const row of rows)
    for (const figure of ['value', 'deviation'] as const) {
      const decimals = String(row[figure] ?? 0).split('.')[1]?.length ?? 0
      digits.set(keyOf(row, figure), Math.max(decimals, digits.get(keyOf(row, figure)) ?? 0))
    }
  return (row, figure = 'value') => 10 ** -digits.get(keyOf(row, figure))!
}

/** Whether two rows are of one table, model, environment and metric. */
function isLike(row: PublishedRow, other: PublishedRow): boolean {
  return (['table', 'model', 'environment', 'metric'] as const).every((key) => row[key] === other[key])
}

/** The sets of cells that an average may be over, of two and more. */
function setsOf(row: PublishedRow, cells: Rows): readonly { readonly name: string; readonly values: number[] }[] {
  const rows = cells.filter((cell) => isLike(cell, row) && canonicalJson(cell.setting) === canonicalJson(row.setting))
  const perturbed = rows.filter(({ perturbation }) => perturbation !== clean)
  return [
    { name: 'all cells', values: rows.map(({ value }) => value) },
    { name: 'the perturbed cells', values: perturbed.map(({ value }) => value) },
  ].filter(({ values }) => values.length > 1)
}

/** Tasks, once for each seed; undefined where their number is not known. */
function trialsOf({ setting, environment }: PublishedRow): number | undefined {
  const tasks = Number(setting['tasks'] ?? tasksOf.get(environment))
  return Number.isFinite(tasks) ? tasks * Number(setting['seeds'] ?? 1) : undefined
}

function fitsCount(rate: number, trials: number, unit: number): boolean {
  const hasCount = (low: number, high: number): boolean => {
    const first = Math.max(0, Math.ceil(((rate + low) * trials) / 100 - slack))
    return first <= trials && (100 * first) / trials <= rate + high + slack
  }
  return hasCount(-unit / 2, unit / 2) || hasCount(0, unit - 2 * slack)
}

function finding(severity: Finding['severity'], row: PublishedRow, what: string): Finding {
  const { table, model, environment, perturbation, metric, line } = row
  const name = [model, environment, ...(perturbation === clean ? [] : [perturbation]), metric].join(', ')
  return { severity, line, message: `${table}: ${name} ${what}.` }
}

/** A column of a table: a model under one condition, in every metric. */
function columnOf({ table, model, setting, environment, perturbation, source }: PublishedRow): string {
  return canonicalJson([table, model, setting, environment, perturbation, source])
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Item[][] {
  const groups = new Map<Key, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}

/** The lines of a report on a file of results: the findings, worst first. */
export function describeAudit(text: string): readonly string[] {
  const findings = audit(parsePublished(text))
  return [
    ...(['contradiction', 'doubt', 'note'] as const).flatMap((severity) => {
      const ofSeverity = findings.filter((finding) => finding.severity === severity)
      const lines = ofSeverity.map(({ line, message }) => `  line ${String(line)}: ${message}`)
      return [`${severity}s: ${String(ofSeverity.length)}`, ...lines]
    }),
  ].map((line) => line.replace(/\p{C}/gu, ' ')) // Names come from a file: they must not act on a terminal.
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? fileURLToPath(new URL('published.csv', import.meta.url))
  console.log(describeAudit(readFileSync(file, 'utf8')).join('\n'))
}
