import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { canonicalJson } from '../src/define.js'
import { paperTasks } from '../src/results/published/paper-tasks.js'
import type { PublishedRow } from '../src/results/published/parse-published.js'
import { parsePublished } from '../src/results/published/parse-published.js'
import { mean, standardDeviation } from '../src/statistics/index.js'
import { listWords } from '../src/tables/words.js'

/**
 * Recomputes a file of printed results from itself, and says where its figures cannot all be true:
 *
 *     npx jiti baselines/audit.ts [FILE]
 *
 * Without a file, those of AgentRefine in `published.csv`. docs/reproduce.md says what each check asks.
 */

/** `contradiction`: figures that cannot all be true. `doubt`: one that does not follow. `note`: worth knowing. */
export interface Finding {
  readonly check: string
  readonly severity: 'contradiction' | 'doubt' | 'note'
  readonly line: number
  readonly message: string
}

/** How many figures were checked, and how many hold, by the name of the check; and what was found. */
export interface Audit {
  readonly checks: Readonly<Record<string, { readonly checked: number; readonly held: number }>>
  readonly findings: readonly Finding[]
}

/** Allowance for the rounding of binary fractions. */
const slack = 1e-9
const clean = 'none'
const tasksOf = new Map(paperTasks.map(({ name, tasks }) => [name, tasks]))

/** Recomputes printed results. Rates are in percent; `tasks=` and `seeds=` in a setting say what a row is over. */
export function audit(rows: readonly PublishedRow[]): Audit {
  const { cell: cells, average: averages, difference: differences, weighted } = rowsByRole(rows)
  const unitOf = unitsOf(rows)
  const results = {
    'repeated cells': checkRepeated([...cells, ...weighted], unitOf),
    counts: checkCounts(cells, unitOf),
    progress: checkProgress([...cells, ...averages, ...weighted], unitOf),
    differences: checkDifferences(differences, cells, unitOf),
    averages: checkAverages(averages, cells, unitOf),
    deviations: checkDeviations(averages, cells, unitOf),
    'weighted scores': checkWeighted(weighted, cells, unitOf),
    'copied cells': checkCopies(cells),
  }
  return {
    checks: Object.fromEntries(Object.entries(results).map(([name, { checked, held }]) => [name, { checked, held }])),
    findings: Object.entries(results).flatMap(([check, { findings }]) => findings.map((one) => ({ check, ...one }))),
  }
}

type Rows = readonly PublishedRow[]
/** The unit of the last printed digit of a figure. */
type UnitOf = (row: PublishedRow, figure?: 'value' | 'deviation') => number

interface Result {
  readonly checked: number
  readonly held: number
  readonly findings: readonly Omit<Finding, 'check'>[]
}

/** Figures of which each is right or has a finding. */
function resultOf<Item>(items: readonly Item[], find: (item: Item) => Omit<Finding, 'check'> | undefined): Result {
  const findings = items.flatMap((item) => find(item) ?? [])
  return { checked: items.length, held: items.length - findings.length, findings }
}

/** A cell that is printed in several places: is it the same figure? */
function checkRepeated(rows: Rows, unitOf: UnitOf): Result {
  const groups = groupBy(rows, ({ model, setting, environment, perturbation, metric }) =>
    canonicalJson([model, setting, environment, perturbation, metric]),
  )
  return resultOf(
    [...groups.values()].filter(({ length }) => length > 1),
    (same) => {
      const figures = [...groupBy(same, ({ value }) => value).values()].sort((one, other) => one.length - other.length)
      const values = same.map(({ value }) => value)
      const unit = Math.max(...same.map((row) => unitOf(row)))
      if (Math.max(...values) - Math.min(...values) <= unit + slack) return undefined
      const [rare, ...others] = figures.map((group) => group[0]!)
      const also = others.map(({ value, table }) => `as ${String(value)} in ${table}`).join(', ')
      return found('contradiction', rare!, `is printed as ${String(rare!.value)}, and ${also}`)
    },
  )
}

