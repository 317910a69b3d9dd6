import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import type { Command } from 'commander'
import type { Format } from '../../reports/index.js'
import { chartFormats, formats, printChart, printPaper } from '../../reports/index.js'
import { printReport, protocolOfPaper, tableNames } from '../../reports/index.js'
import { ShaketableError } from '../core/errors.js'
import { refuseLinkedFolder } from '../files/open-to-write.js'
import { packagedPath } from '../files/packaged.js'
import { readText } from '../files/read-text.js'
import { whileWriting } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import { summariseProxyLog } from '../proxy/log.js'
import { parsePublished } from '../results/published/parse-published.js'
import { flagOf } from '../run/experiment-flags.js'
import type { PublishedRow, Report, StoredRun } from '../run/plan.js'
import { atTemperatures } from '../run/selection.js'
import { joinRuns, readRun } from '../run/store/read-run.js'
import { filesOf } from '../run/store/run-folder.js'
import { coloursOf } from '../tables/colours.js'
import type { OptionsOf } from './_flags.js'
import { choice, makeCommand, names, pluginFlag, readPlugins, temperaturesFlag, usageError } from './_flags.js'
import { escapeLine, layOut, number, print, printData, printDocument, printJson, quote, say } from './_lines.js'
import { joinFlag } from './merge.js'

const flags = [
  joinFlag,
  pluginFlag,
  choice(
    '--format <format>',
    'latex is one table for a paper; svg and pdf are one chart',
    [...formats, 'latex', ...chartFormats] as const,
    'terminal',
  ),
  choice('--table <name>', 'print this table alone, and write no files', tableNames()),
  ['--by <part>', 'the part of the table, such as `--table changes --by condition`'],
  ['--chart <name>', 'print this chart alone, such as `--chart heat-map --format pdf > figure.pdf`'],
  ['--font <file>', 'of a chart as PDF: a font for names in other than Latin letters'],
  ['--out <folder>', 'folder for the files (default: RUN/report; none for several runs or some temperatures)'],
  temperaturesFlag,
  ['--published [file]', "show AgentRefine's published results, or those of a file, beside those of the run"],
  ['--no-trajectories', 'leave the texts of the episodes out of report.html'],
  ['--open', 'open the page in the browser'],
  ['--proxy-log <file>', 'summarise the log of shaketable proxy instead of a run'],
  'Of one table for a paper:',
  ['--rows <models>', 'the models to show, in this order, separated by commas', names],
  ['--columns <conditions>', 'the conditions to show, in this order', names],
  ['--env <names>', 'the environments to show, separated by commas', names],
  ['--figures <names>', 'the columns of these figures, such as success,paired-tasks', names],
  ['--bold-best', 'print in bold the figures that may be the best of a column'],
] as const

type ReportFlags = OptionsOf<typeof flags>

/** `shaketable report RUN`: writes all reports of a run, or of several as one, and prints its tables. */
export const reportCommand = () =>
  makeCommand({
    places: [['[runs...]', "a run's folder, or several"]],
    flags,
    rules: [
      ['--by', 'needs', '--table'],
      ['--chart', 'excludes', '--table'],
      ['--font', 'needs', '--chart'],
    ],
    run: report,
  })

async function report(folders: readonly string[], options: ReportFlags, command: Command): Promise<void> {
  const { format, table, by, temperatures, proxyLog, open } = options
  const [folder] = folders
  if (proxyLog !== undefined && folder === undefined) return printProxyLog(proxyLog, format)
  if (folder === undefined || proxyLog !== undefined)
    throw usageError("Expected a run's folder, or --proxy-log FILE, got both or neither. Give one of them.")
  const chartFormat = chartFormats.find((name) => name === format)
  if ((chartFormat === undefined) !== (options.chart === undefined))
    throw usageError('Expected --chart NAME beside --format svg or pdf, got one of them. Give both, or neither.')
  const isPaper = isForPaper(options)
  const registry = await readPlugins(options)
  const published = readBeside(options.published)
  const joined = folders.length > 1 ? joinRuns(folders, { acceptsChange: options.acceptChangedModel }) : undefined
  const run = Object.assign(
    atTemperatures(joined ?? readRun(folder), temperatures),
    published && { published },
    !options.trajectories && { trajectories: undefined },
  )
  // Known once the rows were read.
  const sayNotes = (remarks: readonly string[] = []): void => {
    for (const note of [...(joined?.accepted ?? []), ...run.notes, ...remarks]) say(note)
  }
  if (chartFormat !== undefined && options.chart !== undefined) {
    const { bytes, remarks } = await printChart(run, options.chart, chartFormat, options.font)
    sayNotes(remarks)
    return printData(bytes)
  }
  const reports = registry.list('report')
  const isOwn = options.out === undefined && joined === undefined && temperatures === undefined
  const out = isOwn ? filesOf(folder).report : options.out
  const isPart = isPaper || table !== undefined
  if (isOwn && !isPart) writeOwnReports(run, folder, reports)
  else if (out !== undefined && !isPart) writeReports(run, out, reports)
  else if (!isPart)
    say('No files are written; give --out FOLDER to write the reports of several runs, or of some temperatures.')
  const { isColorSupported } = coloursOf(process.stdout)
  const part = table === undefined ? undefined : { table, ...(by !== undefined && { by }) }
  const text = isPaper
    ? printPaper(run, format === 'markdown' ? format : 'latex', choiceOf(folders, options, command))
    : printReport(run, format as Format, process.stdout.columns, isColorSupported, part)
  sayNotes(isPart ? [] : run.remarks)
  if (isPart) return print(text)
  if (format === 'json') await printJson(text)
  else await print(format === 'terminal' && out !== undefined ? `${text}\nopen ${escapeLine(pageOf(out))}` : text)
  if (open && out !== undefined) await openPage(pageOf(out))
}

