import { readCsv } from '../results/published/read-csv.js'
import { ShaketableError, nearMiss } from '../core/errors.js'
import { jsonLinesIn } from '../files/read-json.js'

/** The judgements of two judges, counted. */
export interface Judgements {
  readonly judges: readonly [string, string]
  readonly labels: readonly string[]
  /** `counts[first judge][second judge]`, in the order of the labels. */
  readonly counts: readonly (readonly number[])[]
  /** The same of each trajectory, where the file names them. */
  readonly trajectories?: readonly (readonly (readonly number[])[])[]
  /** Unusable lines, a sentence each. */
  readonly problems: readonly string[]
}

/** A row of a file of judgements, by the names of its columns. */
interface Row {
  readonly line: number
  readonly fields: Readonly<Record<string, string>>
}

/** An unusable line, and why. */
interface Problem {
  readonly line: number
  readonly message: string
}

const maxRecords = 1_000_000
const maxLabels = 50
const maxProblems = 100
const itemColumns = ['item', 'id']
const trajectoryColumn = 'trajectory'

/**
 * Reads judgements of two judges: CSV or JSON lines with a column for each judge and optionally `item` or `id`, and
 * `trajectory`, which names those whose items may be alike; or a CSV table of counts, with the first judge's labels as
 * rows and the second's as columns in the same order.
 * @param columns the two columns of the judges, if there are more
 * @throws ShaketableError `bad-input` if there is nothing to count, `usage` for an unknown column
 */
