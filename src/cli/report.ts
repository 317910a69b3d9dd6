import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { Command, Option } from 'commander'
import type { Format } from '../../reports/index.js'
import {
  conditionsOfPaper,
  describeMismatches,
  formats,
  printPaper,
  printReport,
  tableNames,
} from '../../reports/index.js'
import { ShaketableError } from '../core/errors.js'
import type { PublishedRow, Report, StoredRun } from '../run/plan.js'
import { filesOf } from '../run/store/run-folder.js'
import { atTemperatures } from '../run/selection.js'
import { joinRuns, readRun } from '../run/store/read-run.js'
import { makeFolder } from '../files/make-folder.js'
import { refuseLinkedFolder } from '../files/open-to-write.js'
import { asWriteError } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import { summariseProxyLog } from '../proxy/log.js'
import { coloursOf } from '../tables/colours.js'
import { escapeLine, layOut, number, print, printJson, say } from './_lines.js'
import { openPage } from './_open-page.js'
import type { PublishedFile } from '../results/published/parse-published.js'
import { parsePublished } from '../results/published/parse-published.js'
import { packagedPath } from '../files/packaged.js'
import { readText } from '../files/read-text.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, choice, names, readPlugins, several, temperaturesFlag, usageError } from './_flags.js'
import type { JoinFlags } from './merge.js'
import { addJoinFlags, joinOptionsOf } from './merge.js'

interface ReportFlags extends PluginFlag, JoinFlags {
  readonly format: (typeof printed)[number]
  readonly table?: string
  readonly out?: string
  readonly style?: (typeof styles)[number]
  readonly env?: readonly string[]
  readonly rows?: readonly string[]
  readonly columns?: readonly string[]
  readonly by?: string
  readonly figures?: readonly string[]
  readonly boldBest?: true
  readonly temperatures?: readonly string[]
  /** Files, and `anyway`; an empty text without a value. */
  readonly published?: readonly string[]
  readonly trajectories: boolean
  readonly open?: true
  readonly proxyLog?: string
}

/** What a run is printed as. */
const printed = [...formats, 'latex'] as const
/** How a table is printed: one for a paper, or all of them with all that their captions say. */
const styles = ['paper', 'full'] as const

/** Flags of one table for a paper, as they are written. */
const paperFlags = { env: '--env', rows: '--rows', columns: '--columns', figures: '--figures', boldBest: '--bold-best' }

/** `shaketable report RUN`: writes all reports of a run, or of several as one, and prints its tables. */
export function reportCommand(): Command {
  const command = new Command('report')
    .description(
      'Writes all reports of a run into RUN/report and prints its tables. Several runs are read as one, as merge would join them, and their reports are written into --out.',
    )
    .argument('[runs...]', "a run's folder, or several")
    .option(...choice('--format <format>', 'output format', printed, 'terminal'))
    .option(...choice('--table <name>', 'print this table alone, and write no files', tableNames()))
    .option('--by <part>', 'the part of the table, such as `--table changes --by condition`')
    .option(
      '--out <folder>',
      'folder for the files (default: RUN/report; of several runs, and of some temperatures, only the tables are printed)',
    )
    .option(...temperaturesFlag)
    .option(...choice('--style <style>', 'one table for a paper (the default of latex), or every table', styles))
    .option('--rows <models>', 'style paper: the models to show, in this order, separated by commas', names)
    .option('--columns <conditions>', 'style paper: the conditions to show, in this order, separated by commas', names)
    .option('--env <names>', 'style paper: the environments to show, separated by commas', names)
    .option('--figures <names>', 'style paper: the columns of these figures, such as success,paired-tasks', names)
    .option('--bold-best', 'style paper: print in bold the figures that may be the best of a column')
    .addOption(
      new Option(
        '--published [file]',
        "show published results beside those of the run, marked as such: AgentRefine's, or those of a file; 'anyway' shows them beside other games or prompts, too",
      )
        .preset('')
        .argParser(several),
    )
    .option('--no-trajectories', 'leave the texts of the episodes out of report.html')
    .addOption(new Option('--open', 'open the page in the browser').conflicts(['table', ...Object.keys(paperFlags)]))
    .option('--proxy-log <file>', 'summarise the log of shaketable proxy instead of a run')
  return addPluginFlag(addJoinFlags(command)).action(report)
}

