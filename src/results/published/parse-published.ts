import type { PublishedRow } from '../../define.js'
import type { CsvRecord } from './read-csv.js'
import { readCsv } from './read-csv.js'

export type { PublishedRow } from '../../define.js'

/** Something in a file of published numbers that cannot be used. */
export interface PublishedProblem {
  /** Number of the line, from 1. */
  readonly line: number
  readonly message: string
}

/** What {@link parsePublished} reads. */
export interface PublishedFile {
  readonly rows: readonly PublishedRow[]
  readonly problems: readonly PublishedProblem[]
}

const required = ['table', 'model', 'environment', 'metric', 'value'] as const
const optional = ['setting', 'perturbation', 'std', 'held_in', 'source', 'note'] as const
type Field = (typeof required)[number] | (typeof optional)[number]
const known: readonly Field[] = [...required, ...optional]

/** Metrics that are percentages, or shares of 1. */
const rates: ReadonlySet<string> = new Set(['success', 'progress', 'em', 'f1'])

const maxRecords = 100_000
const maxProblems = 100

/**
 * Reads published results: CSV with the columns table, model, setting, environment, perturbation, metric, value, std,
 * held_in, source and note in any order. Setting, perturbation (`none` where it is empty), std, held_in, source and
 * note may be absent. A note may also stand as `[NOTE …]` in the source. A line that cannot be used becomes a problem
 * instead of a row, up to 100 of them.
 */
export function parsePublished(text: string): PublishedFile {
  const file = readCsv(text, maxRecords + 1)
  const [head = { line: 1, fields: [] }, ...records] = file.records
  const problems: PublishedProblem[] = []
  const refuse = (line: number, message: string): number => problems.push({ line, message })
  const missing = required.filter((name) => !head.fields.includes(name))
  const others = head.fields.filter((name, place) => !isField(name) || head.fields.indexOf(name) !== place)
  if (missing.length > 0)
    refuse(head.line, `Expected a first line that names ${required.join(', ')}, got none named ${missing.join(', ')}.`)
  for (const name of others.slice(0, 10))
    refuse(head.line, `Expected each of the columns ${known.join(', ')} at most once, got ${show(name)}.`)
  const rows: PublishedRow[] = []
  for (const record of problems.length > 0 ? [] : records) {
    const row = readRecord(head.fields, record)
    if (typeof row === 'object') rows.push(row)
    else refuse(record.line, row)
  }
  return { rows, problems: [...problems, ...(file.problem ? [file.problem] : [])].slice(0, maxProblems) }
}

function isField(name: string): name is Field {
  return known.some((one) => one === name)
}

/** The row, or what is wrong with it. */
function readRecord(head: readonly string[], { line, fields }: CsvRecord): PublishedRow | string {
  if (fields.length !== head.length) {
    return `Expected ${String(head.length)} fields as in the first line, got ${String(fields.length)}. Put text with commas in double quotes.`
  }
  const of = (name: Field): string => fields[head.indexOf(name)]?.trim() ?? ''
  const empty = required.find((name) => of(name) === '')
  if (empty !== undefined) return `Expected a value in the column ${empty}, got nothing.`
  const setting = readSetting(of('setting'))
  const isRate = rates.has(of('metric'))
  const [low, high] = isRate ? [Object.hasOwn(setting, 'delta') ? -100 : 0, 100] : [-Infinity, Infinity]
  const [value = NaN, deviation] = [readNumber(of('value')), readNumber(of('std'))]
  if (!(value >= low && value <= high)) {
    return `Expected a number${isRate ? ` from ${String(low)} to 100` : ''} in the column value, got ${show(of('value'))}.`
  }
  if (of('std') !== '' && !(deviation !== undefined && deviation >= 0 && deviation <= high)) {
    return `Expected a number of 0 or more${isRate ? ', at most 100,' : ','} or nothing in the column std, got ${show(of('std'))}.`
  }
  if (!['true', 'false', ''].includes(of('held_in'))) {
    return `Expected true, false or nothing in the column held_in, got ${show(of('held_in'))}.`
  }
  const noted = /(?<!\s)\s*\[NOTE ([^\]]*)\]$/.exec(of('source'))
  const note = of('note') || noted?.[1]
  return {
    line,
    table: of('table'),
    model: of('model'),
    setting,
    environment: of('environment'),
    perturbation: of('perturbation') || 'none',
    metric: of('metric'),
    value,
    ...(deviation !== undefined && { deviation }),
    heldIn: of('held_in') === 'true',
    source: noted === null ? of('source') : of('source').slice(0, noted.index),
    ...(note !== undefined && { note }),
    ...protocolOf(setting),
  }
}

/** What a setting says of the games, the prompt and the limits. */
function protocolOf(setting: PublishedRow['setting']): Pick<PublishedRow, 'protocol'> {
  const words = pick(setting, ['data', 'split', 'generation', 'prompt'], (text) => text || undefined)
  const numbers = pick(setting, ['tasks', 'steps', 'tokens'], readNumber)
  const protocol = { ...words, ...numbers }
  return Object.keys(protocol).length === 0 ? {} : { protocol }
}

function pick<Name extends string, Value>(
  setting: PublishedRow['setting'],
  names: readonly Name[],
  read: (text: string) => Value | undefined,
): { readonly [name in Name]?: Value } {
  const found = names.map((name) => [name, Object.hasOwn(setting, name) ? read(setting[name]!) : undefined] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as { readonly [name in Name]?: Value }
}

function readSetting(text: string): Record<string, string> {
  const parts = text.split(';').map((part) => part.trim())
  return Object.fromEntries(
    parts
      .filter((part) => part !== '')
      .map((part) => {
        const equals = part.indexOf('=')
        return equals === -1 ? [part, ''] : [part.slice(0, equals).trim(), part.slice(equals + 1).trim()]
      }),
  )
}

/** A plain decimal number of at most 9 digits and 12 decimals; undefined for anything else. */
function readNumber(text: string): number | undefined {
  return /^[+-]?\d{1,9}(?:\.\d{1,12})?$/.test(text) ? Number(text) : undefined
}

function show(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
