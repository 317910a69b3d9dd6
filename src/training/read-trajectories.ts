import { endOfString } from '../files/read-json.js'
import type { CutOptions } from './_cut-records.js'
import { cutRecords } from './_cut-records.js'
import { readBeginning, readContainer } from './container.js'

/** The first key that stands twice in one object of a whole JSON text, of which a parser would keep the last alone. */
export function duplicateKey(json: string): string | undefined {
  const levels: (Set<string> | undefined)[] = []
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (character === '{') levels.push(new Set())
    else if (character === '[') levels.push(undefined)
    else if (character === '}' || character === ']') levels.pop()
    else if (character === '"') {
      const end = endOfString(json, index)
      const keys = levels.at(-1)
      if (keys !== undefined && /^\s*:/.test(json.slice(end + 1, end + 100))) {
        const key = JSON.parse(json.slice(index, end + 1)) as string
        if (keys.has(key)) return key
        keys.add(key)
      }
      index = end
    }
  }
  return undefined
}

/** A record of a file of trajectories, or what is wrong with it. */
export type TrajectoryRecord = RecordPlace &
  (
    | {
        readonly id?: string
        readonly turns: readonly unknown[]
        /** The script that the record brings along. */
        readonly script?: unknown
        readonly problem?: never
      }
    /** A sentence without a full stop; `isBetween` where it is about the file between its records. */
    | { readonly problem: string; readonly isBetween: boolean }
  )

/** Where a record stands. */
export interface RecordPlace {
  /** From 1; broken ones count. */
  readonly record: number
  /** The line on which it begins, from 1. */
  readonly line: number
}

const maxRecordBytes = 50_000_000
const maxTurns = 2000

/**
 * Reads trajectories record by record in bounded memory. A trajectory is a list of turns, or an object with that list
 * under `turns` and perhaps an `id`; a file is one of them, a JSON array of them, or one a line. What is broken is
 * said, and the rest is read.
 * @throws ShaketableError `bad-input` for what is no file or holds no JSON in UTF-8
 */
export function* readTrajectories(
  path: string,
  { maxBytes = maxRecordBytes }: { readonly maxBytes?: number } = {},
): Generator<TrajectoryRecord, void, undefined> {
  readContainer(path)
  let record = 0
  for (const cut of cutRecords(path, { ...layoutOf(path), maxBytes, isRecord: isTrajectory })) {
    const isBetween = 'between' in cut
    if (!isBetween) record++
    const place = { record, line: cut.line }
    yield 'wrong' in cut
      ? { ...place, problem: cut.wrong, isBetween }
      : { ...place, ...trajectoryOf(cut.value, cut.raw) }
  }
}

/** How the trajectories of a file stand in it, as its beginning tells. */
function layoutOf(path: string): Pick<CutOptions, 'container' | 'opens'> {
  const text = readBeginning(path)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (!text.startsWith('[')) return { container: 'lines', opens: '{' }
  if (/^\[\s*\[/.test(text)) return { container: 'array', opens: '[' }
  const [turns, role] = [text.indexOf('"turns"'), text.indexOf('"role"')]
  return turns !== -1 && (role === -1 || turns < role)
    ? { container: 'array', opens: '{' }
    : { container: 'lines', opens: '[' }
}

function isTrajectory(value: unknown): boolean {
  const { turns } = fieldsOf(value)
  return Array.isArray(turns) && turns.every((turn) => typeof turn === 'object' && turn !== null && 'role' in turn)
}

/** A bare list is the turns. */
function fieldsOf(value: unknown): { readonly turns?: unknown; readonly id?: unknown; readonly script?: unknown } {
  if (Array.isArray(value)) return { turns: value }
  return typeof value === 'object' && value !== null ? value : {}
}

function trajectoryOf(
  value: unknown,
  raw: string,
):
  | { readonly turns: readonly unknown[]; readonly id?: string; readonly script?: unknown }
  | { readonly problem: string; readonly isBetween: false } {
  const wrong = (problem: string): { readonly problem: string; readonly isBetween: false } => ({
    problem,
    isBetween: false,
  })
  const twice = duplicateKey(raw)
  if (twice !== undefined) return wrong(`the key '${twice.slice(0, 60)}' stands twice in one object`)
  const { turns, id, script } = fieldsOf(value)
  if (!Array.isArray(turns)) {
    const keys = typeof value === 'object' ? Object.keys(value ?? {}) : []
    const had = keys.length === 0 ? 'neither' : `the keys ${keys.slice(0, 5).join(', ').slice(0, 100)}`
    return wrong(`expected a list of turns, or an object with such a list under 'turns', got ${had}`)
  }
  if (turns.length > maxTurns) {
    return wrong(
      `it has ${String(turns.length)} turns, more than the ${String(maxTurns)} that are read of a trajectory`,
    )
  }
  const name = typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}
  return { turns: turns as unknown[], ...name, ...(script !== undefined && { script }) }
}
