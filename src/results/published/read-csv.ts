import { ShaketableError } from '../../define.js'

const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n][^,\r\n]*|))(,|\r\n|\r|\n|$)/y
const maxRecords = 1_000_000

/**
 * Reads comma-separated values (RFC 4180: fields with commas, quotes or line breaks stand in double quotes, a quote in
 * them is doubled), with any line ends and with or without a byte order mark. Empty lines are left out.
 * @returns each record with the number of the line on which it begins, from 1
 * @throws ShaketableError `bad-input` with the line, for what is not CSV and for more than a million records.
 */
export function readCsv(text: string, source: string) {
  const records: { readonly line: number; readonly fields: readonly string[] }[] = []
  let [from, line] = [1, 1]
  let fields: string[] = []
  field.lastIndex = text.startsWith('\ufeff') ? 1 : 0
  for (let isOpen = false; isOpen || field.lastIndex < text.length;) {
    const match = field.exec(text)
    if (match === null) {
      const what = 'Expected a closing quote, and after it a comma or the end of the line. Double a quote that is text.'
      throw wrongLine(source, line, what)
    }
    const [raw, quoted, bare = '', end] = match
    fields.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    line += raw.match(/\r\n|\r|\n/g)?.length ?? 0
    isOpen = end === ','
    if (isOpen) continue
    if (fields.length > 1 || fields[0] !== '') records.push({ line: from, fields })
    if (records.length > maxRecords) throw wrongLine(source, from, 'Expected at most 1,000,000 records, got more.')
    from = line
    fields = []
  }
  return records
}

/** What is wrong in a line of a file, as an error. */
export function wrongLine(source: string, line: number, what: string): ShaketableError {
  return new ShaketableError('bad-input', `${source}:${String(line)}: ${what}`)
}
