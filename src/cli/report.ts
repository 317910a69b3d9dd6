import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { Command } from 'commander'
import type { Format } from '../../reports/index.js'
import { chartFormats, formats, printChart, printPaper } from '../../reports/index.js'
import { printReport, protocolOfPaper, tableNames } from '../../reports/index.js'
import { ShaketableError } from '../core/errors.js'
import { makeFolder } from '../files/make-folder.js'
import { refuseLinkedFolder } from '../files/open-to-write.js'
import { packagedPath } from '../files/packaged.js'
import { readText } from '../files/read-text.js'
import { asWriteError } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import { summariseProxyLog } from '../proxy/log.js'
import { parsePublished } from '../results/published/parse-published.js'
import type { PublishedRow, Report, StoredRun } from '../run/plan.js'
import { atTemperatures } from '../run/selection.js'
import { joinRuns, readRun } from '../run/store/read-run.js'
import { filesOf } from '../run/store/run-folder.js'
import { coloursOf } from '../tables/colours.js'
import type { OptionsOf } from './_flags.js'
import { choice, makeCommand, names, pluginFlag, readPlugins, temperaturesFlag, usageError } from './_flags.js'
import { escapeLine, layOut, number, print, printBytes, printDocument, printJson, quote, say } from './_lines.js'
import { joinFlag } from './merge.js'

/** Flags of one table for a paper. */
const paperFlags = [
  ['--rows <models>', 'of a table for a paper: the models to show, in this order, separated by commas', names],
  ['--columns <conditions>', 'of a table for a paper: the conditions to show, in this order', names],
  ['--env <names>', 'of a table for a paper: the environments to show, separated by commas', names],
  ['--figures <names>', 'of a table for a paper: the columns of these figures, such as success,paired-tasks', names],
  ['--bold-best', 'of a table for a paper: print in bold the figures that may be the best of a column'],
] as const

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
  ...paperFlags,
  ['--published [file]', "show AgentRefine's published results, or those of a file, beside those of the run"],
  ['--no-trajectories', 'leave the texts of the episodes out of report.html'],
  ['--open', 'open the page in the browser'],
  ['--proxy-log <file>', 'summarise the log of shaketable proxy instead of a run'],
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
  const sayNotes = (): void => {
    for (const note of [...(joined?.accepted ?? []), ...run.notes]) say(note)
  }
  const { columns } = process.stdout
  const render = (part?: { readonly table: string; readonly by?: string }): string =>
    printReport(run, format as Format, columns, coloursOf(process.stdout).isColorSupported, part)
  if (chartFormat !== undefined && options.chart !== undefined) {
    const { bytes, remarks } = await printChart(run, options.chart, chartFormat, options.font)
    sayNotes()
    for (const remark of remarks) say(remark)
    return printBytes(bytes)
  }
  if (isPaper || table !== undefined) {
    const text = isPaper
      ? printPaper(run, format === 'markdown' ? format : 'latex', choiceOf(folders, options, command))
      : render({ table: table!, ...(by !== undefined && { by }) })
    // Known once the rows were read.
    sayNotes()
    return print(text)
  }
  const reports = registry.list('report')
  const isOwn = options.out === undefined && joined === undefined && temperatures === undefined
  const out = isOwn ? filesOf(folder).report : options.out
  if (isOwn) writeOwnReports(run, folder, reports)
  else if (out !== undefined) writeReports(run, out, reports)
  else say('No files are written; give --out FOLDER to write the reports of several runs, or of some temperatures.')
  const text = render()
  sayNotes()
  for (const remark of run.remarks) say(remark)
  if (format === 'json') await printJson(text)
  else await print(format === 'terminal' && out !== undefined ? `${text}\nopen ${escapeLine(pageOf(out))}` : text)
  if (open && out !== undefined) await openPage(pageOf(out))
}

async function printProxyLog(path: string, format: string): Promise<void> {
  const { rows, damaged } = summariseProxyLog(path)
  if (damaged > 0) say(`${path}: ${number(damaged)} lines are damaged and left out.`)
  if (format === 'json') return printDocument({ rows, damaged })
  const heads =
    'condition,model,conversations,turns,forms,commands seen,commands said,names,listed,made to fail,leaks'.split(',')
  const lines = rows.map(({ condition, model, dose, ...row }) => {
    const changed = [dose.forms, dose.commandsSeen, dose.commandsSaid, dose.names, dose.listed, dose.failed, dose.leaks]
    const counts = [row.conversations, row.turns, ...changed, row.memorised, row.refused, row.unread, row.failed]
    return [escapeLine(condition), escapeLine(model), ...counts.map(number)]
  })
  await print(layOut([[...heads, 'memorised', 'refused', 'unread', 'failed'], ...lines]))
}

