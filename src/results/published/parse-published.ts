import type { PublishedRow } from '../../define.js'
import { nearMiss } from '../../define.js'
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

const maxCharacters = 20_000_000
const maxRecords = 100_000
const maxProblems = 100

/**
 * Reads published results: CSV with the columns table, model, setting, environment, perturbation, metric, value, std,
 * held_in, source and note in any order. Setting, perturbation (`none` where it is empty), std, held_in, source and
 * note may be absent. A note may also stand as `[NOTE …]` in the source. A line that cannot be used becomes a problem
 * instead of a row. Limits: 100 problems, 100,000 rows and 20 million characters.
 */
export function parsePublished(text: string): PublishedFile {
  if (text.length > maxCharacters) {
    const message = `Expected a file of at most ${String(maxCharacters)} characters, got ${String(text.length)}. Split it.`
    return { rows: [], problems: [{ line: 1, message }] }
  }
  const file = readCsv(text, maxRecords + 1)
  const [head, ...records] = file.records
  const found: PublishedProblem[] = file.problem === undefined ? [] : [file.problem]
  if (head === undefined) {
    return { rows: [], problems: found.length > 0 ? found : [{ line: 1, message: describeHead('an empty file') }] }
  }
  const headProblems = checkHead(head)
  if (headProblems.length > 0) return { rows: [], problems: headProblems }
  const rows: PublishedRow[] = []
  const problems: PublishedProblem[] = []
  for (const record of records) {
    const row = readRecord(head.fields, record)
    if (typeof row === 'object') rows.push(row)
    else problems.push({ line: record.line, message: row })
  }
  return { rows, problems: shorten([...problems, ...found]) }
}

function checkHead({ line, fields }: CsvRecord): PublishedProblem[] {
  const missing = required.filter((name) => !fields.includes(name))
  const twice = fields.find((name, index) => fields.indexOf(name) !== index)
  const unknown = fields.filter((name) => !known.some((one) => one === name))
  if (missing.length > 0) return [{ line, message: describeHead(`none named ${missing.join(', ')}`) }]
  if (twice !== undefined) return [{ line, message: describeHead(`${show(twice)} twice`) }]
  return unknown.slice(0, 10).map((name) => {
    const near = nearMiss(name, known)
    const hint = near === undefined ? '' : ` Did you mean '${near}'?`
    return { line, message: `Unknown column ${show(name)}.${hint} Known: ${known.join(', ')}.` }
  })
}

function describeHead(got: string): string {
  return `Expected a first line that names the columns ${required.join(', ')}, and optionally ${optional.join(', ')}, got ${got}.`
}

/** The row, or what is wrong with it. */
function readRecord(head: readonly string[], { line, fields }: CsvRecord): PublishedRow | string {
  if (fields.length !== head.length) {
    return `Expected ${String(head.length)} fields as in the first line, got ${String(fields.length)}. Put text with commas in double quotes.`
  }
  const of = (name: Field): string => fields[head.indexOf(name)]?.trim() ?? ''
  const empty = required.find((name) => of(name) === '')
  if (empty !== undefined) return `Expected a value in the column ${empty}, got nothing.`
  const value = readNumber(of('value'))
  if (value === undefined) return `Expected a number in the column value, got ${show(of('value'))}.`
  const deviation = of('std') === '' ? undefined : readNumber(of('std'))
  if (of('std') !== '' && (deviation === undefined || deviation < 0)) {
    return `Expected a number of 0 or more, or nothing, in the column std, got ${show(of('std'))}.`
  }
  const setting = readSetting(of('setting'))
  const isRate = rates.has(of('metric'))
  const low = Object.hasOwn(setting, 'delta') ? -100 : 0
  if (isRate && (value < low || value > 100)) {
    return `Expected ${String(low)} to 100 in the column value, as ${of('metric')} is a percentage or a share, got ${show(of('value'))}.`
  }
  if (isRate && deviation !== undefined && deviation > 100) {
    return `Expected at most 100 in the column std, as ${of('metric')} is a percentage or a share, got ${show(of('std'))}.`
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
    ...conditionsOf(setting),
  }
}

/** What a setting says of the games, the prompt and the limits. */
function conditionsOf(setting: PublishedRow['setting']): Pick<PublishedRow, 'conditions'> {
  const words = pick(setting, ['data', 'split', 'generation', 'prompt'], (text) => text || undefined)
  const numbers = pick(setting, ['tasks', 'steps', 'tokens'], readNumber)
  const conditions = { ...words, ...numbers }
  return Object.keys(conditions).length === 0 ? {} : { conditions }
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

function shorten(problems: readonly PublishedProblem[]): readonly PublishedProblem[] {
  if (problems.length <= maxProblems) return problems
  const rest = problems.length - maxProblems + 1
  const shown = problems.slice(0, maxProblems - 1)
  return [
    ...shown,
    { line: problems[maxProblems - 1]!.line, message: `From here on ${String(rest)} lines cannot be used.` },
  ]
}