export function readJudgements(text: string, path: string, columns?: readonly [string, string]): Judgements {
  const problems: Problem[] = []
  const report = (line: number, message: string): void => void problems.push({ line, message })
  if (/^\s*[{[]/.test(text)) return countRows(readJsonRows(text, path, report), path, columns, problems, report)
  const { records, problem } = readCsv(text, maxRecords)
  if (problem !== undefined) report(problem.line, problem.message)
  const [head, ...rest] = records
  if (head === undefined) throw wrong(path, problem === undefined ? 'it is empty' : lower(problem.message))
  const names = head.fields.map((field) => field.trim())
  if (columns === undefined) {
    const table = readCounts(names, rest)
    if (table !== undefined) return { ...table, problems: sentencesOf(problems, path) }
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw wrong(path, `two columns are called '${twice.slice(0, 60)}'`)
  const rows = rest.flatMap(({ line, fields }): Row[] => {
    if (fields.length === names.length) {
      return [{ line, fields: Object.fromEntries(fields.map((field, index) => [names[index]!, field.trim()])) }]
    }
    report(line, `Expected ${String(names.length)} fields, got ${String(fields.length)}.`)
    return []
  })
  return countRows({ names, rows }, path, columns, problems, report)
}

/** Reads a table of counts: whole numbers, with the labels of the columns repeated before the rows. */
function readCounts(
  [corner = '', ...labels]: readonly string[],
  rows: readonly { readonly fields: readonly string[] }[],
): Omit<Judgements, 'problems'> | undefined {
  const isTable =
    labels.length >= 1 &&
    new Set(labels).size === labels.length &&
    rows.length === labels.length &&
    rows.every(
      ({ fields: [label = '', ...counts] }, index) =>
        label.trim() === labels[index] &&
        counts.length === labels.length &&
        counts.every((count) => /^\s*\d{1,15}\s*$/.test(count)),
    )
  if (!isTable || labels.length > maxLabels) return undefined
  const [first = '', second = ''] = corner.split(/[\\/|]/).map((name) => name.trim())
  const judges = [first === '' ? 'first' : first, second === '' ? 'second' : second] as const
  return { judges, labels, counts: rows.map(({ fields }) => fields.slice(1).map(Number)) }
}

function readJsonRows(
  text: string,
  path: string,
  report: (line: number, message: string) => void,
): { readonly names: readonly string[]; readonly rows: readonly Row[] } {
  const names: string[] = []
  const rows: Row[] = []
  for (const { value, fault, number: line } of jsonLinesIn(text)) {
    if (fault !== undefined) {
      report(line, `Expected an object in JSON on one line, but it is not JSON: ${fault}.`)
      continue
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      report(line, 'Expected an object in JSON, got something else.')
      continue
    }
    const fields: Record<string, string> = {}
    for (const [name, field] of Object.entries(value as Record<string, unknown>)) {
      if (typeof field === 'string' || typeof field === 'number' || typeof field === 'boolean') {
        fields[name] = String(field).trim()
      }
    }
    if (rows.length === 0) names.push(...Object.keys(fields))
    if (rows.length >= maxRecords) throw wrong(path, `it has more than ${String(maxRecords)} records`)
    rows.push({ line, fields })
  }
  return { names, rows }
}

function countRows(
  { names, rows }: { readonly names: readonly string[]; readonly rows: readonly Row[] },
  path: string,
  columns: readonly [string, string] | undefined,
  problems: Problem[],
  report: (line: number, message: string) => void,
): Judgements {
  const judges = columns ?? judgesOf(names, path, problems)
  for (const judge of judges) {
    if (names.includes(judge)) continue
    const near = nearMiss(judge, names)
    throw new ShaketableError(
      'usage',
      `--judges: expected two columns of ${path}, got '${judge.slice(0, 60)}'.${near === undefined ? '' : ` Did you mean '${near}'?`} It has ${shown(names)}.`,
    )
  }
  const [first, second] = judges
  const item = itemColumns.find((name) => names.includes(name) && !judges.includes(name))
  const seen = new Set<string>()
  const isClustered = names.includes(trajectoryColumn) && !judges.includes(trajectoryColumn)
  const pairs: { readonly labels: readonly [string, string]; readonly trajectory: string }[] = []
  for (const { line, fields } of rows) {
    const [a = '', b = ''] = [fields[first], fields[second]]
    const id = item === undefined ? undefined : fields[item]
    const empty = a === '' ? first : b === '' ? second : undefined
    const trajectory = isClustered ? (fields[trajectoryColumn] ?? '') : ''
    if (empty !== undefined) report(line, `Expected a judgement of '${empty.slice(0, 60)}', got none.`)
    else if (isClustered && trajectory === '') report(line, 'Expected the trajectory of the item, got none.')
    else if (id !== undefined && seen.has(id)) report(line, `The item '${id.slice(0, 60)}' has occurred before.`)
    else pairs.push({ labels: [a, b], trajectory })
    if (id !== undefined && empty === undefined) seen.add(id)
  }
  const labels = sorted([...new Set(pairs.flatMap((pair) => pair.labels))])
  if (pairs.length === 0)
    throw wrong(
      path,
      problems.length === 0 ? 'it has no items' : `no line of it can be used (${sentencesOf(problems, path)[0]!})`,
    )
  if (labels.length > maxLabels) {
    throw wrong(path, `its judges use ${String(labels.length)} labels, more than ${String(maxLabels)}`)
  }
  const places = new Map(labels.map((label, index) => [label, index]))
  const noCounts = (): number[][] => labels.map(() => labels.map(() => 0))
  const counts = noCounts()
  const trajectories = new Map<string, number[][]>()
  for (const {
    labels: [a, b],
    trajectory,
  } of pairs) {
    const [row, column] = [places.get(a)!, places.get(b)!]
    counts[row]![column]!++
    if (!isClustered) continue
    const own = trajectories.get(trajectory) ?? noCounts()
    own[row]![column]!++
    trajectories.set(trajectory, own)
  }
  return {
    judges,
    labels,
    counts,
    ...(isClustered && { trajectories: [...trajectories.values()] }),
    problems: sentencesOf(problems, path),
  }
}

function judgesOf(names: readonly string[], path: string, problems: readonly Problem[]): readonly [string, string] {
  const judges = names.length === 2 ? names : names.filter((name) => ![...itemColumns, trajectoryColumn].includes(name))
  if (judges.length === 2) return [judges[0]!, judges[1]!]
  const first = problems.length === 0 ? '' : ` (${sentencesOf(problems, path)[0]!})`
  throw wrong(path, `it has ${shown(names)}${first}; choose two with --judges first,second`)
}

/** Sorts numbers by value, other labels by their characters. */
function sorted(labels: readonly string[]): string[] {
  const areNumbers = labels.every((label) => label !== '' && Number.isFinite(Number(label)))
  return labels.toSorted((a, b) => (areNumbers ? Number(a) - Number(b) : 0) || (a < b ? -1 : a > b ? 1 : 0))
}

function shown(names: readonly string[]): string {
  if (names.length === 0) return 'no columns'
  return `the columns ${names
    .slice(0, 8)
    .map((name) => `'${name.slice(0, 40)}'`)
    .join(', ')}${names.length > 8 ? ', …' : ''}`
}

/** Problems as sentences, in line order, at most 100. */
function sentencesOf(problems: readonly Problem[], path: string): readonly string[] {
  const sentences = problems
    .toSorted((a, b) => a.line - b.line)
    .slice(0, maxProblems)
    .map(({ line, message }) => `${path}:${String(line)}: ${message}`)
  const more = problems.length - sentences.length
  return more === 0 ? sentences : [...sentences, `… and ${String(more)} more unusable lines.`]
}

function lower(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, '')}`
}

function wrong(path: string, got: string): ShaketableError {
  return new ShaketableError(
    'bad-input',
    `Expected two judgements of each item, or their table of counts, in ${path}, but ${got}. docs/training-data.md shows such files.`,
  )
}