/** Is a success rate a whole number of tasks, rounded or cut? A rate with a deviation may be over several seeds. */
function checkCounts(cells: Rows, unitOf: UnitOf): Result {
  const isKnown = (row: PublishedRow): boolean =>
    row.metric === 'success' && trialsOf(row) !== undefined && (row.deviation === undefined || 'seeds' in row.setting)
  return resultOf(cells.filter(isKnown), (row) => {
    const trials = trialsOf(row)!
    if (fitsCount(row.value, trials, unitOf(row))) return undefined
    const below = Math.floor((row.value * trials) / 100)
    const [low, high] = [below, below + 1].map((count) => `${String(count)} is ${((100 * count) / trials).toFixed(2)}`)
    return found(
      'contradiction',
      row,
      `is ${String(row.value)}, no whole number of ${String(trials)}: ${low!}, ${high!}`,
    )
  })
}

/** A solved task has all progress: is progress at least success? */
function checkProgress(rows: Rows, unitOf: UnitOf): Result {
  const pairs = [...groupBy(rows, columnOf).values()].flatMap((same) => {
    const [success, progress] = ['success', 'progress'].map((name) => same.find(({ metric }) => metric === name))
    return success && progress ? [{ success, progress }] : []
  })
  return resultOf(pairs, ({ success, progress }) =>
    progress.value >= success.value - unitOf(progress) - slack
      ? undefined
      : found('contradiction', progress, `is ${String(progress.value)}, below a success of ${String(success.value)}`),
  )
}

/** Is a printed gain that of its two cells? `delta=A - B` names them by a value of their settings. */
function checkDifferences(differences: Rows, cells: Rows, unitOf: UnitOf): Result {
  const pairs = differences.flatMap((row) => {
    const { delta = '', ...shared } = row.setting
    const names = delta.split(' - ').map((name) => name.trim())
    const [first, second] = names.map((name) =>
      cells.find(
        (cell) =>
          (['table', 'model', 'environment', 'perturbation', 'metric'] as const).every(
            (key) => cell[key] === row[key],
          ) && Object.entries(cell.setting).every(([key, value]) => value === name || shared[key] === value),
      ),
    )
    return first && second ? [{ row, first, second }] : []
  })
  return resultOf(pairs, ({ row, first, second }) => {
    const reach = [row, first, second].reduce((sum, one) => sum + unitOf(one) / 2, 0)
    const difference = first.value - second.value
    if (Math.abs(difference - row.value) <= reach + slack) return undefined
    const need = (cell: PublishedRow, value: number): string => {
      const trials = trialsOf(cell)
      const shown = value.toFixed(1)
      if (trials === undefined || cell.metric !== 'success') return shown
      const isWhole = fitsCount(Number(shown), trials, unitOf(cell))
      return `${shown} (${isWhole ? `${String(Math.round((value * trials) / 100))} of` : 'no whole number of'} ${String(trials)})`
    }
    return found(
      'contradiction',
      row,
      `is ${String(row.value)}, but ${String(first.value)} − ${String(second.value)} is ${difference.toFixed(1)}; it takes ` +
        `${need(first, second.value + row.value)} for the first or ${need(second, first.value - row.value)} for the second`,
    )
  })
}

/** Is a printed average the mean of its cells, with the unperturbed one or without? */
function checkAverages(averages: Rows, cells: Rows, unitOf: UnitOf): Result {
  const known = averages.filter((row) => setsOf(row, cells).length > 0)
  const fits = (row: PublishedRow, set: CellSet): boolean =>
    Math.abs(mean(set.values)! - row.value) <= unitOf(row) / 2 + slack
  const result = resultOf(known, (row) => {
    const sets = setsOf(row, cells)
    if (sets.some((set) => fits(row, set))) return undefined
    const means = sets.map(({ name, values }) => `${mean(values)!.toFixed(3)} over ${name}`).join(', ')
    return found('contradiction', row, `is ${String(row.value)}, but the mean is ${means}`)
  })
  const notes = [...groupBy(known, ({ table }) => table).values()].map((rows) => {
    const counts = setNames.map((name) => {
      const fitting = rows.filter((row) => setsOf(row, cells).some((set) => set.name === name && fits(row, set)))
      return `${String(fitting.length)} as the mean of ${name}`
    })
    return { ...found('note', rows[0]!, ''), message: `${rows[0]!.table}: averages reproduce ${counts.join(', ')}.` }
  })
  return { ...result, findings: [...result.findings, ...notes] }
}

