import { closeSync, fstatSync, readSync } from 'node:fs'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { openRegular } from '../../files/read-text.js'

/**
 * How records stand in a file: in a JSON array, or one a line (or, in files that were laid out for reading, one after
 * the other).
 */
export type Container = 'array' | 'lines'

const looked = 4096

/** What files begin with that hold data, but not as JSON, and what to do about it. */
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
 * Tells from a file's first bytes how its records stand in it. An empty file has lines.
 * @throws ShaketableError `bad-input` for what is no file, cannot be read, or holds no JSON in UTF-8, with what to do
 */
export function readContainer(path: string): Container {
  const bytes = readStart(path)
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

function readStart(path: string): Buffer {
  let file: number
  try {
    file = openRegular(path)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is nothing of that name' : messageOf(thrown)
    throw new ShaketableError('bad-input', `Expected a file of training data at ${path}, but ${why}. Check the path.`)
  }
  try {
    if (!fstatSync(file).isFile()) {
      throw new ShaketableError(
        'bad-input',
        `Expected a file of training data, but ${path} is no file. Check the path.`,
      )
    }
    const bytes = Buffer.alloc(looked)
    return bytes.subarray(0, readSync(file, bytes, 0, looked, 0))
  } finally {
    closeSync(file)
  }
}
