import { ShaketableError, nearMiss } from '../core/errors.js'
import { jsonLinesIn } from '../files/read-json.js'
import { readText } from '../files/read-text.js'
import { readCsv } from '../results/published/read-csv.js'
import type { CohenKappa } from '../statistics/agreement.js'
import { cohenKappa } from '../statistics/agreement.js'
import { wilsonInterval } from '../statistics/intervals.js'
import { ratioOfMeans } from '../statistics/ratio-of-means.js'
import { coloursOf } from '../tables/colours.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, usageError } from './_flags.js'
import { layOutGrid } from './_grid.js'
import { escapeControls, escapeLine, number, percent, print, printJson, say } from './_lines.js'

const maxBytes = 50 << 20
const maxRecords = 1_000_000
const maxLabels = 50
const maxProblems = 100

const flags = [
  ['--judges <first,second>', 'the two columns of the judges, if there are more'],
  ['--json', 'print everything as JSON'],
] as const

/** `shaketable data agreement FILE`: agreement of two judges of the same items. */
export const agreementCommand = () =>
  makeCommand(
    'agreement',
    "Measures how far two judges of the same items agree: confusion matrix, agreement, and Cohen's kappa.",
    {
      places: [['<file>', 'CSV or JSON lines with a column for each judge, or a table of counts as CSV']],
      flags,
      below: 'Exit codes: 0, or 2 for a file that cannot be used.',
      run: measureAgreement,
    },
  )

type Counts = readonly (readonly number[])[]

/** The judgements of two judges, counted. */
interface Judgements {
  readonly judges: readonly string[]
  readonly labels: readonly string[]
  /** `counts[first judge][second judge]`, in the order of the labels. */
  readonly counts: Counts
  /** The same of each trajectory, where the file names them. */
  readonly trajectories?: readonly Counts[]
  /** Unusable lines, a sentence each. */
  readonly problems: readonly string[]
}

async function measureAgreement(path: string, { judges, json }: OptionsOf<typeof flags>): Promise<void> {
  const text = readText('The file of judgements', path, 'Check the path.', maxBytes)
  const judgements = readJudgements(text, path, judges === undefined ? undefined : readPair(judges))
  for (const problem of judgements.problems) say(escapeLine(problem))
  const { trajectories, ...counted } = judgements
  const kappa = cohenKappa(counted.counts, trajectories)
  if (kappa === undefined) throw wrong(path, 'all counts are 0')
  const interval = agreementInterval(kappa, trajectories)
  if (!json) return print(escapeControls(describe(judgements, kappa, interval)))
  const document = {
    ...{ schema: 1, file: path, ...counted, ...(trajectories && { trajectories: trajectories.length }) },
    ...{ ...kappa, ...(interval && { agreementInterval: interval }) },
  }
  await printJson(JSON.stringify(document, null, 1))
}

function readPair(text: string): readonly string[] {
  const columns = text.split(',').map((name) => name.trim())
  if (columns.length === 2 && new Set(columns).size === 2 && !columns.includes('')) return columns
  throw usageError(`--judges: expected two columns, as in --judges judge,person, got '${text.slice(0, 100)}'.`)
}

/** A line of a file: its fields by the names of their columns, or why it cannot be used. */
interface Line {
  readonly line: number
  readonly fields?: Readonly<Record<string, string>>
  readonly problem?: string
}

/**
 * Reads judgements of two judges: CSV or JSON lines with a column for each judge and optionally `item` or `id`, and
 * `trajectory`, which names those whose items may be alike; or a CSV table of counts, with the first judge's labels as
 * rows and the second's as columns in the same order.
 * @throws ShaketableError `bad-input` if there is nothing to count, `usage` for an unknown column
 */