/** Is a printed deviation that of its cells, by n or n − 1, with the unperturbed one or without? */
function checkDeviations(averages: Rows, cells: Rows, unitOf: UnitOf): Result {
  const known = averages.filter((row) => row.deviation !== undefined && setsOf(row, cells).length > 0)
  const notes: Omit<Finding, 'check'>[] = []
  const result = resultOf(known, (row) => {
    const conventions = setsOf(row, cells).flatMap(({ name, values }) =>
      (['population', 'sample'] as const).map((by) => ({
        value: standardDeviation(values, by)!,
        name: `the ${by} deviation of ${name}`,
      })),
    )
    const printed = row.deviation!
    const reach = unitOf(row, 'deviation') / 2 + slack
    const fitting = conventions.filter(({ value }) => Math.abs(value - printed) <= reach)
    const list = (some: typeof conventions): string =>
      some.map(({ value, name }) => `${value.toFixed(3)} (${name})`).join(', ')
    if (fitting.length === 0) {
      return found(
        'doubt',
        row,
        `has a deviation of ${String(printed)}, which no convention gives: ${list(conventions)}`,
      )
    }
    notes.push(found('note', row, `has a deviation of ${String(printed)}, which fits ${list(fitting)}`))
    return undefined
  })
  return { ...result, findings: [...result.findings, ...notes] }
}

/** Which environments, weighted by their tasks or equally, give all scores of a table? */
function checkWeighted(weighted: Rows, cells: Rows, unitOf: UnitOf): Result {
  const figuresOf = (row: PublishedRow): ReadonlyMap<string, Rows> =>
    groupBy(
      cells.filter((cell) => familyOf(cell) === familyOf(row)),
      ({ environment }) => environment,
    )
  const tables = groupBy(
    weighted.filter((row) => figuresOf(row).size > 1),
    ({ table, environment }) => canonicalJson([table, environment]),
  )
  const parts = [...tables.values()].map((rows): Result => {
    const common = [...figuresOf(rows[0]!).keys()].filter((name) => rows.every((row) => figuresOf(row).has(name)))
    const ways = subsetsOf(common).flatMap((names) => [
      {
        names,
        name: `${listWords(names)}, weighted by their ${String(sum(names.map((one) => tasksOf.get(one) ?? 0)))} tasks`,
        weightOf: (one: string) => tasksOf.get(one) ?? NaN,
      },
      { names, name: `${listWords(names)}, weighted equally`, weightOf: () => 1 },
    ])
    const scoresBy = (row: PublishedRow, { names, weightOf }: (typeof ways)[number]): number[] =>
      [
        ...new Set(
          names.flatMap((name) =>
            figuresOf(row)
              .get(name)!
              .map(({ value }) => JSON.stringify([name, value])),
          ),
        ),
      ]
        .map((text) => JSON.parse(text) as [string, number])
        .map(([changed, value]) => {
          const figure = (name: string): number => (name === changed ? value : mostFrequent(figuresOf(row).get(name)!))
          return sum(names.map((name) => weightOf(name) * figure(name))) / sum(names.map(weightOf))
        })
    const fits = (row: PublishedRow, way: (typeof ways)[number]): boolean =>
      scoresBy(row, way).some((score) => Math.abs(score - row.value) <= unitOf(row) / 2 + slack)
    const way = ways.find((one) => rows.every((row) => fits(row, one)))
    if (way === undefined)
      return resultOf(rows, (row) =>
        found('doubt', row, `is ${String(row.value)}, no mean that fits all scores of its table`),
      )
    const note = {
      ...found('note', rows[0]!, ''),
      message: `${rows[0]!.table}: all ${String(rows.length)} scores are the mean of ${way.name}.`,
    }
    const settled = rows.flatMap((row) => {
      const others = scoresBy(row, way).filter((score) => Math.abs(score - row.value) > unitOf(row) / 2 + slack)
      return others.map((score) =>
        found(
          'note',
          row,
          `is ${String(row.value)}; with another printed figure of a cell it would be ${score.toFixed(2)}`,
        ),
      )
    })
    return { checked: rows.length, held: rows.length, findings: [note, ...settled] }
  })
  return {
    checked: sum(parts.map(({ checked }) => checked)),
    held: sum(parts.map(({ held }) => held)),
    findings: parts.flatMap(({ findings }) => findings),
  }
}

