import { canonicalJson } from '../core/episode.js'
import { csvOf } from '../tables/csv.js'
import { markdownOf, markdownText } from '../tables/markdown.js'
import type { Table } from '../tables/table.js'
import { terminalOf } from '../tables/terminal.js'
import { choice } from './_flags.js'
import { escapeLine, print, printData, printJson, wrap } from './_lines.js'

const tableFormats = ['terminal', 'markdown', 'csv', 'json'] as const
type TableFormat = (typeof tableFormats)[number]

/** The flag of commands that print tables. */
export const formatFlag = choice('--format <format>', 'output format', tableFormats, 'terminal')

/** What a command found: tables, and what it says about them. */
interface Found {
  readonly tables: readonly Table[]
  /** The whole for programs. */
  readonly json: unknown
  /** The result in sentences. */
  readonly sentences?: readonly string[]
  /** Lines under the tables, of which the first is their title. */
  readonly details?: readonly string[]
  readonly notes?: readonly string[]
}

/** Prints what a command found; a terminal has the sentences last, a page has them first. */
export function printTables(format: TableFormat, found: Found): Promise<void> {
  const { tables, json, sentences = [], details = [], notes = [] } = found
  if (format === 'csv') return printData(csvOf(tables))
  if (format === 'json') return printJson(`${JSON.stringify(JSON.parse(canonicalJson(json)), null, 1)}\n`)
  if (format === 'markdown') {
    const list = (lines: readonly string[]): string => lines.map((line) => `- ${markdownText(line.trim())}\n`).join('')
    const parts = [list(sentences), markdownOf(tables), list(details), list(notes)]
    return print(parts.filter((part) => part !== '').join('\n'))
  }
  const width = Math.max(60, process.stdout.columns ?? 120)
  const texts = [details, notes.map((note) => `note: ${note}`), sentences]
    .filter(({ length }) => length > 0)
    .map((lines) => lines.flatMap((line) => wrap(escapeLine(line), width, '  ')).join('\n'))
  return print([terminalOf(tables, width), ...texts.map((text) => `${text}\n`)].join('\n'))
}
