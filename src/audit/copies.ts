import type { PublishedRow } from '../results/published/parse-published.js'
import type { Check, Finding, Sheet } from './sheet.js'
import { clean, groupBy, keyOf, linesOf, nameLines, nameModel, nameRow, settingKey, slack } from './sheet.js'

/** All metrics of one model under one perturbation. */
interface Column {
  readonly rows: readonly PublishedRow[]
  readonly first: PublishedRow
  /** Its figures as text. */
  readonly figures: string
}

/** The number of names in one finding. */
const maxNames = 6

/** Columns that have the same figure in every metric: was each of them measured? */
export function checkCopies(sheet: Sheet): Check {
  const columns = findColumns(sheet)
  const alike = sameFigures(columns, ({ table, model, setting, environment }) =>
    keyOf(table, model, settingKey(setting), environment),
  )
  const withinModel = alike.map((same): Finding => {
    const { table, environment } = same[0]!.first
    const names = same.map(({ first }) => first.perturbation)
    const copy = names.includes(clean)
    const others = names.filter((name) => name !== clean).slice(0, maxNames)
    return {
      severity: 'doubt',
      lines: linesOf(...same.slice(0, maxNames).map(({ rows }) => rows)),
      message:
        `${table}: ${nameModel(same[0]!.first)}, ${environment}: ` +
        (copy
          ? `${others.join(', ')} has the figures of the unperturbed cell in every metric (${same[0]!.figures}): is it a measurement of its own?`
          : `${others.join(' and ')} have the same figures in every metric (${same[0]!.figures}): is one a copy of the other?`),
    }
  })
  const acrossModels = sameFigures(columns, ({ environment, perturbation }) => keyOf(environment, perturbation))
    .map((same) =>
      [
        ...groupBy(
          same.map(({ first }) => first),
          modelKey,
        ).values(),
      ].map((rows) => rows[0]!),
    )
    .filter((rows) => rows.length > 1)
    .map((rows): Finding => {
      const { environment, perturbation } = rows[0]!
      const where = perturbation === clean ? environment : `${environment}, ${perturbation}`
      return {
        severity: 'note',
        lines: linesOf(rows),
        message: `${where}: ${rows
          .slice(0, maxNames)
          .map((row) => `${nameModel(row)} in ${row.table}`)
          .join(' and ')} have the same figures in every metric (${nameLines(rows)}).`,
      }
    })
  return {
    name: 'copied cells',
    asks: 'are the figures of two columns apart?',
    checked: columns.length,
    held: columns.length - alike.reduce((sum, same) => sum + same.length - 1, 0),
    unchecked: 0,
    findings: [...withinModel, ...acrossModels],
  }
}

function modelKey({ model, setting }: PublishedRow): string {
  return keyOf(model, settingKey(setting))
}

/** Columns with two metrics or more, not all of them 0. */
function findColumns(sheet: Sheet): Column[] {
  const groups = groupBy(sheet.of('cell'), ({ table, model, setting, environment, perturbation, source }) =>
    keyOf(table, model, settingKey(setting), environment, perturbation, source),
  )
  return [...groups.values()]
    .filter((rows) => rows.length > 1 && rows.some(({ value }) => value !== 0))
    .map((rows) => {
      const figures = rows.map((row) => `${row.metric} ${sheet.print(row)}`).sort()
      return { rows, first: rows[0]!, figures: figures.join(', ') }
    })
}

function sameFigures(columns: readonly Column[], keyOfRow: (row: PublishedRow) => string): (readonly Column[])[] {
  const groups = groupBy(columns, ({ first, figures }) => keyOf(keyOfRow(first), figures))
  return [...groups.values()].filter((group) => group.length > 1)
}

/** Further figures of one cell, and further places of one figure, are only counted. */
const [maxFigures, maxSources] = [6, 8]

/**
 * Cells that are printed more than once: same model, setting, environment, perturbation and metric, whatever the table.
 * Is it the same figure each time?
 */
export function checkDisagreements(sheet: Sheet): Check {
  const groups = groupBy(
    [...sheet.of('cell'), ...sheet.of('weighted')],
    ({ model, setting, environment, perturbation, metric }) =>
      keyOf(model, settingKey(setting), environment, perturbation, metric),
  )
  const repeated = [...groups.values()].filter((rows) => rows.length > 1)
  const findings = repeated.flatMap((rows): Finding[] => {
    const values = [...groupBy(rows, (row) => sheet.print(row)).values()].sort((a, b) => b.length - a.length)
    if (values.length === 1) return []
    const numbers = values.map(([row]) => row!.value)
    const unit = largest(rows.map((row) => sheet.unitOf(row)))
    const isRounding = largest(numbers) + largest(numbers.map((number) => -number)) <= unit + slack
    const sources = nameSources(rows)
    const list = values.slice(0, maxFigures).map((same) => `${sheet.print(same[0]!)} in ${sources(same)}`)
    const more = values.length - list.length
    return [
      {
        severity: isRounding ? 'note' : 'contradiction',
        lines: linesOf(...values.slice(0, maxFigures).reverse()),
        message: `${nameRow(rows[0]!)} is printed as ${list.join('; as ')}${more > 0 ? `; and as ${String(more)} more` : ''}.${isRounding ? '' : describeSlip(values, sheet)}`,
      },
    ]
  })
  return {
    name: 'repeated cells',
    asks: 'does a cell that is printed in several places have the same figure?',
    checked: repeated.length,
    held: repeated.length - findings.length,
    unchecked: 0,
    findings,
  }
}

/** Names the tables and lines of the first few rows; their source too, where one table has the cell twice. */
function nameSources(all: readonly PublishedRow[]): (some: readonly PublishedRow[]) => string {
  const tables = groupBy(all, ({ table }) => table)
  const name = ({ table, source, line }: PublishedRow): string => {
    const isTwice = tables.get(table)!.length > 1
    return `${table}${isTwice && source !== '' ? `, ${source}` : ''} (line ${String(line)})`
  }
  return (some) => {
    const more = some.length - maxSources
    return `${some.slice(0, maxSources).map(name).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`
  }
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((max, number) => Math.max(max, number))
}

/** The slip that would turn one of two figures into the other. */
function describeSlip(values: readonly (readonly PublishedRow[])[], sheet: Sheet): string {
  if (values.length !== 2) return ''
  const [one, other] = values.map(([row]) => [...sheet.print(row!)]) as [string[], string[]]
  if (one.length !== other.length) return ''
  if ([...one].sort().join('') === [...other].sort().join('')) return ' They have the same digits in another order.'
  return one.filter((digit, place) => digit !== other[place]).length === 1 ? ' They differ in one digit.' : ''
}
