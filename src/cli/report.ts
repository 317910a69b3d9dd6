import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { Format } from '../../reports/index.js'
import { formats, printPaper, printReport, protocolOfPaper, tableNames } from '../../reports/index.js'
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
import { quote } from './_findings.js'
import type { OptionsOf } from './_flags.js'
import { choice, makeCommand, names, pluginFlag, readPlugins, temperaturesFlag, usageError } from './_flags.js'
import { escapeLine, layOut, number, print, printDocument, printJson, say } from './_lines.js'
import { openPage } from './_open-page.js'
import { joinFlag } from './merge.js'

/** Flags of one table for a paper. */
const paperFlags = [
  ['--rows <models>', 'of a table for a paper: the models to show, in this order, separated by commas', names],
  [
    '--columns <conditions>',
    'of a table for a paper: the conditions to show, in this order, separated by commas',
    names,
  ],
  ['--env <names>', 'of a table for a paper: the environments to show, separated by commas', names],
  ['--figures <names>', 'of a table for a paper: the columns of these figures, such as success,paired-tasks', names],
  ['--bold-best', 'of a table for a paper: print in bold the figures that may be the best of a column'],
] as const

const flags = [
  joinFlag,
  pluginFlag,
  choice(
    '--format <format>',
    'output format; latex is one table for a paper',
    [...formats, 'latex'] as const,
    'terminal',
  ),
  choice('--table <name>', 'print this table alone, and write no files', tableNames()),
  ['--by <part>', 'the part of the table, such as `--table changes --by condition`'],
  [
    '--out <folder>',
    'folder for the files (default: RUN/report; of several runs, and of some temperatures, only the tables are printed)',
  ],
  temperaturesFlag,
  ...paperFlags,
  [
    '--published [file]',
    "show published results beside those of the run, marked as such: AgentRefine's, or those of a file; captions say where games or prompts differ",
    undefined,
    undefined,
    { bare: '' },
  ],
  ['--no-trajectories', 'leave the texts of the episodes out of report.html'],
  ['--open', 'open the page in the browser'],
  ['--proxy-log <file>', 'summarise the log of shaketable proxy instead of a run'],
] as const

type ReportFlags = OptionsOf<typeof flags>

/** `shaketable report RUN`: writes all reports of a run, or of several as one, and prints its tables. */
export const reportCommand = () =>
  makeCommand(
    'report',
    'Writes all reports of a run into RUN/report and prints its tables. Several runs are read as one, as merge would join them, and their reports are written into --out.',
    { places: [['[runs...]', "a run's folder, or several"]], flags, run: report },
  )

async function report(folders: readonly string[], options: ReportFlags): Promise<void> {
  const { format, table, by, temperatures, proxyLog, open } = options
  const [folder] = folders
  if (proxyLog !== undefined && folder === undefined) return printProxyLog(proxyLog, format)
  if (folder === undefined || proxyLog !== undefined)
    throw usageError("Expected a run's folder, or --proxy-log FILE, got both or neither. Give one of them.")
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
  const render = (part?: { readonly table: string; readonly by?: string }): string =>
    printReport(run, format as Format, process.stdout.columns, coloursOf(process.stdout).isColorSupported, part)
  if (isPaper || table !== undefined) {
    const text = isPaper
      ? printPaper(run, format === 'markdown' ? format : 'latex', choiceOf(folders, options))
      : render({ table: table!, ...(by !== undefined && { by }) })
    // Known once the rows were read.
    sayNotes()
    return print(text)
  }
  const out = options.out ?? (joined || temperatures ? undefined : filesOf(folder).report)
  const reports = registry.list('report')
  if (out === undefined) {
    const what = joined ? 'several runs' : 'some temperatures'
    say(`No files are written; give --out FOLDER to write the reports of ${what}.`)
  } else if (options.out === undefined) writeOwnReports(run, folder, reports)
  else writeReports(run, out, reports)
  const text = render()
  sayNotes()
  for (const remark of run.remarks) say(remark)
  const page = out === undefined ? undefined : pageOf(out)
  if (format === 'json') await printJson(text)
  else await print(format === 'terminal' && page !== undefined ? `${text}\nopen ${escapeLine(page)}` : text)
  if (open && page !== undefined) await openPage(page)
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

/** Flags of one table for a paper that are given, as words of a command line. */
function paperWords({ rows, columns, env, figures, boldBest }: ReportFlags): string[] {
  const lists = Object.entries({ env, rows, columns, figures })
  return [
    ...lists.flatMap(([name, values]) => (values === undefined ? [] : [`--${name}`, values.join(',')])),
    ...(boldBest ? ['--bold-best'] : []),
  ]
}

/** Whether a table for a paper is wanted: LaTeX, or Markdown with a choice of rows and columns. */
function isForPaper(options: ReportFlags): boolean {
  const [chosen] = paperWords(options)
  if (options.format === 'latex' || (options.format === 'markdown' && chosen !== undefined)) return true
  if (chosen === undefined) return false
  throw usageError(`${chosen}: expected --format latex or markdown beside it, got ${options.format}. Give one of them.`)
}

/** What a table for a paper shows, with the command that makes it again. */
function choiceOf(folders: readonly string[], options: ReportFlags) {
  const { table, by, env, rows, columns, figures, boldBest, published, temperatures } = options
  // A path without the folders of this machine, since papers are published with their sources.
  const withoutHome = (path: string): string => (isAbsolute(path) ? basename(path) : path)
  const words = [
    ...['shaketable', 'report', ...folders.map(withoutHome), '--format', 'latex'],
    ...(table === undefined ? [] : ['--table', table]),
    ...(by === undefined ? [] : ['--by', by]),
    ...paperWords(options),
    ...(temperatures ? ['--temperatures', temperatures.join(',')] : []),
    ...(published === undefined ? [] : ['--published', ...(published === '' ? [] : [withoutHome(published)])]),
  ]
  return {
    ...(table !== undefined && { table }),
    ...(env && { environments: env }),
    ...(rows && { rows }),
    ...(columns && { columns }),
    ...(by !== undefined && { by }),
    ...(figures && { figures }),
    ...(boldBest && { bold: true }),
    command: words.map(quote).join(' '),
  }
}

const maxPublishedBytes = 50 << 20

/** The rows of a file of published results, or those of AgentRefine, which ship with the package. */
function readBeside(given: ReportFlags['published']): readonly PublishedRow[] | undefined {
  if (given === undefined) return undefined
  const path = given === '' ? undefined : given
  const file = path ?? packagedPath('baselines/published.csv')
  const { rows, problems } = parsePublished(readText('The file of results', file, 'Check the path.', maxPublishedBytes))
  const [problem] = problems
  if (problem !== undefined) {
    const more = problems.length > 1 ? ` (and ${String(problems.length - 1)} more)` : ''
    const where = `${path ?? 'published.csv'}:${String(problem.line)}`
    throw new ShaketableError('bad-input', escapeLine(`${where}: ${problem.message}${more} Correct the file.`))
  }
  if (path !== undefined) return rows
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
