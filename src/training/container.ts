import { closeSync, readSync } from 'node:fs'
import { ShaketableError, messageOf } from '../core/errors.js'
import { openRegular } from '../files/read-text.js'

/**
 * The arrangement of records in a file: a JSON array, or one record per line (in pretty-printed files, one after the
 * other).
 */
export type Container = 'array' | 'lines'

/** First bytes of files that are not JSON in UTF-8, and advice for each. */
const others: readonly { readonly begins: readonly number[]; readonly is: string; readonly advice: string }[] = [
  { begins: [0xff, 0xfe], is: 'UTF-16', advice: 'Convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW' },
  { begins: [0xfe, 0xff], is: 'UTF-16', advice: 'Convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW' },
  { begins: [0x7b, 0x00], is: 'UTF-16', advice: 'Convert it: iconv -f UTF-16LE -t UTF-8 FILE > NEW' },
  { begins: [0x5b, 0x00], is: 'UTF-16', advice: 'Convert it: iconv -f UTF-16LE -t UTF-8 FILE > NEW' },
  { begins: [0x00, 0x7b], is: 'UTF-16', advice: 'Convert it: iconv -f UTF-16BE -t UTF-8 FILE > NEW' },
  { begins: [0x00, 0x5b], is: 'UTF-16', advice: 'Convert it: iconv -f UTF-16BE -t UTF-8 FILE > NEW' },
  {
    begins: [...Buffer.from('PAR1')],
    is: 'a Parquet file',
    advice:
      "Convert it: python -c \"import pandas; pandas.read_parquet('FILE').to_json('NEW.jsonl', orient='records', lines=True)\"",
  },
  { begins: [...Buffer.from('ARROW1')], is: 'an Arrow file', advice: 'Export it as JSON lines' },
  { begins: [0x1f, 0x8b], is: 'compressed with gzip', advice: 'Unpack it: gunzip FILE' },
  { begins: [0x28, 0xb5, 0x2f, 0xfd], is: 'compressed with zstd', advice: 'Unpack it: unzstd FILE' },
  { begins: [...Buffer.from('PK')], is: 'a ZIP archive', advice: 'Unpack it: unzip FILE' },
  {
    begins: [...Buffer.from('version https://git-lfs')],
    is: 'a pointer of Git LFS, not the data',
    advice: 'Fetch the data: git lfs pull',
  },
]

/**
 * Determines from a file's first bytes how its records are arranged. An empty file counts as lines.
 * @throws ShaketableError `bad-input` for a path that is not a file, cannot be read, or does not hold JSON in UTF-8
 */
export function readContainer(path: string): Container {
  const bytes = readBeginning(path, 4096)
  for (const { begins, is, advice } of others) {
    if (begins.every((byte, index) => bytes[index] === byte)) {
      throw new ShaketableError('bad-input', `Expected JSON in UTF-8, but ${path} is ${is}. ${advice}.`)
    }
  }
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (text.startsWith('[')) return 'array'
  if (text.startsWith('{') || text === '') return 'lines'
  const got = JSON.stringify(text.slice(0, 40))
  throw new ShaketableError(
    'bad-input',
    `Expected a JSON array or JSON lines in ${path}, but it begins with ${got}. Give a file of training records.`,
  )
}

/**
 * The first bytes of a file, by which one tells what it holds.
 * @throws ShaketableError `bad-input` for a path that is not a file or cannot be read
 */
export function readBeginning(path: string, count = 1 << 16): Buffer {
  let file: number
  try {
    file = openRegular(path)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is nothing of that name' : messageOf(thrown)
    throw new ShaketableError('bad-input', `Expected a file of training data at ${path}, but ${why}. Check the path.`)
  }
  try {
    const bytes = Buffer.alloc(count)
    return bytes.subarray(0, readSync(file, bytes, 0, count, 0))
  } finally {
    closeSync(file)
  }
}
