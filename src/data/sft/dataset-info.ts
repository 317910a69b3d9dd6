import { existsSync } from 'node:fs'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'

/** Name of the file in which LLaMA-Factory looks for its data sets. */
export const datasetInfoName = 'dataset_info.json'

const maxBytes = 10_000_000

/** What LLaMA-Factory is told of a file in ShareGPT form. */
export function datasetEntry(fileName: string): Readonly<Record<string, unknown>> {
  return {
    file_name: fileName,
    formatting: 'sharegpt',
    columns: { messages: 'conversations' },
    tags: {
      role_tag: 'from',
      content_tag: 'value',
      user_tag: 'human',
      assistant_tag: 'gpt',
      system_tag: 'system',
    },
  }
}

/**
 * The text of a `dataset_info.json` with one entry more, or in another's place; all others stay in their order as they are.
 * @throws ShaketableError `bad-input` for a file that is there and holds no object of entries; it is not touched
 */
export function mergeDatasetInfo(path: string, name: string, entry: Readonly<Record<string, unknown>>): string {
  const entries = existsSync(path) ? readEntries(path) : {}
  return `${JSON.stringify(Object.fromEntries([...Object.entries(entries).filter(([key]) => key !== name), [name, entry]]), null, 2)}\n`
}

/** The entries that are there. @throws ShaketableError `bad-input` */
export function readEntries(path: string): Readonly<Record<string, unknown>> {
  const advice = 'Correct it, or give --out another folder.'
  const refuse = (got: string): never => {
    throw new ShaketableError(
      'bad-input',
      `Expected an object of LLaMA-Factory's data sets in ${path}, but ${got}. ${advice}`,
    )
  }
  const text = readText('The list of data sets', path, advice, maxBytes)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (thrown) {
    return refuse(`it is not JSON: ${messageOf(thrown)}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return refuse('it holds something else')
  const broken = Object.entries(parsed).find(([, value]) => typeof value !== 'object' || value === null)
  return broken === undefined
    ? (parsed as Record<string, unknown>)
    : refuse(`its entry '${broken[0].slice(0, 80)}' is not an object`)
}
