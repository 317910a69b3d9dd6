import * as z from 'zod'
import type { PublishedProtocol, PublishedRow } from '../../define.js'
import { defined } from '../lists.js'
import { readCsv, wrongLine } from './read-csv.js'

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
 * note may be absent. A note may also stand as `[NOTE …]` in the source.
 * @throws ShaketableError `bad-input` with the first line that cannot be used, and why.
 */
export function parsePublished(text: string, source = 'results'): PublishedRow[] {
  const [head = { line: 1, fields: [] }, ...records] = readCsv(text, source)
  const known = Object.keys(record.shape)
  const other = head.fields.find((column, place) => !known.includes(column) || head.fields.indexOf(column) !== place)
  const missing = ['table', 'model', 'environment', 'metric', 'value'].find((column) => !head.fields.includes(column))
  if (other !== undefined || missing !== undefined) {
    const got = missing === undefined ? JSON.stringify(other?.slice(0, 60)) : `none named ${missing}`
    const message = `Expected a first line that names each of the columns ${known.join(', ')} at most once, got ${got}.`
    throw wrongLine(source, head.line, message)
  }
  return records.map(({ line, fields }) => {
    if (fields.length !== head.fields.length) {
      const message = `Expected ${String(head.fields.length)} fields as in the first line, got ${String(fields.length)}. Put text with commas in double quotes.`
      throw wrongLine(source, line, message)
    }
    const cells = Object.fromEntries(head.fields.map((column, place) => [column, fields[place]!.trim()]))
    const { data, error } = record.safeParse(cells)
    if (data !== undefined) return rowOf(line, data)
    const [{ path, message }] = error.issues as [z.core.$ZodIssue]
    const column = String(path[0])
    throw wrongLine(source, line, `Column ${column}: ${message} (${JSON.stringify(cells[column]?.slice(0, 60))}).`)
  })
}

function rowOf(line: number, { std: deviation, held_in: heldIn, ...read }: z.infer<typeof record>): PublishedRow {
  const noted = /(?<!\s)\s*\[NOTE ([^\]]*)\]$/.exec(read.source)
  const { table, model, setting, environment, perturbation, metric, value } = read
  return {
    ...{ line, table, model, setting, environment, perturbation: perturbation || 'none', metric, value },
    ...defined({ deviation }),
    heldIn: heldIn === 'true',
    source: read.source.slice(0, noted?.index),
    ...defined({ note: read.note || noted?.[1], protocol: protocolOf(setting) }),
  }
}

/** What a setting says of the games, the prompt and the limits. */
function protocolOf(setting: PublishedRow['setting']): PublishedProtocol | undefined {
  const numbers = ['tasks', 'steps', 'tokens']
  const parts = ['data', 'split', 'generation', 'prompt', ...numbers].flatMap((name) => {
    const value = setting[name] ?? ''
    if (!numbers.includes(name)) return value === '' ? [] : [[name, value]]
    return plainNumber.test(value) ? [[name, Number(value)]] : []
  })
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}

function readSetting(text: string): Record<string, string> {
  const parts = text.split(';').filter((part) => part.trim() !== '')
  return Object.fromEntries(
    parts.map((part) => {
      const [name = '', ...value] = part.split('=')
      return [name.trim(), value.join('=').trim()]
    }),
  )
}
