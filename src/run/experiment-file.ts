import { type Document, LineCounter, isMap, isNode, isScalar, parseDocument } from 'yaml'
import { ShaketableError, messageOf } from '../core/errors.js'
import { readText } from '../files/read-text.js'
import type { GivenExperiment } from './experiment-schema.js'
import { parseExperiment } from './explain-issue.js'

/** The place where a value of an experiment was given: `grid.yaml:3:9: seeds`, or `--seeds`. */
export type Where = (path: readonly PropertyKey[]) => string

/** An experiment as it was given, and the place of each part. */
export interface LoadedExperiment {
  readonly given: GivenExperiment
  readonly where: Where
}

const maxBytes = 1 << 20

/** @throws ShaketableError `bad-input` with file, line and column, the expected value and the given one */
export function readExperimentFile(path: string): LoadedExperiment {
  const text = readText('The experiment file', path, 'Check the path.', maxBytes)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const placeOf = (offset: number | undefined): string => {
    if (offset === undefined) return path
    const { line, col } = lines.linePos(offset)
    return `${path}:${String(line)}:${String(col)}`
  }
  const refuse = (problems: readonly { readonly offset: number | undefined; readonly message: string }[]): never => {
    const sorted = problems.toSorted((one, other) => (one.offset ?? 0) - (other.offset ?? 0))
    const lines = sorted.map(({ offset, message }) => `${placeOf(offset)}: ${message}.`)
    throw new ShaketableError('bad-input', lines.join('\n'))
  }
  if (document.errors.length > 0) {
    const explain = (message: string): string =>
      `expected YAML, got something unreadable: ${message.replace(/\.$/, '')}. Correct that line`
    refuse(document.errors.map(({ pos: [offset], message }) => ({ offset, message: explain(message) })))
  }
  const value = toValue(document, path)
  if (isEmpty(value)) {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected settings by name, such as 'environments: [household]', got an empty file. Check the path, or leave the file out to play the embedded experiment.`,
    )
  }
  const where: Where = (keys) => {
    const place = placeOf(offsetOf(document, keys))
    return keys.length === 0 ? place : `${place}: ${keys.map(String).join('.')}`
  }
  const { given: experiment, problems } = parseExperiment(value)
  if (experiment !== undefined) return { given: experiment, where }
  return refuse(
    problems.map(({ path: keys, unknownKey, message }) => {
      if (unknownKey !== undefined) return { offset: offsetOfKey(document, keys, unknownKey), message }
      const name = keys.length === 0 ? '' : `${keys.map(String).join('.')}: `
      return { offset: offsetOf(document, keys), message: `${name}${message}` }
    }),
  )
}

function toValue(document: Document, path: string): unknown {
  try {
    return document.toJS() as unknown
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected plain YAML, got something that cannot be resolved: ${messageOf(thrown)}. Write the values out.`,
    )
  }
}

/** Whether there are no settings. The address of a schema is not a setting. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value).every((key) => key === '$schema')
}

/** Offset of the value at a path, or of the nearest value that contains it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = nodeAt(document, path.slice(0, length))
    if (isNode(node) && node.range) return node.range[0]
  }
  return undefined
}

function offsetOfKey(document: Document, path: readonly PropertyKey[], key: string): number | undefined {
  const map = nodeAt(document, path)
  const pair = isMap(map) ? map.items.find((item) => isScalar(item.key) && String(item.key.value) === key) : undefined
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined
}

function nodeAt(document: Document, path: readonly PropertyKey[]): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true)
}

/** Runs a step; an error in it begins with its place. */
export function located<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw relocated(place, thrown)
  }
}

/** An error with its place in front, if that is known; anything else as it is. */
export function relocated(place: string, thrown: unknown): unknown {
  if (!(thrown instanceof ShaketableError) || place === '') return thrown
  return new ShaketableError(thrown.code, `${place}: ${thrown.message}`, { cause: thrown })
}
