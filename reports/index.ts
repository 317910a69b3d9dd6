import { type Report, type StoredRun, ShaketableError, canonicalJson, defineReport } from '../src/define.js'
import charts, { chartsOf } from './charts/charts-of.js'
import { pdfOf } from './charts/pdf.js'
import html from './html/html.js'
import { allTables, isInTerminal, tableReports } from './tables/index.js'
import { aggregateOf } from './tables/define-report.js'
import { csvHeader } from './tables/captions.js'
import { choosePart } from './tables/paper.js'
import { csvOf } from '../src/tables/csv.js'
import { markdownOf } from '../src/tables/markdown.js'
import { plainText } from '../src/tables/plain.js'
import { terminalOf } from '../src/tables/terminal.js'

export { describeTasks } from '../src/results/summary/identity.js'
export { describeMismatches } from '../src/results/published/mismatches.js'
export { protocolOfPaper } from '../src/results/published/paper-tasks.js'
export { printPaper } from './tables/paper.js'

/** All figures of the tables and more, for programs. Numbers are unrounded shares of 1; keys are sorted. */
const json = defineReport({
  name: 'json',
  summary: 'all figures of a run in one file for programs',
  source: 'shaketable',
  render: (run) => [{ file: 'report.json', text: jsonOf(run) }],
})

function jsonOf(run: StoredRun): string {
  return `${canonicalJson(aggregateOf(run))}\n`
}

/** Every report that ships with the package, in the order in which they are listed. */
export const reports: readonly Report[] = [...tableReports, charts, html, json]

/** The names of the reports that consist of tables. */
export function tableNames(): string[] {
  return tableReports.map(({ name }) => name)
}

/** The formats in which a whole report can be printed. `printPaper` prints LaTeX, one table at a time. */
export const formats = ['terminal', 'markdown', 'csv', 'json'] as const
/** One of {@link formats}. */
export type Format = (typeof formats)[number]

/**
 * A run in one text: all tables, those of the terminal report for `terminal`, all figures for `json`; or one of
 * {@link tableNames}, or a part of it. `width` is that of the terminal in characters, `colours` whether it shows bold
 * and underlined type.
 * @throws ShaketableError `usage` for a table that the run has no figures for, and for one table as `json`
 */
export function printReport(
  run: StoredRun,
  format: Format,
  width?: number,
  colours = false,
  choice?: { readonly table: string; readonly by?: string },
): string {
  if (format === 'json' && choice === undefined) return jsonOf(run)
  const refuse = (problem: string): never => {
    throw new ShaketableError('usage', `--table: ${problem}. Leave --table out, or choose another.`)
  }
  if (format === 'json') return refuse('json has all figures')
  const aggregate = aggregateOf(run)
  const detail = format === 'terminal' ? 'pooled' : 'each-temperature'
  const report = tableReports.find(({ name }) => name === choice?.table)
  const whole = report?.tables(aggregate, detail, run.published) ?? allTables(aggregate, detail, run.published)
  const tables = choice?.by === undefined ? whole : choosePart(whole, choice.by)
  if (choice !== undefined && tables.length === 0)
    return refuse(`this run has no figures for the table ${choice.table}`)
  if (format === 'markdown') return markdownOf(tables, aggregate.notices)
  if (format === 'csv') return csvOf(tables, csvHeader(aggregate))
  return terminalOf(choice ? tables : tables.filter(isInTerminal), width, colours, aggregate.notices)
}

/** The formats of a chart. */
export const chartFormats = ['svg', 'pdf'] as const

/**
 * A chart of a run by the name of its file, such as `heat-map`, and remarks on it for the reader.
 * @param font path of a font for names with letters that Helvetica lacks, in a PDF
 * @throws ShaketableError `usage` for a chart that the run does not have, and as {@link pdfOf}
 */
export async function printChart(
  run: StoredRun,
  name: string,
  format: (typeof chartFormats)[number],
  font?: string,
): Promise<{ readonly bytes: Uint8Array; readonly remarks: readonly string[] }> {
  const all = chartsOf(aggregateOf(run))
  const chart = all.find(({ file }) => file === name)
  if (chart === undefined) {
    const names = all.map(({ file }) => file).join(', ')
    throw new ShaketableError('usage', `--chart: expected a chart of this run (${names}), got '${plainText(name)}'.`)
  }
  if (format === 'svg') return { bytes: Buffer.from(chart.svg), remarks: [] }
  const { bytes, isIncomplete } = await pdfOf(chart.svg, chart.title, font)
  const remark = 'Some letters are not in Helvetica and are ? in the PDF. Give a font that has them: --font FILE.ttf'
  return { bytes, remarks: isIncomplete ? [remark] : [] }
}
