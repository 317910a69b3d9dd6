import { Command } from 'commander'
import type { Audit } from '../audit/audit.js'
import { audit, paperTasks } from '../audit/audit.js'
import type { Finding, Known, Severity } from '../audit/sheet.js'
import { nameModel, severities } from '../audit/sheet.js'
import { canonicalJson } from '../core/episode.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { PublishedRow } from '../core/report.js'
import { markdownText } from '../tables/markdown.js'
import { harmless, harmlessLine, layOut, number, print, printJson, say, wrap } from './_lines.js'
import { readPublished } from './_published-file.js'
import { readWhole } from './_flags.js'

const formats = ['terminal', 'markdown', 'json'] as const

interface AuditFlags {
  readonly format: string
  readonly tasks?: string
  readonly seeds?: string
  readonly strict?: true
}

/** Something in it contradicts, and it was asked to be strict. */
const exitContradiction = 1

/** `shaketable audit [FILE]`: recomputes what a table of printed numbers claims. */
export function auditCommand(): Command {
  return new Command('audit')
    .description(
      'Recomputes what a file of printed results claims: averages, deviations, counts, differences, repeated cells.',
    )
    .argument('[file]', 'a CSV file of results (default: those that AgentRefine printed, which ship with shaketable)')
    .option(
      '--tasks <list>',
      "how many tasks each environment has, as in alfworld=134,babyai=112, or one number for all (default: AgentBoard's; for a file of yours that is an assumption)",
    )
    .option('--seeds <n>', 'how many seeds each rate is the mean over, where its row does not say')
    .option('--format <format>', `what is printed: ${formats.join(', ')}`, 'terminal')
    .option('--strict', 'exit with 1 where something contradicts')
    .action(run)
}

async function run(path: string | undefined, flags: AuditFlags): Promise<void> {
  const format = formats.find((known) => known === flags.format)
  if (format === undefined) throw new ShaketableError('usage', unknownName('format', flags.format, formats))
  const file = readPublished(path)
  const source = path ?? 'the results that AgentRefine (arXiv 2501.01702) printed'
  const known = readKnown(flags, path, file.rows)
  const problems = file.problems.map(({ line, message }) =>
    harmless(`${path ?? 'published.csv'}:${String(line)}: ${message}`),
  )
  if (file.rows.length === 0) {
    const [first = 'The file has no rows.', ...others] = problems
    throw new ShaketableError(
      'bad-input',
      `${first}${others.length > 0 ? ` (and ${String(others.length)} more)` : ''} Nothing can be audited; docs/audit.md shows what such a file looks like.`,
    )
  }
  const result = audit(file, source, known)
  if (format === 'terminal') {
    for (const problem of problems) say(problem)
    await print(auditText(result, process.stdout.columns ?? 120))
  } else {
    await (format === 'markdown'
      ? print(auditMarkdown(result))
      : printJson(JSON.stringify(JSON.parse(canonicalJson(result)), null, 1)))
  }
  const contradicts = result.checks.some(({ findings }) =>
    findings.some(({ severity }) => severity === 'contradiction'),
  )
  if (flags.strict && contradicts) process.exitCode = exitContradiction
}

/**
 * The numbers of tasks and seeds that are known: those given by flags; AgentRefine's own for its figures; AgentBoard's
 * as an assumption for all others.
 * @throws ShaketableError `usage` for flags that are not numbers.
 */
function readKnown({ tasks, seeds }: AuditFlags, path: string | undefined, rows: readonly PublishedRow[]): Known {
  return {
    ...(tasks === undefined
      ? { tasks: paperTasks, ...(path !== undefined && { assumedFrom: 'AgentBoard' }) }
      : { tasks: readTasks(tasks, rows) }),
    ...(seeds !== undefined && { seeds: readWhole('--seeds', seeds, 1, 1e6) }),
  }
}

function readTasks(text: string, rows: readonly PublishedRow[]): Map<string, number> {
  const tasks = new Map<string, number>()
  let others: number | undefined
  for (const part of text.split(',')) {
    const [, name, digits] = /^\s*(?:([^=]+?)\s*=\s*)?([1-9]\d{0,8})\s*$/.exec(part) ?? []
    if (digits === undefined || (name === undefined ? others !== undefined : tasks.has(name))) {
      throw new ShaketableError(
        'usage',
        `--tasks: expected each environment once with the number of its tasks, as in alfworld=134,babyai=112, or one number for all others, got '${part.slice(0, 100)}'.`,
      )
    }
    if (name === undefined) others = Number(digits)
    else tasks.set(name, Number(digits))
  }
  if (others !== undefined)
    for (const { environment } of rows) if (!tasks.has(environment)) tasks.set(environment, others)
  return tasks
}

