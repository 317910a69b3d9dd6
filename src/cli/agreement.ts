import { ShaketableError } from '../core/errors.js'
import { jsonLinesIn } from '../files/read-json.js'
import { readText } from '../files/read-text.js'
import { readCsv } from '../results/published/read-csv.js'
import type { CohenKappa } from '../statistics/agreement.js'
import { cohenKappa } from '../statistics/agreement.js'
import { wilsonInterval } from '../statistics/intervals.js'
import { ratioOfMeans } from '../statistics/ratio-of-means.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand } from './_flags.js'
import { escapeLine, layOut, number, percent, print, printDocument } from './_lines.js'

const maxBytes = 50 << 20
const maxRecords = 1_000_000
const maxLabels = 50

const flags = [['--json', 'print everything as JSON']] as const

/** `shaketable data agreement FILE`: agreement of two judges of the same items. */
export const agreementCommand = () =>
  makeCommand(
    'agreement',
    "Measures how far two judges of the same items agree: confusion matrix, agreement, and Cohen's kappa.",
    {
      places: [['<file>', 'CSV or JSON lines with a column for each judge, or a table of counts as CSV']],
      flags,
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
}

async function measureAgreement(path: string, { json }: OptionsOf<typeof flags>): Promise<void> {
  const judgements = readJudgements(readText('The file of judgements', path, 'Check the path.', maxBytes), path)
  const { trajectories, ...counted } = judgements
  const kappa = cohenKappa(counted.counts, trajectories)
  if (kappa === undefined) throw wrong(path, 'all counts are 0')
  const interval = agreementInterval(kappa, trajectories)
  if (!json) return print(describe(judgements, kappa, interval))
  const clusters = trajectories && { trajectories: trajectories.length }
  await printDocument({ ...counted, ...clusters, ...kappa, ...(interval && { agreementInterval: interval }) })
}

/**
 * Reads judgements of two judges: CSV or JSON lines with a column for each judge and optionally `item` or `id`, and
 * `trajectory`, which names those whose items may be alike; or a CSV table of counts, with the first judge's labels as
 * rows and the second's as columns in the same order.
 * @throws ShaketableError `bad-input` for anything else, with its first line that cannot be used
 */
function readJudgements(text: string, path: string): Judgements {
  const isJson = /^\s*[{[]/.test(text)
  const [head = [], ...rows] = isJson ? jsonRows(text, path) : csvRows(text, path)
  const table = isJson ? undefined : readCounts(head, rows)
  if (table !== undefined) return table
  const judges = head.filter((name) => !['item', 'id', 'trajectory'].includes(name))
  if (new Set(judges).size !== 2 || judges.length !== 2) {
    const shown = head.slice(0, 8).map((name) => `'${name.slice(0, 40)}'`)
    throw wrong(path, `its columns are ${shown.join(', ') || 'none'}; leave those of two judges`)
  }
  const [first, second] = judges.map((judge) => head.indexOf(judge)) as [number, number]
  const cluster = head.indexOf('trajectory')
  const labels = [...new Set(rows.flatMap((row) => [row[first]!, row[second]!]))].sort()
  if (rows.length === 0) throw wrong(path, 'it has no items')
  if (labels.length > maxLabels)
    throw wrong(path, `its judges use ${String(labels.length)} labels, more than ${String(maxLabels)}`)
  const empty = (): number[][] => labels.map(() => labels.map(() => 0))
  const [counts, clusters] = [empty(), new Map<string, number[][]>()]
  for (const row of rows) {
    const [down, across] = [labels.indexOf(row[first]!), labels.indexOf(row[second]!)]
    const own = clusters.get(row[cluster] ?? '') ?? empty()
    clusters.set(row[cluster] ?? '', own)
    for (const one of [counts, own]) one[down]![across]!++
  }
  return { judges, labels, counts, ...(cluster >= 0 && { trajectories: [...clusters.values()] }) }
}

/** The names of columns, and the fields of each line in their order. */
function csvRows(text: string, path: string): string[][] {
  const { records, problem } = readCsv(text, maxRecords)
  if (problem !== undefined) throw wrong(path, `line ${String(problem.line)} is not CSV (${problem.message})`)
  const rows = records.map(({ fields }) => fields.map((field) => field.trim()))
  const odd = rows.findIndex((row, index) => row.length !== rows[0]!.length || (index > 0 && row.includes('')))
  if (odd >= 0) throw wrong(path, `line ${String(records[odd]!.line)} has not a field for each of its columns`)
  return rows
}

function jsonRows(text: string, path: string): string[][] {
  const rows: string[][] = []
  let names: string[] | undefined
  for (const { value, number: line } of jsonLinesIn(text)) {
    const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
    names ??= Object.keys(fields)
    const row = names.map((name) => fields[name])
    if (names.length === 0 || row.some((field) => !['string', 'number', 'boolean'].includes(typeof field)))
      throw wrong(path, `line ${String(line)} is not an object with the judgements of both`)
    rows.push(row.map((field) => String(field).trim()))
  }
  return [names ?? [], ...rows]
}

/** Reads a table of counts: whole numbers, with the labels of the columns repeated before the rows. */
function readCounts([corner = '', ...labels]: readonly string[], rows: readonly string[][]): Judgements | undefined {
  const isTable =
    labels.length > 0 &&
    labels.length <= maxLabels &&
    rows.length === labels.length &&
    rows.every(([label, ...counts], index) => label === labels[index] && counts.every((one) => /^\d{1,15}$/.test(one)))
  if (!isTable) return undefined
  const [first = '', second = ''] = corner.split(/[\\/|]/).map((name) => name.trim())
  const judges = [first || 'first', second || 'second']
  return { judges, labels, counts: rows.map(([, ...counts]) => counts.map(Number)) }
}

function wrong(path: string, got: string): ShaketableError {
  return new ShaketableError(
    'bad-input',
    `Expected two judgements of each item, or their table of counts, in ${path}, but ${escapeLine(got)}. docs/training-data.md shows such files.`,
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
  { items, agreement, byChance, kappa, interval }: CohenKappa,
  range: ReturnType<typeof agreementInterval>,
): string {
  const brief = (text: string): string => escapeLine(text.slice(0, 30))
  const points = (share: number): string => (100 * share).toFixed(1)
  const [down, across] = judges.map(brief)
  const spread = range ? `95 % interval ${points(range.low)} to ${points(range.high)}` : 'no interval: too few'
  const around = interval
    ? `95 % interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`
    : 'no interval: the items do not differ in what they say of it'
  return [
    `${number(items)} items: ${down!} (down) and ${across!} (across)`,
    '',
    layOut([['', ...labels.map(brief)], ...labels.map((label, row) => [brief(label), ...counts[row]!.map(number)])]),
    '',
    `Agreement  ${percent(agreement)} (${spread})`,
    `By chance  ${percent(byChance)}`,
    `Kappa      ${kappa === undefined ? 'not defined: both judges use one label for all items' : `${kappa.toFixed(2)} (${around})`}`,
    trajectories
      ? `Intervals are over trajectories (${number(trajectories.length)}): items of one may be alike.`
      : "Intervals take the items as independent: name their trajectories in a column 'trajectory' if several are of one.",
  ].join('\n')
}
