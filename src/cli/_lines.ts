import { fstatSync } from 'node:fs'
import { createRequire } from 'node:module'
import { escapeCharacter } from '../files/json.js'
import { widthOf } from '../tables/plain.js'
import type { RowProblem } from '../training/records.js'

export { percent } from '../results/summary/figures.js'

/** The version of this package. */
export const { version } = createRequire(import.meta.url)('shaketable/package.json') as { version: string }

/** Control characters except line ends, and marks that change the writing direction or are invisible. */
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * Escapes untrusted text for a terminal: control characters, escape sequences and direction marks are printed as
 * `\x1b` or `\u202e` and have no effect. Line ends stay; tabs become two spaces.
 */
export function escapeControls(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/\t/g, '  ')
    .replace(controls, (character) => escapeCharacter(character).replace(/^\\u00/, '\\x'))
}

/** As {@link escapeControls}, with line ends escaped too. */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(/\n/g, '\\n')
}

/** Untrusted text in one line of bounded length. */
export function oneLine(text: string): string {
  return escapeLine(text.slice(0, 500))
}

/** JSON in which control characters are escaped; it parses to the same value. Line ends between values stay. */
function escapeJson(json: string): string {
  return json.replaceAll('##[', '#\\u0023[').replace(controls, escapeCharacter)
}

/** Escapes untrusted text for a terminal or a log; in GitHub Actions its workflow commands are escaped too. */
export function escapeLog(text: string): string {
  const escaped = escapeControls(text)
  return isActions() ? withoutCommands(escaped) : escaped
}

function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1\\x3a').replaceAll('##[', '\\x23#[')
}

function isActions(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true'
}

let isQuiet = false

/** Whether {@link say} prints nothing from now on. */
export function setQuiet(quiet: boolean): void {
  isQuiet = quiet
}

let display: { note(text: string): void; end(): void } | undefined

/**
 * Where {@link say} prints from now on: above a display of progress, or, without one, on standard error. An earlier
 * display ends.
 */
export function sayAbove(progress: typeof display): void {
  display?.end()
  display = progress
}

/** Prints progress and notes, which are neither results nor errors. */
export function say(text: string): void {
  if (display !== undefined) display.note(escapeLog(text))
  else if (!isQuiet) complain(text)
}

/** Prints an error on standard error. */
export function complain(text: string): void {
  process.stderr.write(`${escapeLog(text)}\n`)
}

/**
 * Prints a result for people on standard output and waits until it is written, so that exiting does not cut it. In the
 * log of GitHub Actions workflow commands are escaped.
 */
export function print(text: string): Promise<void> {
  return printData(isActions() && !fstatSync(1).isFile() ? withoutCommands(text) : text)
}

/** Prints a result for programs on standard output, unchanged, with a line end after text. */
export function printData(data: string | Uint8Array): Promise<void> {
  const whole = typeof data === 'string' && !data.endsWith('\n') ? `${data}\n` : data
  return new Promise((resolve) => process.stdout.write(whole, () => resolve()))
}

/** Prints JSON with control characters escaped, as {@link escapeJson}. */
export function printJson(json: string): Promise<void> {
  return printData(escapeJson(json))
}

/** Prints a value as indented JSON, as {@link printJson}. */
export function printDocument(value: unknown): Promise<void> {
  return printJson(JSON.stringify(value, undefined, 2))
}

/** Lines of text that is not trusted; those that do not apply are `false` or undefined. */
export type Lines = readonly (string | false | undefined)[]

/** Lines of untrusted text, escaped. */
export function textOf(lines: Lines): string {
  return lines.flatMap((line) => (typeof line === 'string' ? [escapeLine(line)] : [])).join('\n')
}

/** Prints lines of untrusted text for people, as {@link print}. */
export function printLines(lines: Lines): Promise<void> {
  return print(textOf(lines))
}

/** Shows on a terminal how many of what is planned are done; `end` goes to the next line. */
export function showCount(noun: string): ((done: number, planned: number) => void) & { readonly end: () => void } {
  const write = (text: string): void => void (process.stderr.isTTY && process.stderr.write(text))
  return Object.assign((done: number, planned: number) => write(`\r${number(done)} of ${number(planned)} ${noun}`), {
    end: () => write('\n'),
  })
}

/** Lays rows out in columns as wide as their widest cells; those after the first may be aligned right. */
export function layOut(rows: readonly (readonly string[])[], isRight = false): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))))
  const pad = (cell: string, column: number): string => {
    const space = ' '.repeat(widths[column]! - widthOf(cell))
    return isRight && column > 0 ? space + cell : cell + space
  }
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

/** A number with thousands separators. */
export function number(value: number): string {
  return value.toLocaleString('en')
}

const shownProblems = 10

/** Names the first records of training data that cannot be read, and at the end how many more there are. */
export function problemPrinter() {
  let count = 0
  return {
    print({ file, record, message }: RowProblem): void {
      if (++count <= shownProblems) say(escapeLine(`${file}:${String(record)}: ${message}.`))
    },
    end(): void {
      if (count > shownProblems) say(`… and ${number(count - shownProblems)} more records that are left out`)
    },
  }
}

/** A word quoted for a POSIX shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
