import { describePassUnchanged } from '../compare/pass-unchanged.js'
import { markdownOf, markdownText } from '../../tables/markdown.js'
import type { Check, CheckedCell, CheckedTask, TaskState } from './check.js'
import { checkTables } from './check-table.js'
import { count } from '../../tables/words.js'
import { nameCell, verdictWords } from './words.js'

const severities = ['error', 'warning', 'notice'] as const

interface Annotation {
  readonly severity: (typeof severities)[number]
  readonly title: string
  readonly message: string
}

/** GitHub shows ten annotations of a kind for a step and drops the rest silently. */
const maxAnnotations = 9

/** A check as GitHub's workflow commands, a line each: the nine most serious, and how many more there are. */
export function annotationsOf(check: Check): string[] {
  const all = annotate(check)
  const sorted = severities.flatMap((severity) => all.filter((annotation) => annotation.severity === severity))
  const left = sorted.slice(maxAnnotations)
  return [
    ...sorted.slice(0, maxAnnotations),
    ...(left.length === 0
      ? []
      : [{ severity: left[0]!.severity, title: 'shaketable check', message: `… and ${String(left.length)} more` }]),
  ].map(({ severity, title, message }) => `::${severity} title=${escapeProperty(title)}::${escapeMessage(message)}`)
}

function annotate({ cells, verdict, reasons, obstacle }: Check): Annotation[] {
  if (obstacle !== undefined) return [{ severity: 'error', title: 'shaketable check', message: obstacle }]
  const annotations = cells.flatMap((cell): Annotation[] => {
    const severity = severityOf(cell)
    return severity === undefined ? [] : [{ severity, title: nameCell(cell), message: cell.reason }]
  })
  if (annotations.length > 0 || verdict === 'pass') return annotations
  return [{ severity: 'warning', title: 'shaketable check', message: reasons.join(' ') }]
}

function severityOf({ verdict, cause, moved }: CheckedCell): Annotation['severity'] | undefined {
  switch (verdict) {
    case 'fail':
    case 'broken':
      return 'error'
    case 'inconclusive':
      return 'warning'
    case 'unknown':
      return cause === 'unchanged' ? undefined : cause === 'new' ? 'notice' : 'warning'
    case 'pass':
      return moved === undefined ? undefined : 'notice'
  }
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** GitHub drops a step's summary above 1 MiB entirely. */
export const maxSummaryBytes = 1_000_000

/** A check as a step summary in Markdown, cut at the end of a row where it would be longer than `maxBytes`. */
export function stepSummaryOf(check: Check, maxBytes = maxSummaryBytes): string {
  const { verdict, reasons, cells, notes } = check
  const lines = [
    `# shaketable check: ${verdictWords[verdict]}`,
    '',
    ...reasons.map((reason) => `- ${markdownText(reason)}`),
    ...describeAge(check),
    ...(check.run.took === undefined ? [] : [`- The run took ${markdownText(check.run.took)}.`]),
    ...(check.judged === 0 ? [] : [`- ${describePassUnchanged(check.passUnchanged, check.judged, check.rule.margin)}`]),
    '',
    ...markdownOf(checkTables(check)).split('\n'),
    ...cells.flatMap(cellLines),
    ...(notes.length === 0 ? [] : ['## Notes', '', ...notes.map((note) => `- ${markdownText(note)}`), '']),
  ]
  return cutLines(lines, maxBytes)
}

/** How old the baseline is, where models behind servers played both; control models play alike on any day. */
function describeAge({ baseline, run }: Check): string[] {
  if (baseline.played === undefined || run.played === undefined) return []
  const days = Math.round((Date.parse(run.played) - Date.parse(baseline.played)) / 86_400_000)
  const age = days === 0 ? 'the same day' : `${count(Math.abs(days), 'day')} ${days > 0 ? 'before' : 'after'} the run`
  return [`- The baseline was played on ${baseline.played}, ${age}.`]
}

function cellLines(cell: CheckedCell): string[] {
  const { verdict, moved, reason, tasks } = cell
  if (verdict === 'pass' && moved === undefined) return []
  const listed = (['lost', 'gained', 'broken', 'unknown'] as const).flatMap((state) => taskLines(tasks, state))
  return [
    `### ${markdownText(nameCell(cell))}: ${verdict}`,
    '',
    markdownText(reason),
    '',
    ...(listed.length === 0 ? [] : ['| Task | | Baseline | Run |', '| --- | --- | ---: | ---: |', ...listed, '']),
  ]
}

function taskLines(tasks: readonly CheckedTask[], wanted: TaskState): string[] {
  return tasks
    .filter(({ state }) => state === wanted)
    .map(({ id, state, baseline, run }) => {
      const trials = [baseline, run].map(({ successes, measured }) => `${String(successes)}/${String(measured)}`)
      return `| ${[markdownText(id), state, ...trials].join(' | ')} |`
    })
}

function cutLines(lines: readonly string[], maxBytes: number): string {
  const sizes = lines.map((line) => Buffer.byteLength(line) + 1)
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxBytes) return `${lines.join('\n')}\n`
  const ending = (left: number): string =>
    `\n… ${String(left)} more lines were left out: GitHub drops a step summary above 1 MiB.\n`
  let [kept, bytes] = [0, Buffer.byteLength(ending(lines.length))]
  while (kept < lines.length && bytes + sizes[kept]! <= maxBytes) bytes += sizes[kept++]!
  return kept === 0 ? '' : `${lines.slice(0, kept).join('\n')}\n${ending(lines.length - kept)}`
}
