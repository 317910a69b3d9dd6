import { markdownText } from '../tables/markdown.js'
import type { Audit } from '../audit/audit.js'
import type { Finding, Severity } from '../audit/sheet.js'
import { nameModel, severities } from '../audit/sheet.js'
import { harmlessLine } from './_harmless.js'
import { layOut, number, wrap } from './_lines.js'

/** More findings of a kind than this are only counted; JSON has all. */
const maxFindings = 200

const titles: Readonly<Record<Severity, string>> = {
  contradiction: 'Contradictions: printed figures and known facts that cannot all be true',
  doubt: 'Doubts: figures that cannot be derived, were likely not measured, or do not fit an assumption',
  note: 'Notes',
}

/** An audit for a terminal so many characters wide. */
export function auditText(audit: Audit, width: number): string {
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
export function auditMarkdown(audit: Audit): string {
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
