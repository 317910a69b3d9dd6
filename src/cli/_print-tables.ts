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
  /** Lines under a title of their own. */
  readonly details?: { readonly title: string; readonly lines: readonly string[] }
  readonly notes?: readonly string[]
}

/** Prints what a command found; a terminal has the sentences last, a page has them first. */
export function printTables(format: TableFormat, found: Found): Promise<void> {
  switch (format) {
    case 'terminal':
      return print(terminalText(found, Math.max(60, process.stdout.columns ?? 120)))
    case 'markdown':
      return print(markdownPage(found))
    case 'csv':
      return printData(csvOf(found.tables))
    case 'json':
      return printJson(`${JSON.stringify(JSON.parse(canonicalJson(found.json)), null, 1)}\n`)
  }
}

function terminalText({ tables, sentences = [], details, notes = [] }: Found, width: number): string {
  const paragraphs = [
    details && details.lines.length > 0 ? [details.title, ...details.lines] : [],
    notes.map((note) => `note: ${note}`),
    sentences,
  ]
  const texts = paragraphs
    .filter(({ length }) => length > 0)
    .map((lines) => lines.flatMap((line) => wrap(escapeLine(line), width, '  ')).join('\n'))
  return [terminalOf(tables, width), ...texts.map((text) => `${text}\n`)].join('\n')
}

function markdownPage({ tables, sentences = [], details, notes = [] }: Found): string {
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${markdownText(line.trim())}\n`).join('')
  const section = (title: string, lines: readonly string[] = []): string[] =>
    lines.length === 0 ? [] : [`## ${title}\n\n${list(lines)}`]
  const first = sentences.length === 0 ? [] : [list(sentences)]
  return [
    ...first,
    markdownOf(tables),
    ...section(details?.title ?? '', details?.lines),
    ...section('Notes', notes),
  ].join('\n')
}
