import { markdownOf, markdownText } from '../tables/markdown.js'
import type { Check, CheckedCell, CheckedTask, TaskState } from './check.js'
import { checkTables } from './check-table.js'
import { nameCell, verdictWords } from './words.js'

/** GitHub drops a step's summary whole above 1 MiB. */
export const maxSummaryBytes = 1_000_000

/** A check as a step summary in Markdown, cut at the end of a row where it would have more than so many bytes. */
export function stepSummaryOf(check: Check, maxBytes = maxSummaryBytes): string {
  const { verdict, reasons, cells, notes } = check
  const lines = [
    `# shaketable check: ${verdictWords[verdict]}`,
    '',
    ...reasons.map((reason) => `- ${markdownText(reason)}`),
    '',
    ...markdownOf(checkTables(check)).split('\n'),
    ...cells.flatMap(describeCell),
    ...(notes.length === 0 ? [] : ['## Notes', '', ...notes.map((note) => `- ${markdownText(note)}`), '']),
  ]
  return cutLines(lines, maxBytes)
}

function describeCell(cell: CheckedCell): string[] {
  const { verdict, moved, reason, tasks } = cell
  if (verdict === 'pass' && moved === undefined) return []
  const listed = (['lost', 'gained', 'broken', 'unknown', 'quarantined'] as const).flatMap((state) =>
    listTasks(tasks, state),
  )
  return [
    `### ${markdownText(nameCell(cell))}: ${verdict}`,
    '',
    markdownText(reason),
    '',
    ...(listed.length === 0 ? [] : ['| Task | | Baseline | Run |', '| --- | --- | ---: | ---: |', ...listed, '']),
  ]
}

function listTasks(tasks: readonly CheckedTask[], wanted: TaskState): string[] {
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
  const words = (left: number): string =>
    `\n… ${String(left)} more lines were left out: a step summary is dropped whole above 1 MiB.\n`
  let [kept, bytes] = [0, Buffer.byteLength(words(lines.length))]
  while (kept < lines.length && bytes + sizes[kept]! <= maxBytes) bytes += sizes[kept++]!
  return kept === 0 ? '' : `${lines.slice(0, kept).join('\n')}\n${words(lines.length - kept)}`
}
