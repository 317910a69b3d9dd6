import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import colors from 'picocolors'
import { formats, printReport } from '../../reports/index.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { PublishedRow, Report, StoredRun } from '../core/report.js'
import { filesOf } from '../run/store/run-folder.js'
import { readRun } from '../run/store/read-run.js'
import { makeFolder } from '../files/make-folder.js'
import { asWriteError } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import type { ProxySummary } from '../proxy/log.js'
import { summariseProxyLog } from '../proxy/log.js'
import { harmless, harmlessLine, layOut, number, print, printJson, say } from './_lines.js'
import { readPublished } from './_published-file.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, readPlugins } from './_flags.js'

interface ReportFlags extends PluginFlag {
  readonly format: string
  readonly out?: string
  /** True without a file. */
  readonly published?: true | string
  readonly trajectories: boolean
  readonly proxyLog?: string
}

/** `shaketable report RUN`: writes the files of every report and prints the tables. */
export function reportCommand(): Command {
  const command = new Command('report')
    .description('make the tables of a run: files in RUN/report, and one of them printed')
    .argument('[run]', "a run's folder")
    .option('--format <format>', `what is printed: ${formats.join(', ')}`, 'terminal')
    .option('--out <folder>', 'where the files go (default: RUN/report)')
    .option(
      '--published [file]',
      'place published results beside those of the run, marked as such (default: those that AgentRefine printed)',
    )
    .option('--no-trajectories', 'leave out of report.html what was said in the episodes')
    .option('--proxy-log <file>', 'sum up the log of shaketable proxy instead of a run')
  return addPluginFlag(command).action(async (folder: string | undefined, options: ReportFlags) => {
    if (options.proxyLog !== undefined) return printProxyLog(options.proxyLog, folder, options.format)
    if (folder === undefined) {
      throw new ShaketableError('usage', "Expected a run's folder, got nothing. Give one, or --proxy-log FILE.")
    }
    const format = formats.find((known) => known === options.format)
    if (format === undefined) throw new ShaketableError('usage', unknownName('format', options.format, formats))
    const registry = await readPlugins(options)
    const published = readBeside(options.published)
    const whole = readRun(folder)
    const { trajectories, ...stored } = whole
    const run = {
      ...stored,
      ...(published && { published }),
      ...(options.trajectories && { trajectories }),
    }
    for (const note of run.notes) say(note)
    const paths = writeReports(run, options.out ?? filesOf(folder).report, registry.list('report'))
    for (const remark of whole.remarks) say(remark)
    const printed = printReport(run, format, process.stdout.columns, showsStyles())
    if (format === 'json') await printJson(printed)
    else await print(format === 'terminal' ? `${printed}\n${harmless(paths.join('\n'))}` : printed)
  })
}

async function printProxyLog(path: string, folder: string | undefined, format: string): Promise<void> {
  if (folder !== undefined || !['terminal', 'json'].includes(format)) {
    const got = folder === undefined ? `--format ${format.slice(0, 40)}` : `the run ${folder.slice(0, 100)}`
    throw new ShaketableError('usage', `--proxy-log stands alone, or with --format json; got ${got} beside it.`)
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
  ['condition', ({ condition }) => harmlessLine(condition)],
  ['model', ({ model }) => harmlessLine(model)],
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

function readBeside(asked: ReportFlags['published']): readonly PublishedRow[] | undefined {
  if (asked === undefined) return undefined
  const path = asked === true ? undefined : asked
  const { rows, problems } = readPublished(path)
  const [problem] = problems
  if (problem === undefined) return rows
  const where = `${path ?? 'published.csv'}:${String(problem.line)}`
  const more = problems.length > 1 ? ` (and ${String(problems.length - 1)} more)` : ''
  throw new ShaketableError(
    'bad-input',
    harmless(
      `${where}: ${problem.message}${more} Correct the file; \`shaketable audit\` tells all that is wrong with it.`,
    ),
  )
}

/** Whether what is printed can be bold and underlined: not where it goes to a file or into a log. */
export function showsStyles(): boolean {
  return process.stdout.isTTY && colors.isColorSupported
}

/**
 * Writes the files of reports into a folder and gives their paths.
 * @throws ShaketableError `store` where the folder cannot be written to; `bad-input` for a file of a plug-in that has
 * no plain name, or that of another report
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
