import { harmless } from './_harmless.js'

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
  process.stderr.write(`${harmless(text)}\n`)
}

/** Writes text to standard output and waits until it is taken, so that a long one is not cut at exit. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`, () => resolve()))
}

/** A count with its thousands set apart. */
export function number(value: number): string {
  return value.toLocaleString('en')
}

/** A share of 1 in percent, with one digit behind the point. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

/** Breaks text into lines of at most so many characters, at spaces where there are any; `hang` indents what follows the first. */
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
