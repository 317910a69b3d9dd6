import type { ErrorCode } from '../core/errors.js'
import { ShaketableError, suggest } from '../core/errors.js'
import type { Piece, Text } from '../core/text.js'

const types = {
  string: ['a string', (value: unknown) => typeof value === 'string'],
  number: ['a number', (value: unknown) => typeof value === 'number'],
  boolean: ['true or false', (value: unknown) => typeof value === 'boolean'],
  share: ['a number from 0 to 1', (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1],
  function: ['a function', (value: unknown) => typeof value === 'function'],
  object: ['an object', (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  list: ['a list', (value: unknown) => Array.isArray(value)],
  strings: ['a list of strings', isStrings],
  calls: ['a list of calls, each with a name and its arguments as strings', isCalls],
  text: ["a string, or a list of strings, { command: '…' }, { list: ['…'] } and { form: '…' }", isText],
  ended: ["false, 'success' or 'failure'", isOneOf(false, 'success', 'failure')],
  examples: [
    'a list of worked examples, each { opening, exchanges: [{ action, observation }], names }',
    (value: unknown) => Array.isArray(value) && value.every(isExample),
  ],
  lists: ["'reorder', 'hide' or 'add'", isOneOf('reorder', 'hide', 'add')],
  recovery: ["'retry' or 'continue'", isOneOf('retry', 'continue')],
  fails: ["'before' or 'after'", isOneOf('before', 'after')],
  count: ['a whole number from 1', (value: unknown) => Number.isInteger(value) && (value as number) > 0],
  any: ['anything', () => true],
} as const satisfies Readonly<Record<string, readonly [words: string, holds: (value: unknown) => boolean]>>

type TypeName = keyof typeof types

/** The type of each field of an object; `?` marks an optional field, and `|` separates alternatives. */
export type Fields = Readonly<Record<string, TypeName | `${TypeName}?` | `${TypeName}|${TypeName}?`>>

/**
 * Checks an object from a plug-in. A plain object may have known fields only, an instance of a class any others.
 * @param place what the object is, as the beginning of a sentence: `The environment 'rooms'`
 * @throws ShaketableError that names the field, the near miss, what was expected and what came
 */
export function checkFields(place: string, value: unknown, fields: Fields, code: ErrorCode = 'usage'): void {
  if (!types.object[1](value)) {
    throw new ShaketableError(code, `${place} must be an object, got ${describeValue(value)}.`)
  }
  const given = value as Readonly<Record<string, unknown>>
  if (isPlain(given)) {
    for (const field of Object.keys(given)) {
      if (Object.hasOwn(fields, field)) continue
      const known = Object.keys(fields)
      const unknown = `${place} has no field '${field.slice(0, 100)}'`
      throw new ShaketableError(code, `${unknown}.${suggest(field, known)} Known: ${known.join(', ')}.`)
    }
  }
  for (const field in fields) {
    const [optional, names] = alternativesOf(fields[field]!)
    const found = given[field]
    if ((found === undefined && optional) || names.some((name) => types[name][1](found))) continue
    const expected = names.map((name) => types[name][0]).join(', or ')
    throw new ShaketableError(code, `${place}: '${field}' must be ${expected}, got ${describeValue(found)}.`)
  }
}

const known = new Map<string, readonly [optional: boolean, names: readonly TypeName[]]>()

function alternativesOf(type: string): readonly [optional: boolean, names: readonly TypeName[]] {
  let found = known.get(type)
  if (found === undefined) {
    found = [type.endsWith('?'), type.replace('?', '').split('|') as TypeName[]]
    known.set(type, found)
  }
  return found
}

function isCalls(value: unknown): boolean {
  const isCall = (one: { name?: unknown; arguments?: unknown } | null): boolean =>
    isStrings([one?.name, one?.arguments])
  return Array.isArray(value) && value.every(isCall)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function isOneOf(...values: readonly unknown[]): (value: unknown) => boolean {
  return (value) => values.includes(value)
}

function isExample(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { opening, exchanges, names = [], ending = '' } = value as Readonly<Record<string, unknown>>
  const isExchange = (one: { action?: unknown; observation?: unknown } | null): boolean =>
    typeof one?.action === 'string' && isText(one.observation)
  const isWhole = isText(opening) && Array.isArray(exchanges) && exchanges.every(isExchange)
  return isWhole && isStrings(names) && typeof ending === 'string'
}

export function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Describes a value in a message: a short value itself, otherwise its type. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 60)}…` : value}'`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof (value as { then?: unknown }).then === 'function') return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Whether a value from a plug-in is a string or a list of pieces. */
export function isText(value: unknown): value is string | Text {
  return typeof value === 'string' || (Array.isArray(value) && value.every(isPiece))
}

function isPiece(value: unknown): value is Piece {
  if (typeof value === 'string') return true
  const { command, form, list } = (value ?? {}) as { command?: unknown; form?: unknown; list?: unknown }
  if (Array.isArray(list)) return list.every((one) => typeof one === 'string')
  return typeof command === 'string' || typeof form === 'string'
}
