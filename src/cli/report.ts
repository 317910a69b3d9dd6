import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { Command, Option } from 'commander'
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
import type { ProxySummary } from '../proxy/log.js'
import { summariseProxyLog } from '../proxy/log.js'
import { coloursOf } from '../tables/colours.js'
import { escapeControls, escapeLine, layOut, number, print, printJson, say } from './_lines.js'
import { openPage } from './_open-page.js'
import { readPublished } from './_published-file.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, choice, names, readPlugins, several, temperaturesFlag } from './_flags.js'
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
    .option('--open', 'open the page in the browser')
    .option('--proxy-log <file>', 'summarise the log of shaketable proxy instead of a run')
  return addPluginFlag(addJoinFlags(command)).action(async (folders: readonly string[], options: ReportFlags) => {
    const [folder] = folders
    if (options.proxyLog !== undefined) return printProxyLog(options.proxyLog, folder, options.format)
    if (folder === undefined) {
      throw new ShaketableError('usage', "Expected a run's folder, got nothing. Give one, or --proxy-log FILE.")
    }
    const { format } = options
    const style = styleOf(options)
    if (options.open && (options.table !== undefined || style === 'paper' || format === 'latex')) {
      throw new ShaketableError(
        'usage',
        '--open: expected all reports to be written, got one table to print. Leave --table and --style out, or --open.',
      )
    }
    const registry = await readPlugins(options)
    const published = readBeside(options.published)
    const joined = folders.length > 1 ? joinRuns(folders, joinOptionsOf(options)) : undefined
    for (const sentence of joined?.accepted ?? []) say(sentence)
    const run = Object.assign(
      atTemperatures(joined ?? readRun(folder), options.temperatures),
      published && { published },
      !options.trajectories && { trajectories: undefined },
    )
    refuseUnlike(run, options.published)
    for (const note of run.notes) say(note)
    if (style === 'paper' || format === 'latex') {
      await print(printPaper(run, format === 'markdown' ? format : 'latex', choiceOf(folders, options)))
      return
    }
    const width = process.stdout.columns
    if (options.table !== undefined) {
      const { table, by } = options
      await print(printReport(run, format, width, showsStyles(), { table, ...(by !== undefined && { by }) }))
      return
    }
    const out = options.out ?? (joined || options.temperatures ? undefined : filesOf(folder).report)
    if (out === undefined) {
      const what = joined ? 'several runs' : 'some temperatures'
      say(`No files are written; give --out FOLDER to write the reports of ${what}.`)
    } else if (options.out === undefined) writeOwnReports(run, folder, registry.list('report'))
    else writeReports(run, out, registry.list('report'))
    for (const remark of run.remarks) say(remark)
    const printed = printReport(run, format, width, showsStyles())
    if (format === 'json') await printJson(printed)
    else
      await print(format === 'terminal' && out !== undefined ? `${printed}\nopen ${escapeLine(pageOf(out))}` : printed)
    if (options.open && out !== undefined) await openPage(pageOf(out))
  })
}

async function printProxyLog(path: string, folder: string | undefined, format: string): Promise<void> {
  if (folder !== undefined || !['terminal', 'json'].includes(format)) {
    const got = folder === undefined ? `--format ${format.slice(0, 40)}` : `the run ${folder.slice(0, 100)}`
    throw new ShaketableError(
      'usage',
      `--proxy-log: expected no other option than --format json, got ${got}. Leave it out.`,
    )
  }
  const { rows, damaged } = summariseProxyLog(path)
  if (damaged > 0) say(`${path}: ${number(damaged)} lines are damaged and left out.`)
  if (format === 'json') await printJson(JSON.stringify({ rows, damaged }, undefined, 2))
  else
    await print(
      layOut([proxyColumns.map(([name]) => name), ...rows.map((row) => proxyColumns.map(([, cell]) => cell(row)))]),
    )
}

const proxyColumns: readonly (readonly [string, (row: ProxySummary) => string])[] = [
  ['condition', ({ condition }) => escapeLine(condition)],
  ['model', ({ model }) => escapeLine(model)],
  ['conversations', ({ conversations }) => number(conversations)],
  ['turns', ({ turns }) => number(turns)],
  ['forms', ({ dose }) => number(dose.forms)],
  ['commands seen', ({ dose }) => number(dose.commandsSeen)],
  ['commands said', ({ dose }) => number(dose.commandsSaid)],
  ['names', ({ dose }) => number(dose.names)],
  ['leaks', ({ dose }) => number(dose.leaks)],
  ['memorised', ({ memorised }) => number(memorised)],
  ['refused', ({ refused }) => number(refused)],
  ['unread', ({ unread }) => number(unread)],
  ['failed', ({ failed }) => number(failed)],
]