/** Are two columns of a model equal in every metric? */
function checkCopies(cells: Rows): Result {
  const columns = [...groupBy(cells, columnOf).values()].filter(
    (rows) => rows.length > 1 && rows.some(({ value }) => value !== 0),
  )
  const seen = new Map<string, PublishedRow>()
  return resultOf(columns, (rows) => {
    const [{ table, model, setting, environment, perturbation }] = rows as [PublishedRow]
    const figures = rows.map(({ metric, value }) => `${metric} ${String(value)}`).sort()
    const key = canonicalJson([table, model, setting, environment, figures])
    const first = seen.get(key)
    seen.set(key, first ?? rows[0]!)
    const what = `${perturbation} has the figures of ${first?.perturbation ?? ''} in every metric: ${figures.join(', ')}`
    return first && { severity: 'doubt', line: rows[0]!.line, message: `${table}: ${model}, ${environment}: ${what}.` }
  })
}

function rowsByRole(rows: Rows): Readonly<Record<ReturnType<typeof roleOf>, Rows>> {
  const none = { cell: [], average: [], difference: [], weighted: [] }
  return { ...none, ...Object.fromEntries(groupBy(rows, roleOf)) }
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
      const own = String(row[figure] ?? 0).split('.')[1]?.length ?? 0
      digits.set(keyOf(row, figure), Math.max(own, digits.get(keyOf(row, figure)) ?? 0))
    }
  return (row, figure = 'value') => 10 ** -digits.get(keyOf(row, figure))!
}

const setNames = ['all cells', 'the perturbed cells'] as const

/** Cells that an average may be over, at least two. */
interface CellSet {
  readonly name: (typeof setNames)[number]
  readonly values: readonly number[]
}

function setsOf(row: PublishedRow, cells: Rows): CellSet[] {
  const own = cells.filter(
    (cell) =>
      (['table', 'model', 'environment', 'metric'] as const).every((key) => cell[key] === row[key]) &&
      canonicalJson(cell.setting) === canonicalJson(row.setting),
  )
  const perturbed = own.filter(({ perturbation }) => perturbation !== clean)
  return [own, perturbed]
    .map((some, place) => ({ name: setNames[place]!, values: some.map(({ value }) => value) }))
    .filter(({ values }) => values.length > 1)
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

function found(severity: Finding['severity'], row: PublishedRow, what: string): Omit<Finding, 'check'> {
  const { table, model, environment, perturbation, metric, line } = row
  const name = [model, environment, ...(perturbation === clean ? [] : [perturbation]), metric].join(', ')
  return { severity, line, message: `${table}: ${name} ${what}.` }
}

/** A column of a table: a model under one condition, in every metric. */
function columnOf({ table, model, setting, environment, perturbation, source }: PublishedRow): string {
  return canonicalJson([table, model, setting, environment, perturbation, source])
}

/** What the cells of a score have in common, whatever the table and the environment. */
function familyOf({ model, setting, perturbation, metric }: PublishedRow): string {
  return canonicalJson([model, setting, perturbation, metric])
}

function mostFrequent(rows: Rows): number {
  const groups = [...groupBy(rows, ({ value }) => value).values()]
  return groups.sort((one, other) => other.length - one.length)[0]![0]!.value
}

function subsetsOf(names: readonly string[]): string[][] {
  const all = names.reduceRight<string[][]>((sets, name) => [...sets.map((set) => [name, ...set]), ...sets], [[]])
  return all.filter(({ length }) => length > 1)
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** The lines of a report on a file of results: the findings, worst first, and a line for each check. */
export function describeAudit(text: string): readonly string[] {
  const { rows, problems } = parsePublished(text)
  const { checks, findings } = audit(rows)
  const found = (['contradiction', 'doubt', 'note'] as const).flatMap((severity) => {
    const own = findings.filter((one) => one.severity === severity)
    return [
      `${severity}s: ${String(own.length)}`,
      ...own.map(({ line, message }) => `  line ${String(line)}: ${message}`),
    ]
  })
  return [
    ...problems.map(({ line, message }) => `line ${String(line)}: ${JSON.stringify(message)}`),
    ...found,
    ...Object.entries(checks).map(
      ([name, { checked, held }]) => `${name}: ${String(checked)} checked, ${String(held)} hold`,
    ),
  ].map((line) => line.replace(/\p{C}/gu, ' ')) // Names come from a file: they must not act on a terminal.
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? fileURLToPath(new URL('published.csv', import.meta.url))
  console.log(describeAudit(readFileSync(file, 'utf8')).join('\n'))
}
