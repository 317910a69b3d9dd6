import type { Check, CheckedCell } from './check.js'
import { nameCell } from './words.js'

const severities = ['error', 'warning', 'notice'] as const

interface Annotation {
  readonly severity: (typeof severities)[number]
  readonly title: string
  readonly message: string
}

/** GitHub shows ten of a kind for a step and drops the rest without a word. */
const most = 9

/** A check as GitHub's workflow commands, a line each: the nine most serious, and how many more there are. */
export function annotationsOf(check: Check): string[] {
  const all = annotate(check)
  const sorted = severities.flatMap((severity) => all.filter((annotation) => annotation.severity === severity))
  const left = sorted.slice(most)
  return [
    ...sorted.slice(0, most),
    ...(left.length === 0
      ? []
      : [{ severity: left[0]!.severity, title: 'shaketable check', message: `… and ${String(left.length)} more` }]),
  ].map(({ severity, title, message }) => `::${severity} title=${escapeProperty(title)}::${escapeMessage(message)}`)
}

function annotate({ cells, verdict, reasons, obstacle }: Check): Annotation[] {
  if (obstacle !== undefined) return [{ severity: 'error', title: 'shaketable check', message: obstacle }]
  const told = cells.flatMap((cell): Annotation[] => {
    const severity = severityOf(cell)
    return severity === undefined ? [] : [{ severity, title: nameCell(cell), message: cell.reason }]
  })
  if (told.length > 0 || verdict === 'pass') return told
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