async function report(folders: readonly string[], options: ReportFlags): Promise<void> {
  const { format, table, by, temperatures, proxyLog, open } = options
  const [folder] = folders
  if (proxyLog !== undefined && folder === undefined) return printProxyLog(proxyLog, format)
  if (folder === undefined || proxyLog !== undefined)
    throw usageError("Expected a run's folder, or --proxy-log FILE, got both or neither. Give one of them.")
  const isPaper = isForPaper(options)
  const registry = await readPlugins(options)
  const published = readBeside(options.published)
  const joined = folders.length > 1 ? joinRuns(folders, joinOptionsOf(options)) : undefined
  const run = Object.assign(
    atTemperatures(joined ?? readRun(folder), temperatures),
    published && { published },
    !options.trajectories && { trajectories: undefined },
  )
  refuseUnlike(run, options.published)
  for (const note of [...(joined?.accepted ?? []), ...run.notes]) say(note)
  if (isPaper) return print(printPaper(run, format === 'markdown' ? format : 'latex', choiceOf(folders, options)))
  const width = process.stdout.columns
  const isStyled = coloursOf(process.stdout).isColorSupported
  if (table !== undefined) {
    return print(printReport(run, format as Format, width, isStyled, { table, ...(by !== undefined && { by }) }))
  }
  const own = joined || temperatures ? undefined : filesOf(folder).report
  const out = options.out ?? own
  const reports = registry.list('report')
  if (out === undefined) {
    const what = joined ? 'several runs' : 'some temperatures'
    say(`No files are written; give --out FOLDER to write the reports of ${what}.`)
  } else if (options.out === undefined) writeOwnReports(run, folder, reports)
  else writeReports(run, out, reports)
  for (const remark of run.remarks) say(remark)
  const text = printReport(run, format as Format, width, isStyled)
  const page = out === undefined ? undefined : pageOf(out)
  if (format === 'json') await printJson(text)
  else await print(format === 'terminal' && page !== undefined ? `${text}\nopen ${escapeLine(page)}` : text)
  if (open && page !== undefined) await openPage(page)
}

async function printProxyLog(path: string, format: string): Promise<void> {
  const { rows, damaged } = summariseProxyLog(path)
  if (damaged > 0) say(`${path}: ${number(damaged)} lines are damaged and left out.`)
  if (format === 'json') return printJson(JSON.stringify({ rows, damaged }, undefined, 2))
  const heads =
    'condition,model,conversations,turns,forms,commands seen,commands said,names,listed,made to fail,leaks'.split(',')
  const lines = rows.map(({ condition, model, dose, ...row }) => {
    const changed = [dose.forms, dose.commandsSeen, dose.commandsSaid, dose.names, dose.listed, dose.failed, dose.leaks]
    const counts = [row.conversations, row.turns, ...changed, row.memorised, row.refused, row.unread, row.failed]
    return [escapeLine(condition), escapeLine(model), ...counts.map(number)]
  })
  await print(layOut([[...heads, 'memorised', 'refused', 'unread', 'failed'], ...lines]))
}

/** @throws ShaketableError `usage` for a style, or a choice of rows and columns, that the format does not have */
function isForPaper(options: ReportFlags): boolean {
  const { format, style, by, table, open } = options
  const chosen = Object.entries(paperFlags).find(([name]) => options[name as keyof ReportFlags] !== undefined)?.[1]
  const has = format === 'latex' || format === 'markdown'
  const isPaper = style === undefined ? format === 'latex' || (has && chosen !== undefined) : style === 'paper'
  if (isPaper && !has)
    throw usageError(`--style paper: expected --format latex or markdown, got ${format}. Give one of them.`)
  if (isPaper && open) throw usageError('--open: expected all reports to be written, got --format latex. Leave it out.')
  if (isPaper) return true
  if (format === 'latex') {
    throw usageError(
      '--style full: expected --format markdown, csv or terminal, got latex, which is one table in the style of a paper. Leave --style out.',
    )
  }
  if (by !== undefined && table === undefined)
    throw usageError('--by: expected --table beside it, got none. Name the table of the part.')
  if (chosen !== undefined) {
    throw usageError(
      `${chosen}: expected the style paper, which is one table, got the style full or the format ${format}. Give --format latex, or leave ${chosen} out.`,
    )
  }
  return false
}

/** What a table for a paper shows, with the command that makes it again. */
function choiceOf(folders: readonly string[], options: ReportFlags) {
  const { table, by, env, rows, columns, figures, boldBest, published = [], temperatures } = options
  const words = [
    ...['shaketable', 'report', ...folders.map(withoutHome), '--format', 'latex'],
    ...(table === undefined ? [] : ['--table', table]),
    ...Object.entries({ env, rows, columns, by: by === undefined ? undefined : [by], figures }).flatMap(
      ([name, values]) => (values === undefined ? [] : [`--${name}`, values.join(',')]),
    ),
    ...(boldBest ? ['--bold-best'] : []),
    ...(temperatures ? ['--temperatures', temperatures.join(',')] : []),
    ...published.flatMap((value) => (value === '' ? ['--published'] : ['--published', withoutHome(value)])),
  ]
  return {
    ...(table !== undefined && { table }),
    ...(env && { environments: env }),
    ...(rows && { rows }),
    ...(columns && { columns }),
    ...(by !== undefined && { by }),
    ...(figures && { figures }),
    ...(boldBest && { bold: true }),
    command: words.map(quoted).join(' '),
  }
}