function readJudgements(text: string, path: string, wanted: readonly string[] | undefined): Judgements {
  if (/^\s*[{[]/.test(text)) {
    const lines = jsonRows(text)
    const first = lines.find(({ fields }) => fields !== undefined)
    return countLines(Object.keys(first?.fields ?? {}), lines, path, wanted)
  }
  const { records, problem } = readCsv(text, maxRecords)
  const [head, ...rest] = records
  if (head === undefined)
    throw wrong(path, problem === undefined ? 'it is empty' : `it cannot be read (${problem.message})`)
  const names = head.fields.map((field) => field.trim())
  const table = wanted === undefined ? readCounts(names, rest) : undefined
  if (table !== undefined) return table
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw wrong(path, `two columns are called '${twice.slice(0, 60)}'`)
  const lines = rest.map(({ line, fields }): Line => {
    if (fields.length === names.length)
      return { line, fields: Object.fromEntries(fields.map((field, index) => [names[index]!, field.trim()])) }
    return { line, problem: `Expected ${String(names.length)} fields, got ${String(fields.length)}.` }
  })
  if (problem !== undefined) lines.push({ line: problem.line, problem: problem.message })
  return countLines(names, lines, path, wanted)
}

function jsonRows(text: string): Line[] {
  return Array.from(jsonLinesIn(text), ({ value, fault, number: line }): Line => {
    if (fault !== undefined)
      return { line, problem: `Expected an object in JSON on one line, but it is not JSON: ${fault}.` }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { line, problem: 'Expected an object in JSON, got something else.' }
    const scalars = Object.entries(value).filter(([, field]) => ['string', 'number', 'boolean'].includes(typeof field))
    return { line, fields: Object.fromEntries(scalars.map(([name, field]) => [name, String(field).trim()])) }
  })
}

/** Reads a table of counts: whole numbers, with the labels of the columns repeated before the rows. */
function readCounts(
  [corner = '', ...labels]: readonly string[],
  rows: readonly { readonly fields: readonly string[] }[],
): Judgements | undefined {
  const isTable =
    labels.length >= 1 &&
    labels.length <= maxLabels &&
    new Set(labels).size === labels.length &&
    rows.length === labels.length &&
    rows.every(
      ({ fields: [label = '', ...counts] }, index) =>
        label.trim() === labels[index] &&
        counts.length === labels.length &&
        counts.every((count) => /^\s*\d{1,15}\s*$/.test(count)),
    )
  if (!isTable) return undefined
  const [first = '', second = ''] = corner.split(/[\\/|]/).map((name) => name.trim())
  const counts = rows.map(({ fields }) => fields.slice(1).map(Number))
  return { judges: [first || 'first', second || 'second'], labels, counts, problems: [] }
}

function countLines(
  names: readonly string[],
  lines: readonly Line[],
  path: string,
  wanted: readonly string[] | undefined,
): Judgements {
  const place = ({ line }: Line, problem: string): string => `${path}:${String(line)}: ${problem}`
  const firstProblem = lines.flatMap((line) => (line.problem === undefined ? [] : [place(line, line.problem)]))[0]
  const columns = ['item', 'id', 'trajectory']
  const judges = wanted ?? (names.length === 2 ? names : names.filter((name) => !columns.includes(name)))
  if (judges.length !== 2) {
    const why = firstProblem === undefined ? '' : ` (${firstProblem})`
    throw wrong(path, `it has ${shown(names)}${why}; choose two with --judges first,second`)
  }
  const missing = judges.find((judge) => !names.includes(judge))
  if (missing !== undefined) {
    const near = nearMiss(missing, names)
    const hint = near === undefined ? '' : ` Did you mean '${near}'?`
    throw usageError(
      `--judges: expected two columns of ${path}, got '${missing.slice(0, 60)}'.${hint} It has ${shown(names)}.`,
    )
  }
  const [item, id, cluster] = columns.map((name) => (names.includes(name) && !judges.includes(name) ? name : undefined))
  const seen = new Set<string>()
  const problems: string[] = []
  const pairs: { readonly judged: readonly string[]; readonly trajectory: string }[] = []
  for (const line of lines) {
    const { fields = {} } = line
    const judged = judges.map((judge) => fields[judge] ?? '')
    const empty = judges.find((judge) => (fields[judge] ?? '') === '')
    const name = fields[item ?? id ?? '']
    const trajectory = cluster === undefined ? '' : (fields[cluster] ?? '')
    const problem =
      line.problem ??
      (empty !== undefined
        ? `Expected a judgement of '${empty.slice(0, 60)}', got none.`
        : cluster !== undefined && trajectory === ''
          ? 'Expected the trajectory of the item, got none.'
          : name !== undefined && seen.has(name)
            ? `The item '${name.slice(0, 60)}' has occurred before.`
            : undefined)
    if (problem === undefined) pairs.push({ judged, trajectory })
    else problems.push(place(line, problem))
    if (name !== undefined && empty === undefined) seen.add(name)
  }
  const labels = sorted([...new Set(pairs.flatMap((pair) => pair.judged))])
  if (pairs.length === 0)
    throw wrong(path, problems.length === 0 ? 'it has no items' : `no line of it can be used (${problems[0]!})`)
  if (labels.length > maxLabels)
    throw wrong(path, `its judges use ${String(labels.length)} labels, more than ${String(maxLabels)}`)
  const tables = new Map<string, number[][]>()
  const add = (table: string, judged: readonly string[]): void => {
    if (!tables.has(table))
      tables.set(
        table,
        labels.map(() => labels.map(() => 0)),
      )
    const [row, column] = judged.map((label) => labels.indexOf(label))
    tables.get(table)![row!]![column!]!++
  }
  for (const { judged, trajectory } of pairs) add(trajectory, judged)
  const all = [...tables.values()]
  const more = problems.length - maxProblems
  return {
    judges,
    labels,
    counts: labels.map((_, row) => labels.map((_, column) => all.reduce((sum, one) => sum + one[row]![column]!, 0))),
    ...(cluster !== undefined && { trajectories: all }),
    problems: [...problems.slice(0, maxProblems), ...(more > 0 ? [`… and ${String(more)} more unusable lines.`] : [])],
  }
}

/** Sorts numbers by value, other labels by their characters. */
function sorted(labels: readonly string[]): string[] {
  const areNumbers = labels.every((label) => label !== '' && Number.isFinite(Number(label)))
  return labels.toSorted((a, b) => (areNumbers ? Number(a) - Number(b) : 0) || (a < b ? -1 : a > b ? 1 : 0))
}

function shown(names: readonly string[]): string {
  if (names.length === 0) return 'no columns'
  const first = names.slice(0, 8).map((name) => `'${name.slice(0, 40)}'`)
  return `the columns ${first.join(', ')}${names.length > 8 ? ', …' : ''}`
}

function wrong(path: string, got: string): ShaketableError {
  return new ShaketableError(
    'bad-input',
    `Expected two judgements of each item, or their table of counts, in ${path}, but ${got}. docs/training-data.md shows such files.`,
  )
}

/** Of the share of items on which both agree; absent for trajectories that are too few. */
function agreementInterval({ agreement, items }: CohenKappa, trajectories: Judgements['trajectories']) {
  if (trajectories === undefined) return wilsonInterval(Math.round(agreement * items), items)
  const sizes = trajectories.map((table) => table.flat().reduce((sum, count) => sum + count, 0))
  const agreed = trajectories.map((table) => table.reduce((sum, row, label) => sum + row[label]!, 0))
  const largest = sizes.reduce((one, other) => Math.max(one, other))
  const { interval } = ratioOfMeans(sizes, agreed, largest)!
  return interval && { low: interval.low, high: Math.min(1, interval.high) }
}

function describe(
  { judges, labels, counts, trajectories }: Judgements,
  { items, agreement, byChance, kappa, standardError, interval }: CohenKappa,
  range: ReturnType<typeof agreementInterval>,
): string {
  const brief = (text: string): string => {
    const line = escapeLine(text)
    return line.length > 30 ? `${line.slice(0, 29)}…` : line
  }
  const points = (share: number): string => (100 * share).toFixed(1)
  const [down, across] = judges.map(brief)
  const rows = labels.map((label, row) => [brief(label), ...counts[row]!.map(number)].map((text) => ({ text })))
  const table = layOutGrid(
    { heads: ['', ...labels.map(brief)], rows, kinds: ['label', 'label'] },
    { width: Infinity, maxRows: Infinity, colours: coloursOf({}, {}) },
  )
  const spread = range
    ? `95 % interval ${points(range.low)} to ${points(range.high)}`
    : 'no interval: too few trajectories'
  const around =
    interval === undefined
      ? 'no interval: the items do not differ in what they say of it'
      : `95 % interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}; standard error ${standardError!.toFixed(3)}`
  return [
    `${number(items)} items: ${down!} (down) and ${across!} (across)`,
    '',
    ...table,
    '',
    `Agreement  ${percent(agreement)} (${spread})`,
    `By chance  ${percent(byChance)}`,
    `Kappa      ${kappa === undefined ? 'not defined: both judges use one label for all items' : `${kappa.toFixed(2)} (${around})`}`,
    trajectories
      ? `Intervals are over trajectories (${number(trajectories.length)}): items of one may be alike.`
      : "Intervals take the items as independent: name their trajectories in a column 'trajectory' if several are of one.",
  ].join('\n')
}
