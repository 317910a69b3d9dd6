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

const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n][^,\r\n]*|))(,|\r\n|\r|\n|$)/y

/**
 * Reads comma-separated values (RFC 4180: fields with commas, quotes or line breaks stand in double quotes, a quote in
 * them is doubled), with any line ends and with or without a byte order mark. Empty lines are left out. More than
 * `maxRecords` records are a problem.
 */
export function readCsv(text: string, maxRecords: number): CsvFile {
  const records: CsvRecord[] = []
  let [from, line] = [1, 1]
  let fields: string[] = []
  field.lastIndex = text.startsWith('\ufeff') ? 1 : 0
  for (let isOpen = false; isOpen || field.lastIndex < text.length;) {
    const match = field.exec(text)
    if (match === null) {
      const message =
        'Expected a closing quote, and after it a comma or the end of the line. Double a quote that is text.'
      return { records, problem: { line, message } }
    }
    const [raw, quoted, bare = '', end] = match
    fields.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    line += raw.match(/\r\n|\r|\n/g)?.length ?? 0
    isOpen = end === ','
    if (isOpen) continue
    if (fields.length > 1 || fields[0] !== '') {
      if (records.length === maxRecords) {
        const message = `Expected at most ${String(maxRecords)} records, got more.`
        return { records, problem: { line: from, message } }
      }
      records.push({ line: from, fields })
    }
    from = line
    fields = []
  }
  return { records }
}
