import { randomUUID } from 'node:crypto'
import { fstatSync } from 'node:fs'

/** Lays rows out in columns, each as wide as its widest cell; the last is not padded. */
export function layOut(rows: readonly (readonly string[])[], gap = '  '): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
}

/** Says on standard error what is not a result. */
export function say(text: string): void {
  process.stderr.write(`${inert(text)}\n`)
}

/** A text for standard error in which nothing acts on a terminal or is a workflow command in GitHub Actions. */
export function inert(text: string): string {
  return inertInActions(harmless(text))
}

/**
 * Prints what people read on standard output and waits until it is taken, so that a long text is not cut at exit. In a
 * log of GitHub Actions no line of it is a workflow command, whatever names are in it: commands are stopped around it
 * until a token that cannot be guessed, but for output that goes to a file.
 */
export function print(text: string): Promise<void> {
  if (!isActions() || fstatSync(1).isFile()) return printData(text)
  const token = randomUUID()
  return printData(`::stop-commands::${token}\n${text.replace(/\n$/, '')}\n::${token}::`)
}

/** Prints what programs read, as it is. */
export function printData(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`, () => resolve()))
}

/**
 * Prints JSON; what would act on a terminal or in a log of GitHub Actions is written as an escape, which is the same
 * JSON.
 */
export function printJson(json: string): Promise<void> {
  return printData(inertJson(json))
}

/** JSON in which no character acts on a terminal instead of being seen. Line ends between values stay. */
export function inertJson(json: string): string {
  return json
    .replaceAll('##[', '#\\u0023[')
    .replace(acting, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function isActions(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true'
}

/** Standard error cannot stop commands without a race with standard output: what begins one is written out. */
function inertInActions(text: string): string {
  if (!isActions()) return text
  return text.replace(/^(\s*):(?=:)/gm, '$1\\x3a').replaceAll('##[', '\\x23#[')
}

/** A count with its thousands set apart. */
export function number(value: number): string {
  return value.toLocaleString('en')
}

/** A share of 1 in percent, with one digit behind the point. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

/**
 * Breaks text into lines of at most so many characters, at spaces where there are any; `hang` indents what follows the
 * first.
 */
export function wrap(text: string, width: number, hang = ''): string[] {
  return text.split('\n').flatMap((line, index) => {
    const lines: string[] = []
    let rest = index === 0 ? line : hang + line
    while (rest.length > width) {
      const space = rest.lastIndexOf(' ', width)
      const end = space > hang.length ? space : width
      lines.push(rest.slice(0, end).trimEnd())
      rest = hang + rest.slice(end).trimStart()
    }
    return [...lines, rest.trimEnd()]
  })
}

/**
 * Text that came from a model or a file, made harmless for a terminal: control characters, escape sequences and marks
 * that turn the direction of writing are written out, so that they are seen and do nothing. Line ends stay, tabs become
 * spaces.
 */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/\t/g, '  ').replace(acting, writeOut)
}

/** Control characters but line ends, and marks that turn the direction of writing or are not seen. */
export const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** The same on one line. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/\n/g, '\\n')
}

function writeOut(character: string): string {
  const code = character.charCodeAt(0)
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
