import { Command } from 'commander'
import type { Audit } from '../audit/audit.js'
import { audit, paperTasks } from '../audit/audit.js'
import type { Finding, Known, Severity } from '../audit/sheet.js'
import { nameModel, severities } from '../audit/sheet.js'
import { canonicalJson } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import type { PublishedRow } from '../run/plan.js'
import { markdownText } from '../tables/markdown.js'
import { escapeControls, escapeLine, layOut, number, print, printJson, say, wrap } from './_lines.js'
import { readPublished } from './_published-file.js'
import { choice, whole } from './_flags.js'

const formats = ['terminal', 'markdown', 'json'] as const

interface AuditFlags {
  readonly format: (typeof formats)[number]
  readonly tasks?: string
  readonly seeds?: number
  readonly strict?: true
}

/** There is a contradiction, with --strict. */
const exitContradiction = 1

/** `shaketable audit [FILE]`: recomputes what a table of printed numbers claims. */
export function auditCommand(): Command {
  return new Command('audit')
    .description(
      'Recomputes what a file of printed results claims: averages, deviations, counts, differences, repeated cells.',
    )
    .argument('[file]', 'a CSV file of results (default: the AgentRefine results included in shaketable)')
    .option(
      '--tasks <list>',
      "number of tasks of each environment, as in alfworld=134,babyai=112, or one number for all (default: AgentBoard's; an assumption for your own file)",
    )
    .option(...whole('--seeds <n>', 'number of seeds in each mean, for rows that do not state it', 1, 1_000_000))
    .option(...choice('--format <format>', 'output format', formats, 'terminal'))
    .option('--strict', 'exit with code 1 on a contradiction')
    .action(run)
}

async function run(path: string | undefined, flags: AuditFlags): Promise<void> {
  const { format } = flags
  const file = readPublished(path)
  const source = path ?? 'the results that AgentRefine (arXiv 2501.01702) printed'
  const known = readKnown(flags, path, file.rows)
  const problems = file.problems.map(({ line, message }) =>
    escapeControls(`${path ?? 'published.csv'}:${String(line)}: ${message}`),
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
 * The numbers of tasks and seeds: from flags, or AgentRefine's for its own results, or AgentBoard's as an assumption.
 * @throws ShaketableError `usage` for a value of --tasks that is not a list of numbers
 */
function readKnown({ tasks, seeds }: AuditFlags, path: string | undefined, rows: readonly PublishedRow[]): Known {
  return {
    ...(tasks === undefined
      ? { tasks: paperTasks, ...(path !== undefined && { assumedFrom: 'AgentBoard' }) }
      : { tasks: readTasks(tasks, rows) }),
    ...(seeds !== undefined && { seeds }),
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

/** Findings listed of each severity; JSON has all. */
const maxFindings = 200

const titles: Readonly<Record<Severity, string>> = {
  contradiction: 'Contradictions: printed figures and known facts that cannot all be true',
  doubt: 'Doubts: figures that cannot be derived, were likely not measured, or do not fit an assumption',
  note: 'Notes',
}

/** An audit as terminal text of at most `width` columns. */
function auditText(audit: Audit, width: number): string {
  const sections = sorted(audit).map(({ severity, findings }) =>
    [
      `${titles[severity]} (${number(findings.length)})`,
      ...findings.slice(0, maxFindings).flatMap((finding) => {
        const [place, ...text] = [placeOf(finding), finding.message].map(escapeLine)
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

/** An audit as Markdown, with the weighted scores of every model. */
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
    ...(audit.problems.length === 0 ? [] : ['## Unusable lines\n']),
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
    `The held-out score covers the environments of which the model saw no training data.${assumedFrom === undefined ? '' : ` The numbers of tasks are those of ${markdownText(assumedFrom)}; give yours with --tasks.`}\n`,
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

/** Findings by severity, in the order of the file. */
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
  return `${number(rows)} figures in ${number(tables.length)} ${tables.length === 1 ? 'table' : 'tables'} of ${escapeLine(source)}`
}

function placeOf({ lines }: Finding): string {
  return lines.length === 0 ? 'file' : `line ${String(lines[0])}`
}

function describeRest(findings: readonly Finding[]): string[] {
  const rest = findings.length - maxFindings
  return rest > 0 ? [`  … and ${number(rest)} more; --format json has all.`] : []
}