/** Whether a table for a paper is wanted: LaTeX, or Markdown with a choice of rows and columns. */
function isForPaper({ format, rows, columns, env, figures, boldBest }: ReportFlags): boolean {
  const given = Object.entries({ rows, columns, env, figures, 'bold-best': boldBest })
  const chosen = given.find(([, value]) => value !== undefined)
  if (format === 'latex' || (format === 'markdown' && chosen !== undefined)) return true
  if (chosen === undefined) return false
  throw usageError(`--${chosen[0]}: expected --format latex or markdown beside it, got ${format}. Give one of them.`)
}

/** What a table for a paper shows, with the command that makes it again. */
function choiceOf(folders: readonly string[], options: ReportFlags, command: Command) {
  const { table, by, env, rows, columns, figures, boldBest } = options
  const given = command.options.filter((flag) => command.getOptionValueSource(flag.attributeName()) === 'cli')
  const words = given.flatMap((flag): string[] => {
    const value: unknown = command.getOptionValue(flag.attributeName())
    return [flag.long!, ...(value === true ? [] : [String(value)])]
  })
  // A path without the folders of this machine, since papers are published with their sources.
  const withoutHome = (word: string): string => (isAbsolute(word) ? basename(word) : word)
  return {
    ...(table !== undefined && { table }),
    ...(env && { environments: env }),
    ...(rows && { rows }),
    ...(columns && { columns }),
    ...(by !== undefined && { by }),
    ...(figures && { figures }),
    ...(boldBest && { bold: true }),
    command: ['shaketable', 'report', ...[...folders, ...words].map(withoutHome)].map(quote).join(' '),
  }
}

/** The rows of a file of published results, or those of AgentRefine, which ship with the package. */
function readBeside(given: string | true | undefined): readonly PublishedRow[] | undefined {
  if (given === undefined) return undefined
  const file = given === true ? packagedPath('baselines/published.csv') : given
  const { rows, problems } = parsePublished(readText('The file of results', file, 'Check the path.'))
  const [problem] = problems
  if (problem !== undefined)
    throw new ShaketableError('bad-input', escapeLine(`${file}:${String(problem.line)}: ${problem.message}`))
  if (given !== true) return rows
  return rows.map((row) => ({ ...row, protocol: { ...protocolOfPaper(row.environment), ...row.protocol } }))
}

/** Writes the reports of a run into its own folder. @throws as {@link writeReports} */
export function writeOwnReports(run: StoredRun, folder: string, reports: readonly Report[]): void {
  const { report } = filesOf(folder)
  for (const one of ['', ...subfolders]) refuseLinkedFolder(join(report, one))
  writeReports(run, report, reports)
}

/** The page among the files of a folder of reports. */
export function pageOf(folder: string): string {
  return join(folder, 'report.html')
}

/** Folders of a report's tables and charts. */
const subfolders = ['tables', 'charts']

/**
 * Writes the files of reports into a folder.
 * @throws ShaketableError `store` if the folder cannot be written to; `bad-input` for a file of a plug-in whose name is
 * not plain
 */
function writeReports(run: StoredRun, folder: string, reports: readonly Report[]): void {
  const written = new Set<string>()
  for (const report of reports) {
    for (const { file, text } of report.render(run)) {
      if (!/^(?:(?:charts|tables)\/)?[\w-][\w.-]{0,99}$/.test(file)) {
        const got = String(file).slice(0, 100)
        throw new ShaketableError(
          'bad-input',
          `The hook 'render' of the report '${report.name}': expected a file with a plain name such as ${report.name}.md, got '${got}'.`,
        )
      }
      const path = join(folder, file)
      changeFiles(dirname(path), () => writeWhole(path, text))
      written.add(file)
    }
    changeFiles(folder, () => {
      const left = filesIn(folder).filter((file) => report.isLeftover?.(file) === true && !written.has(file))
      for (const file of left) rmSync(join(folder, file))
    })
  }
}

/** The files of a folder of reports, by their paths in it. */
function filesIn(folder: string): string[] {
  const filesBelow = (one: string): string[] => (existsSync(join(folder, one)) ? readdirSync(join(folder, one)) : [])
  return [
    ...filesBelow(''),
    ...subfolders.flatMap((subfolder) => filesBelow(subfolder).map((file) => `${subfolder}/${file}`)),
  ]
}

function changeFiles(folder: string, change: () => void): void {
  try {
    makeFolder(folder)
    change()
  } catch (thrown) {
    throw asWriteError(thrown, folder, 'Choose another folder with --out')
  }
}

/** Opens a page in the browser as a double click does; where nothing can, it says which file to open. */
export function openPage(path: string): Promise<void> {
  const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }
  const program = openers[process.platform] ?? 'xdg-open'
  const child = spawn(program, [path], { detached: true, stdio: 'ignore' })
  child.unref()
  return once(child, 'spawn').then(
    () => undefined,
    () =>
      say(
        `--open: expected ${program} to open the page, but it does not start here. Open ${escapeLine(path)} yourself.`,
      ),
  )
}