async function printProxyLog(path: string, format: string): Promise<void> {
  const { rows, damaged } = summariseProxyLog(path)
  if (damaged > 0) say(`${path}: ${number(damaged)} lines are damaged and left out.`)
  if (format === 'json') return printDocument({ rows, damaged })
  const heads =
    'condition,model,conversations,turns,forms,commands seen,commands said,names,listed,made to fail,leaks,memorised,refused,unread,failed'
  const lines = rows.map(({ condition, model, dose, ...row }) => {
    const changed = [dose.forms, dose.commandsSeen, dose.commandsSaid, dose.names, dose.listed, dose.failed, dose.leaks]
    const counts = [row.conversations, row.turns, ...changed, row.memorised, row.refused, row.unread, row.failed]
    return [escapeLine(condition), escapeLine(model), ...counts.map(number)]
  })
  await print(layOut([heads.split(','), ...lines]))
}

/** Whether a table for a paper is wanted: LaTeX, or Markdown with a choice of rows and columns. */
function isForPaper(options: ReportFlags): boolean {
  const chosen = (['rows', 'columns', 'env', 'figures', 'boldBest'] as const).find((name) => options[name])
  if (options.format === 'latex' || chosen === undefined) return options.format === 'latex'
  if (options.format === 'markdown') return true
  throw usageError(
    `--${flagOf(chosen)}: expected --format latex or markdown beside it, got ${options.format}. Give one of them.`,
  )
}

/** What a table for a paper shows, with the command that makes it again. */
function choiceOf(folders: readonly string[], options: ReportFlags, command: Command) {
  const words = command.options.flatMap((flag): string[] => {
    const name = flag.attributeName()
    const value: unknown = command.getOptionValue(name)
    if (command.getOptionValueSource(name) !== 'cli') return []
    return value === true ? [flag.long!] : [flag.long!, String(value)]
  })
  // A path without the folders of this machine, since papers are published with their sources.
  const withoutHome = (word: string): string => (isAbsolute(word) ? basename(word) : word)
  return {
    ...options,
    ...(options.env && { environments: options.env }),
    bold: options.boldBest === true,
    command: ['shaketable', 'report', ...[...folders, ...words].map(withoutHome)].map(quote).join(' '),
  }
}

/** The rows of a file of published results, or those of AgentRefine, which ship with the package. */
function readBeside(source: string | true | undefined): readonly PublishedRow[] | undefined {
  if (source === undefined) return undefined
  const file = source === true ? packagedPath('baselines/published.csv') : source
  const rows = parsePublished(readText('The file of results', file, 'Check the path.'), file)
  if (source !== true) return rows
  return rows.map((row) => ({ ...row, protocol: { ...protocolOfPaper(row.environment), ...row.protocol } }))
}

/** Writes the reports of a run into its own folder. @throws as {@link writeReports} */
export function writeOwnReports(run: StoredRun, folder: string, reports: readonly Report[]): void {
  const { report } = filesOf(folder)
  for (const inside of ['', 'tables', 'charts']) refuseLinkedFolder(join(report, inside))
  writeReports(run, report, reports)
}

/** The page among the files of a folder of reports. */
export function pageOf(folder: string): string {
  return join(folder, 'report.html')
}

/**
 * Writes the files of reports into a folder, and removes those of an earlier report that are not written again.
 * @throws ShaketableError `store` if the folder cannot be written to; `bad-input` for a file of a plug-in whose name is
 * not plain
 */
function writeReports(run: StoredRun, folder: string, reports: readonly Report[]): void {
  const elsewhere = 'Choose another folder with --out'
  const written = new Set<string>()
  for (const report of reports) {
    for (const { file, text } of report.render(run)) {
      if (!/^(?:(?:charts|tables)\/)?[\w-][\w.-]{0,99}$/.test(file)) {
        throw new ShaketableError(
          'bad-input',
          `The hook 'render' of the report '${report.name}': expected a file with a plain name such as ${report.name}.md, got '${String(file).slice(0, 100)}'.`,
        )
      }
      writeWhole(join(folder, file), text, elsewhere)
      written.add(file)
    }
  }
  whileWriting(folder, elsewhere, () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
    for (const file of files.filter((name) => !written.has(name)))
      if (reports.some((report) => report.isLeftover?.(file))) rmSync(join(folder, file))
  })
}

/** Opens a page in the browser as a double click does; where nothing can, it says which file to open. */
export async function openPage(path: string): Promise<void> {
  const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }
  const program = openers[process.platform] ?? 'xdg-open'
  const child = spawn(program, [path], { detached: true, stdio: 'ignore' })
  child.unref()
  await once(child, 'spawn').catch(() =>
    say(`--open: expected ${program} to open the page, but it does not start here. Open ${escapeLine(path)} yourself.`),
  )
}
