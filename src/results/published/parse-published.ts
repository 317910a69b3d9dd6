import * as z from 'zod'
import type { PublishedProtocol, PublishedRow } from '../../define.js'
import { readCsv } from './read-csv.js'

/** What {@link parsePublished} reads. */
interface PublishedFile {
  readonly rows: readonly PublishedRow[]
  /** What cannot be used, by the number of the line, from 1. */
  readonly problems: readonly { readonly line: number; readonly message: string }[]
}

const maxRecords = 100_000
const maxProblems = 100

/** A plain decimal number of at most 9 digits and 12 decimals. */
const plainNumber = /^[+-]?\d{1,9}(?:\.\d{1,12})?$/
const name = z.string().min(1, 'got nothing')
const number = z.string().regex(plainNumber, 'expected a number').transform(Number)

/** Metrics that are percentages, or shares of 1. */
const rates: ReadonlySet<string> = new Set(['success', 'progress', 'em', 'f1'])

const record = z
  .object({
    ...{ table: name, model: name, environment: name, metric: name, value: number },
    setting: z.string().default('').transform(readSetting),
    perturbation: z.string().default(''),
    std: z.union([z.literal('').transform(() => undefined), number.pipe(z.number().min(0))]).optional(),
    held_in: z.enum(['true', 'false', '']).default(''),
    source: z.string().default(''),
    note: z.string().default(''),
  })
  .superRefine(({ metric, value, setting, std = 0 }, { addIssue }) => {
    const low = Object.hasOwn(setting, 'delta') ? -100 : 0
    if (rates.has(metric) && !(value >= low && value <= 100 && std <= 100))
      addIssue({ code: 'custom', path: ['value'], message: `expected percentages from ${String(low)} to 100` })
  })

/**
 * Reads published results: CSV with the columns table, model, setting, environment, perturbation, metric, value, std,
 * held_in, source and note in any order. Setting, perturbation (`none` where it is empty), std, held_in, source and
 * note may be absent. A note may also stand as `[NOTE …]` in the source. A line that cannot be used becomes a problem
 * instead of a row, up to 100 of them.
 */
export function parsePublished(text: string): PublishedFile {
  const file = readCsv(text, maxRecords + 1)
  const [head = { line: 1, fields: [] }, ...records] = file.records
  const known = Object.keys(record.shape)
  const other = head.fields.find((column, place) => !known.includes(column) || head.fields.indexOf(column) !== place)
  const missing = ['table', 'model', 'environment', 'metric', 'value'].find((column) => !head.fields.includes(column))
  if (other !== undefined || missing !== undefined) {
    const got = missing === undefined ? JSON.stringify(other?.slice(0, 60)) : `none named ${missing}`
    const message = `Expected a first line that names each of the columns ${known.join(', ')} at most once, got ${got}.`
    return { rows: [], problems: [{ line: head.line, message }] }
  }
  const rows: PublishedRow[] = []
  const problems = file.problem ? [file.problem] : []
  for (const { line, fields } of records) {
    const cells = Object.fromEntries(head.fields.map((column, place) => [column, fields[place]?.trim()]))
    const read = record.safeParse(cells)
    if (read.success && fields.length === head.fields.length) rows.push(rowOf(line, read.data))
    else if (problems.length < maxProblems) problems.push({ line, message: describeIssue(read, cells, fields.length) })
  }
  return { rows, problems: problems.sort((one, other) => one.line - other.line) }
}

function describeIssue(
  { error }: z.ZodSafeParseResult<unknown>,
  cells: Readonly<Record<string, string | undefined>>,
  fields: number,
): string {
  const [issue] = error?.issues ?? []
  if (issue === undefined || Object.keys(cells).length !== fields) {
    return `Expected ${String(Object.keys(cells).length)} fields as in the first line, got ${String(fields)}. Put text with commas in double quotes.`
  }
  const column = String(issue.path[0])
  return `Column ${column}: ${issue.message} (${JSON.stringify(cells[column]?.slice(0, 60))}).`
}

function rowOf(line: number, { std: deviation, held_in: heldIn, ...read }: z.infer<typeof record>): PublishedRow {
  const noted = /(?<!\s)\s*\[NOTE ([^\]]*)\]$/.exec(read.source)
  const note = read.note || noted?.[1]
  const { table, model, setting, environment, perturbation, metric, value } = read
  return {
    ...{ line, table, model, setting, environment, perturbation: perturbation || 'none', metric, value },
    ...(deviation !== undefined && { deviation }),
    heldIn: heldIn === 'true',
    source: noted === null ? read.source : read.source.slice(0, noted.index),
    ...(note !== undefined && { note }),
    ...protocolOf(setting),
  }
}

/** What a setting says of the games, the prompt and the limits. */
function protocolOf(setting: PublishedRow['setting']): { readonly protocol?: PublishedProtocol } {
  const words = ['data', 'split', 'generation', 'prompt'].filter((name) => setting[name])
  const numbers = ['tasks', 'steps', 'tokens'].filter((name) => plainNumber.test(setting[name] ?? ''))
  if (words.length + numbers.length === 0) return {}
  const protocol = [
    ...words.map((name) => [name, setting[name]]),
    ...numbers.map((name) => [name, Number(setting[name])]),
  ]
  return { protocol: Object.fromEntries(protocol) as PublishedProtocol }
}

function readSetting(text: string): Record<string, string> {
  const parts = text.split(';').map((part) => part.trim())
  return Object.fromEntries(
    parts
      .filter((part) => part !== '')
      .map((part) => {
        const [name = '', ...value] = part.split('=')
        return [name.trim(), value.join('=').trim()]
      }),
  )
}