/** @throws ShaketableError `usage` for a style, or a choice of rows and columns, that the format does not have */
function styleOf(options: ReportFlags): 'paper' | 'full' {
  const { format, style } = options
  const chosen = (['rows', 'columns', 'env', 'figures', 'boldBest'] as const).find(
    (name) => options[name] !== undefined,
  )
  const has = format === 'latex' || format === 'markdown'
  const given = style ?? (format === 'latex' || (has && chosen !== undefined) ? 'paper' : 'full')
  if (given === 'paper' && !has) {
    throw new ShaketableError(
      'usage',
      `--style paper: expected --format latex or markdown, got ${format}. Give one of them.`,
    )
  }
  if (given === 'full' && format === 'latex') {
    throw new ShaketableError(
      'usage',
      '--style full: expected --format markdown, csv or terminal, got latex, which is one table in the style of a paper. Leave --style out.',
    )
  }
  if (given === 'full' && options.by !== undefined && options.table === undefined) {
    throw new ShaketableError('usage', '--by: expected --table beside it, got none. Name the table of the part.')
  }
  if (given === 'full' && chosen !== undefined) {
    const flag = chosen === 'boldBest' ? 'bold-best' : chosen
    throw new ShaketableError(
      'usage',
      `--${flag}: expected the style paper, which is one table, got ${has ? 'the style full' : `the format ${format}`}. Give --format latex, or leave --${flag} out.`,
    )
  }
  return given
}

function choiceOf(
  folders: readonly string[],
  { table, by, env, rows, columns, figures, boldBest, published, temperatures }: ReportFlags,
) {
  return {
    ...(table !== undefined && { table }),
    ...(env && { environments: env }),
    ...(rows && { rows }),
    ...(columns && { columns }),
    ...(by !== undefined && { by }),
    ...(figures && { figures }),
    ...(boldBest && { bold: true }),
    command: [
      `shaketable report ${folders.map((folder) => quoted(withoutHome(folder))).join(' ')} --format latex`,
      ...(table === undefined ? [] : [`--table ${quoted(table)}`]),
      ...(env ? [`--env ${quoted(env.join(','))}`] : []),
      ...(rows ? [`--rows ${quoted(rows.join(','))}`] : []),
      ...(columns ? [`--columns ${quoted(columns.join(','))}`] : []),
      ...(by === undefined ? [] : [`--by ${quoted(by)}`]),
      ...(figures ? [`--figures ${quoted(figures.join(','))}`] : []),
      ...(boldBest ? ['--bold-best'] : []),
      ...(temperatures ? [`--temperatures ${quoted(temperatures.join(','))}`] : []),
      ...(published ?? []).map((value) => `--published ${quoted(withoutHome(value))}`.trimEnd()),
    ].join(' '),
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
  throw new ShaketableError(
    'usage',
    escapeControls(
      `--published: expected a run on the games and prompts of the published rows, got ${unlike.map(({ environment, text }) => `${environment} with ${text}`).join('; ')}. ` +
        'Play those (docs/reproduce.md), or give --published anyway, and the captions say so.',
    ),
  )
}

const anyway = 'anyway'

function readBeside(given: ReportFlags['published']): readonly PublishedRow[] | undefined {
  if (given === undefined) return undefined
  const paths = given.filter((value) => value !== anyway && value !== '')
  if (paths.length > 1) {
    throw new ShaketableError('usage', `--published: expected one file, got ${String(paths.length)}. Join them.`)
  }
  const [path] = paths
  const { rows, problems } = readPublished(path)
  const [problem] = problems
  if (problem === undefined && path !== undefined) return rows
  if (problem === undefined) {
    return rows.map((row) => ({ ...row, conditions: { ...conditionsOfPaper(row.environment), ...row.conditions } }))
  }
  const where = `${path ?? 'published.csv'}:${String(problem.line)}`
  const more = problems.length > 1 ? ` (and ${String(problems.length - 1)} more)` : ''
  throw new ShaketableError('bad-input', escapeControls(`${where}: ${problem.message}${more} Correct the file.`))
}

/** Whether printed text can be bold and underlined. */
function showsStyles(): boolean {
  return coloursOf(process.stdout).isColorSupported
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
  const problem =
    typeof file !== 'string' || !/^(?:(?:charts|tables)\/)?[\w-][\w.-]{0,99}$/.test(file)
      ? `expected a file with a plain name such as ${report}.md, got '${String(file).slice(0, 100)}'`
      : typeof text !== 'string'
        ? `expected the text of ${file} as a string, got a ${typeof text}`
        : other !== undefined && other !== report
          ? `${file} is a file of the report '${other}'; choose another name`
          : undefined
  if (problem === undefined) return
  throw new ShaketableError('bad-input', `The hook 'render' of the report '${report}': ${problem}.`)
}

function changeFiles(folder: string, change: () => void): void {
  try {
    makeFolder(folder)
    change()
  } catch (thrown) {
    throw asWriteError(thrown, folder, 'Choose another folder with --out')
  }
}