/** More findings of a kind than this are only counted; JSON has all. */
const maxFindings = 200

const titles: Readonly<Record<Severity, string>> = {
  contradiction: 'Contradictions: printed figures and known facts that cannot all be true',
  doubt: 'Doubts: figures that cannot be derived, were likely not measured, or do not fit an assumption',
  note: 'Notes',
}

/** An audit for a terminal so many characters wide. */
function auditText(audit: Audit, width: number): string {
  const sections = sorted(audit).map(({ severity, findings }) =>
    [
      `${titles[severity]} (${number(findings.length)})`,
      ...findings.slice(0, maxFindings).flatMap((finding) => {
        const [place, ...text] = [placeOf(finding), finding.message].map(harmlessLine)
        return wrap(`  ${place!.padEnd(9)} ${text.join('')}`, Math.max(60, width), ' '.repeat(12))
      }),
      ...describeRest(findings),
    ].join('\n'),
  )
  const rows = audit.checks.map(({ name, asks, checked, held, unchecked }) => [
    name,
    ...[checked, held, unchecked].map((count) => number(count).padStart(7)),
    asks,
  ])
  const table = layOut([['check', 'checked', '  holds', 'missing', 'asks'], ...rows])
  return `${[headOf(audit), ...sections, table].join('\n\n')}\n`
}

/** The same as Markdown, with the weighted scores of every model. */
function auditMarkdown(audit: Audit): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const sections = sorted(audit).flatMap(({ severity, findings }) => [
    `## ${titles[severity]} (${number(findings.length)})\n`,
    ...findings.slice(0, maxFindings).map((finding) => `- ${placeOf(finding)}: ${markdownText(finding.message)}`),
    ...describeRest(findings),
    '',
  ])
  const checks = audit.checks.map(({ name, asks, checked, held, unchecked }) =>
    row([name, asks, String(checked), String(held), String(unchecked)]),
  )
  return [
    `# ${markdownText(headOf(audit))}\n`,
    row(['Check', 'Asks', 'Checked', 'Holds', 'Missing']),
    row(['---', '---', '---:', '---:', '---:']),
    ...checks,
    '',
    ...sections,
    ...scoreLines(audit, row),
    ...(audit.problems.length === 0 ? [] : ['## Lines that could not be used\n']),
    ...audit.problems.map(({ line, message }) => `- line ${String(line)}: ${markdownText(message)}`),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

function scoreLines(
  { scores, weightings, tasks, assumedFrom }: Audit,
  row: (cells: readonly string[]) => string,
): string[] {
  if (scores.length === 0) return []
  const show = (score: number | null): string => (score === null ? '–' : score.toFixed(2))
  const countOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + (tasks[name] ?? 0), 0)
  const heads = weightings.map(
    ({ environments, by }) =>
      `${environments.join(' + ')}${by === 'tasks' ? `, ${String(countOf(environments))} tasks` : ''}`,
  )
  return [
    '## Scores weighted by tasks\n',
    `The last score is over the environments that the model saw no training data of.${assumedFrom === undefined ? '' : ` The numbers of tasks are ${markdownText(assumedFrom)}'s; give yours with --tasks.`}\n`,
    row(['Table', 'Model', 'Metric', 'All', ...heads.map(markdownText), 'Held out', 'Held out of']),
    row(['---', '---', '---', '---:', ...heads.map(() => '---:'), '---:', '---']),
    ...scores.map((score) =>
      row([
        markdownText(score.table),
        markdownText(nameModel(score)),
        markdownText(score.metric),
        show(score.all),
        ...score.printed.map(show),
        show(score.heldOut),
        markdownText(score.heldOutEnvironments.join(', ')),
      ]),
    ),
    '',
  ]
}

/** Findings by severity, each in the order of the file. */
function sorted({ checks }: Audit): { readonly severity: Severity; readonly findings: readonly Finding[] }[] {
  const all = checks.flatMap(({ findings }) => findings)
  return severities
    .map((severity) => ({
      severity,
      findings: all
        .filter((finding) => finding.severity === severity)
        .sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0)),
    }))
    .filter(({ findings }) => findings.length > 0)
}

function headOf({ rows, tables, source }: Audit): string {
  return `${number(rows)} figures in ${number(tables.length)} ${tables.length === 1 ? 'table' : 'tables'} of ${harmlessLine(source)}`
}

function placeOf({ lines }: Finding): string {
  return lines.length === 0 ? 'file' : `line ${String(lines[0])}`
}

function describeRest(findings: readonly Finding[]): string[] {
  const rest = findings.length - maxFindings
  return rest > 0 ? [`  … and ${number(rest)} more; --format json has all.`] : []
}
