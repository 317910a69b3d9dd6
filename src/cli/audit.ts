import { Command } from 'commander'
import { audit, paperTasks } from '../audit/audit.js'
import type { Known } from '../audit/sheet.js'
import { canonicalJson } from '../core/episode.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { PublishedRow } from '../core/report.js'
import { auditMarkdown, auditText } from './_audit-text.js'
import { harmless } from './_harmless.js'
import { print, printJson, say } from './_lines.js'
import { readPublished } from './_published-file.js'
import { readWhole } from './_read-whole.js'

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
