/** One record of a CSV file. */
export interface CsvRecord {
  /** Number of the line on which it begins, from 1. */
  readonly line: number
  readonly fields: readonly string[]
}

/** The records up to the first place that cannot be read, and what is wrong there. */
interface CsvFile {
  readonly records: readonly CsvRecord[]
  readonly problem?: { readonly line: number; readonly message: string }
}

/**
 * Reads comma-separated values (RFC 4180: fields with commas, quotes or line breaks stand in double quotes, a quote in
 * them is doubled), with any line ends and with or without a byte order mark. Empty lines are left out. More than
 * `maxRecords` records are a problem.
 */
export function readCsv(text: string, maxRecords: number): CsvFile {
  const records: CsvRecord[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  let line = 1
  while (at < text.length) {
    const fields: string[] = []
    const from = line
    for (;;) {
      const opened = line
      const field = text[at] === '"' ? quoted(text, at) : bare(text, at)
      if (field === undefined) {
        return { records, problem: { line: opened, message: 'Expected a closing quote, got the end of the file.' } }
      }
      line += breaksIn(field.raw)
      at += field.raw.length
      fields.push(field.value)
      if (text[at] !== ',') break
      at++
    }
    const end = /(?:\r\n|\r|\n|$)/y
    end.lastIndex = at
    if (!end.test(text)) {
      const message = `Expected a comma or the end of the line after a closing quote, got ${JSON.stringify(text[at])}. Double a quote that is part of the text.`
      return { records, problem: { line, message } }
    }
    at = end.lastIndex
    line++
    if (fields.length === 1 && fields[0] === '') continue
    if (records.length === maxRecords) {
      return { records, problem: { line: from, message: `Expected at most ${String(maxRecords)} records, got more.` } }
    }
    records.push({ line: from, fields })
  }
  return { records }
}

interface Field {
  readonly raw: string
  readonly value: string
}

function bare(text: string, at: number): Field {
  const end = /[,\r\n]|$/g
  end.lastIndex = at
  const raw = text.slice(at, end.exec(text)!.index)
  return { raw, value: raw }
}

function quoted(text: string, at: number): Field | undefined {
  for (let from = at + 1; ;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return undefined
    if (text[quote + 1] !== '"') {
      return { raw: text.slice(at, quote + 1), value: text.slice(at + 1, quote).replaceAll('""', '"') }
    }
    from = quote + 2
  }
}

function breaksIn(raw: string): number {
  return raw.match(/\r\n|\r|\n/g)?.length ?? 0
}
