import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import colors from 'picocolors'
import { formats, printReport } from '../../reports/index.js'
import { ShaketableError } from '../core/errors.js'
import type { PublishedRow, Report, StoredRun } from '../core/report.js'
import { filesOf } from '../run/store/run-folder.js'
import { readRun } from '../run/store/read-run.js'
import { makeFolder } from '../files/make-folder.js'
import { asWriteError } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import type { ProxySummary } from '../proxy/log.js'
import { summariseProxyLog } from '../proxy/log.js'
import { escapeControls, escapeLine, layOut, number, print, printJson, say } from './_lines.js'
import { readPublished } from './_published-file.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, choice, readPlugins } from './_flags.js'

interface ReportFlags extends PluginFlag {
  readonly format: (typeof formats)[number]
  readonly out?: string
  /** True without a file. */
  readonly published?: true | string
  readonly trajectories: boolean
  readonly proxyLog?: string
}

/** `shaketable report RUN`: writes all reports of a run and prints its tables. */
export function reportCommand(): Command {
  const command = new Command('report')
    .description('Writes all reports of a run into RUN/report and prints its tables.')
    .argument('[run]', "a run's folder")
    .option(...choice('--format <format>', 'output format', formats, 'terminal'))
    .option('--out <folder>', 'folder for the files (default: RUN/report)')
    .option(
      '--published [file]',
      'show published results beside those of the run, marked as such (default: the AgentRefine results)',
    )
    .option('--no-trajectories', 'leave the texts of the episodes out of report.html')
    .option('--proxy-log <file>', 'summarise the log of shaketable proxy instead of a run')
  return addPluginFlag(command).action(async (folder: string | undefined, options: ReportFlags) => {
    if (options.proxyLog !== undefined) return printProxyLog(options.proxyLog, folder, options.format)
    if (folder === undefined) {
      throw new ShaketableError('usage', "Expected a run's folder, got nothing. Give one, or --proxy-log FILE.")
    }
    const { format } = options
    const registry = await readPlugins(options)
    const published = readBeside(options.published)
    const { trajectories, ...stored } = readRun(folder)
    const run = {
      ...stored,
      ...(published && { published }),
      ...(options.trajectories && { trajectories }),
    }
    for (const note of run.notes) say(note)
    const paths = writeReports(run, options.out ?? filesOf(folder).report, registry.list('report'))
    for (const remark of stored.remarks) say(remark)
    const printed = printReport(run, format, process.stdout.columns, showsStyles())
    if (format === 'json') await printJson(printed)
    else await print(format === 'terminal' ? `${printed}\n${escapeControls(paths.join('\n'))}` : printed)
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

function readBeside(given: ReportFlags['published']): readonly PublishedRow[] | undefined {
  if (given === undefined) return undefined
  const path = given === true ? undefined : given
  const { rows, problems } = readPublished(path)
  const [problem] = problems
  if (problem === undefined) return rows
  const where = `${path ?? 'published.csv'}:${String(problem.line)}`
  const more = problems.length > 1 ? ` (and ${String(problems.length - 1)} more)` : ''
  throw new ShaketableError(
    'bad-input',
    escapeControls(
      `${where}: ${problem.message}${more} Correct the file; \`shaketable audit\` lists all its problems.`,
    ),
  )
}

/** Whether printed text can be bold and underlined; not in a file or a log. */
export function showsStyles(): boolean {
  return process.stdout.isTTY && colors.isColorSupported
}

/**
 * Writes the files of reports into a folder.
 * @returns their paths
 * @throws ShaketableError `store` if the folder cannot be written to; `bad-input` for a file of a plug-in whose name is
 * not plain or belongs to another report
 */
export function writeReports(run: StoredRun, folder: string, reports: readonly Report[]): string[] {
  const written = new Map<string, string>()
  for (const report of reports) {
    for (const { file, text } of report.render(run)) {
      checkFile(report.name, file, text, written.get(file))
      changeFiles(folder, () => writeWhole(join(folder, file), text))
      written.set(file, report.name)
    }
    changeFiles(folder, () => {
      const left = readdirSync(folder).filter((file) => report.isLeftover?.(file) === true && !written.has(file))
      for (const file of left) rmSync(join(folder, file))
    })
  }
  return [...written.keys()].map((file) => join(folder, file))
}

function checkFile(report: string, file: unknown, text: unknown, other: string | undefined): void {
  const problem =
    typeof file !== 'string' || !/^[\w-][\w.-]{0,99}$/.test(file)
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
