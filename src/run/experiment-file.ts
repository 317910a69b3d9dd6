import type { Document } from 'yaml'
import { LineCounter, isMap, isNode, isScalar, parseDocument } from 'yaml'
import { ShaketableError, messageOf } from '../core/errors.js'
import { readRegular } from '../files/read-text.js'
import type { GivenExperiment } from './experiment-schema.js'
import { experimentSchema, modelSchema } from './experiment-schema.js'
import { explainIssue } from './explain-issue.js'

/** Says where a value of an experiment was given: `grid.yaml:3:9: seeds`, or `--seeds`. */
export type Where = (path: readonly PropertyKey[]) => string

/** An experiment as it was given, and where each part of it stands. */
export interface LoadedExperiment {
  readonly given: GivenExperiment
  readonly where: Where
}

const mostBytes = 1 << 20

/** @throws ShaketableError `bad-input` with file, line and column, what was expected and what came. */
export function readExperimentFile(path: string): LoadedExperiment {
  const lines = new LineCounter()
  const document = parseDocument(readText(path), { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${path}:${String(line)}:${String(col)}`
  }
  const wrong = document.errors[0]
  if (wrong !== undefined) {
    throw new ShaketableError(
      'bad-input',
      `${at(wrong.pos[0])}: expected YAML, got something unreadable: ${messageOf(wrong)}. Correct that line.`,
    )
  }
  const value = toValue(document, path)
  if (isEmpty(value)) {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected settings by name, such as 'environments: [household]', got an empty file. Check the path, or leave the file out to play the embedded experiment.`,
    )
  }
  const where: Where = (keys) => {
    const offset = offsetOf(document, keys)
    const place = offset === undefined ? path : at(offset)
    return keys.length === 0 ? place : `${place}: ${keys.map(String).join('.')}`
  }
  const parsed = experimentSchema.safeParse(value)
  if (parsed.success) return { given: parsed.data, where }
  const { path: keys, unknownKey, message } = explainIssue(parsed.error, value, knownKeys)
  const offset = unknownKey === undefined ? undefined : offsetOfKey(document, keys, unknownKey)
  throw new ShaketableError('bad-input', `${offset === undefined ? where(keys) : at(offset)}: ${message}.`)
}

/** The keys that an experiment, or a model in it, may have. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return Object.keys(experimentSchema.shape).filter((key) => key !== '$schema')
  return path[0] === 'models' ? Object.keys(modelSchema.shape) : []
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readRegular(path, mostBytes))
  } catch (thrown) {
    const missing = (thrown as NodeJS.ErrnoException).code === 'ENOENT'
    throw new ShaketableError(
      'bad-input',
      missing
        ? `There is no experiment file ${path}. Check the path.`
        : `Expected a text file in UTF-8, but ${path} cannot be read (${messageOf(thrown)}). Check the path.`,
    )
  }
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

/** Whether nothing is said; the address of a schema says nothing of an experiment. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value).every((key) => key === '$schema')
}

/** Where the value at a path begins, or else the nearest value around it. */
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
