import { canonicalJson } from '../core/episode.js'
import { csvOf } from '../tables/csv.js'
import { markdownOf, markdownText } from '../tables/markdown.js'
import type { Table } from '../tables/table.js'
import { terminalOf } from '../tables/terminal.js'
import { wrap } from '../tables/plain.js'
import { choice } from './_flags.js'
import { escapeLine, print, printData, printJson } from './_lines.js'

const tableFormats = ['terminal', 'markdown', 'csv', 'json'] as const

/** The flag of commands that print tables. */
export const formatFlag = choice('--format <format>', 'output format', tableFormats, 'terminal')

/** What a command found: tables, and what it says about them. */
interface Page {
  readonly tables: readonly Table[]
  /** The result in sentences. */
  readonly sentences?: readonly string[]
  /** Lines under the tables, of which the first is their title. */
  readonly details?: readonly string[]
  readonly notes?: readonly string[]
}

/** Prints what a command found, of which `json` is the whole for programs. */
export function printTables(
  format: (typeof tableFormats)[number],
  page: Page & { readonly json: unknown },
): Promise<void> {
  if (format === 'csv') return printData(csvOf(page.tables))
  if (format === 'json') return printJson(`${JSON.stringify(JSON.parse(canonicalJson(page.json)), null, 1)}\n`)
  return print(format === 'markdown' ? markdownPage(page) : terminalPage(page))
}

/** A page in Markdown: the sentences first, indented lines as items of the line above. */
export function markdownPage({ tables, sentences = [], details = [], notes = [] }: Page): string {
  const item = (line: string): string => `${/^ */.exec(line)![0]}- ${markdownText(line.trim())}\n`
  const list = (lines: readonly string[]): string => lines.map(item).join('')
  const parts = [list(sentences), markdownOf(tables), list(details), list(notes)]
  return parts.filter((part) => part !== '').join('\n')
}

/** A page for a terminal: the sentences last. */
export function terminalPage({ tables, sentences = [], details = [], notes = [] }: Page): string {
  const width = Math.max(60, process.stdout.columns ?? 120)
  const texts = [details, notes.map((note) => `note: ${note}`), sentences]
    .filter(({ length }) => length > 0)
    .map((lines) => `${lines.flatMap((line) => wrap(escapeLine(line), width, '  ')).join('\n')}\n`)
  return [...(tables.length === 0 ? [] : [terminalOf(tables, width)]), ...texts].join('\n')
}