/** A path without the folders of this machine, since papers are published with their sources. */
function withoutHome(path: string): string {
  return isAbsolute(path) ? basename(path) : path
}

/** A word of a command line. */
function quoted(word: string): string {
  return /^[\w./:=,+@%-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** @throws ShaketableError `usage` where published rows are of other games or prompts, unless they are wanted anyway */
function refuseUnlike({ plan, published }: StoredRun, given: ReportFlags['published']): void {
  const unlike = describeMismatches(plan, published)
  if (unlike.length === 0 || given?.includes(anyway)) return
  throw usageError(
    escapeLine(
      `--published: expected a run on the games and prompts of the published rows, got ${unlike.map(({ environment, text }) => `${environment} with ${text}`).join('; ')}. ` +
        'Play those (docs/reproduce.md), or give --published anyway, and the captions say so.',
    ),
  )
}

const anyway = 'anyway'
const maxPublishedBytes = 50 << 20

/** Reads a file of published results, or those of AgentRefine, which ship with the package. */
function readPublished(path = packagedPath('baselines/published.csv')): PublishedFile {
  return parsePublished(readText('The file of results', path, 'Check the path.', maxPublishedBytes))
}

function readBeside(given: ReportFlags['published']): readonly PublishedRow[] | undefined {
  if (given === undefined) return undefined
  const [path, ...others] = given.filter((value) => value !== anyway && value !== '')
  if (others.length > 0)
    throw usageError(`--published: expected one file, got ${String(1 + others.length)}. Join them.`)
  const { rows, problems } = readPublished(path)
  const [problem] = problems
  if (problem !== undefined) {
    const where = `${path ?? 'published.csv'}:${String(problem.line)}`
    const more = problems.length > 1 ? ` (and ${String(problems.length - 1)} more)` : ''
    throw new ShaketableError('bad-input', escapeLine(`${where}: ${problem.message}${more} Correct the file.`))
  }
  if (path !== undefined) return rows
  return rows.map((row) => ({ ...row, conditions: { ...conditionsOfPaper(row.environment), ...row.conditions } }))
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

/**
 * Writes the files of reports into a folder.
 * @throws ShaketableError `store` if the folder cannot be written to; `bad-input` for a file of a plug-in whose name is
 * not plain or belongs to another report
 */
function writeReports(run: StoredRun, folder: string, reports: readonly Report[]): void {
  const written = new Map<string, string>()
  for (const report of reports) {
    for (const { file, text } of report.render(run)) {
      checkFile(report.name, file, text, written.get(file))
      const path = join(folder, file)
      changeFiles(dirname(path), () => writeWhole(path, text))
      written.set(file, report.name)
    }
    changeFiles(folder, () => {
      const left = filesIn(folder).filter((file) => report.isLeftover?.(file) === true && !written.has(file))
      for (const file of left) rmSync(join(folder, file))
    })
  }
}

/** Folders of a report's tables and charts. */
const subfolders = ['tables', 'charts']

/** The files of a folder of reports, by their paths in it. */
function filesIn(folder: string): string[] {
  return ['', ...subfolders].flatMap((one) =>
    existsSync(join(folder, one))
      ? readdirSync(join(folder, one)).map((file) => (one === '' ? file : `${one}/${file}`))
      : [],
  )
}

function checkFile(report: string, file: unknown, text: unknown, other: string | undefined): void {
  const refuse = (problem: string): never => {
    throw new ShaketableError('bad-input', `The hook 'render' of the report '${report}': ${problem}.`)
  }
  if (typeof file !== 'string' || !/^(?:(?:charts|tables)\/)?[\w-][\w.-]{0,99}$/.test(file))
    return refuse(`expected a file with a plain name such as ${report}.md, got '${String(file).slice(0, 100)}'`)
  if (typeof text !== 'string') refuse(`expected the text of ${file} as a string, got a ${typeof text}`)
  if (other !== undefined && other !== report) refuse(`${file} is a file of the report '${other}'; choose another name`)
}

function changeFiles(folder: string, change: () => void): void {
  try {
    makeFolder(folder)
    change()
  } catch (thrown) {
    throw asWriteError(thrown, folder, 'Choose another folder with --out')
  }
}
