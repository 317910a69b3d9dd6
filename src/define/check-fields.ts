import { z } from 'zod'
import { type ErrorCode, ShaketableError, suggest } from '../core/errors.js'
import type { Text } from '../core/text.js'
import { isObject } from '../files/json.js'

const strings = z.array(z.string())
const text = z.union([
  z.string(),
  z.array(
    z.union([
      z.string(),
      z.looseObject({ command: z.string() }),
      z.looseObject({ list: strings }),
      z.looseObject({ form: z.string() }),
    ]),
  ),
])
const example = z.looseObject({
  opening: text,
  exchanges: z.array(z.looseObject({ action: z.string(), observation: text })),
  names: strings.optional(),
  ending: z.string().optional(),
})
const types = {
  string: ['a string', z.string()],
  number: ['a number', z.number()],
  boolean: ['true or false', z.boolean()],
  share: ['a number from 0 to 1', z.number().min(0).max(1)],
  function: ['a function', z.custom((value) => typeof value === 'function')],
  object: ['an object', z.custom(isObject)],
  list: ['a list', z.custom(Array.isArray)],
  strings: ['a list of strings', strings],
  calls: [
    'a list of calls, each with a name and its arguments as strings',
    z.array(z.looseObject({ name: z.string(), arguments: z.string() })),
  ],
  text: ["a string, or a list of strings, { command: '…' }, { list: ['…'] } and { form: '…' }", text],
  ended: ["false, 'success' or 'failure'", z.literal([false, 'success', 'failure'])],
  examples: [
    'a list of worked examples, each { opening, exchanges: [{ action, observation }], names }',
    z.array(example),
  ],
  lists: ["'reorder', 'hide' or 'add'", z.enum(['reorder', 'hide', 'add'])],
  recovery: ["'retry' or 'continue'", z.enum(['retry', 'continue'])],
  fails: ["'before' or 'after'", z.enum(['before', 'after'])],
  count: ['a whole number from 1', z.int().min(1)],
  any: ['anything', z.unknown()],
} as const satisfies Readonly<Record<string, readonly [words: string, schema: z.ZodType]>>

type TypeName = keyof typeof types

/** The type of each field of an object; `?` marks an optional field, and `|` separates alternatives. */
export type Fields = Readonly<Record<string, TypeName | `${TypeName}?` | `${TypeName}|${TypeName}?`>>

/**
 * Checks an object from a plug-in. A plain object may have known fields only, an instance of a class any others.
 * @param place what the object is, as the beginning of a sentence: `The environment 'rooms'`
 * @throws ShaketableError that names the field, the near miss, what was expected and what came
 */
export function checkFields(place: string, value: unknown, fields: Fields, code: ErrorCode = 'usage'): void {
  if (!isObject(value)) throw new ShaketableError(code, `${place} must be an object, got ${describeValue(value)}.`)
  const values = value as Readonly<Record<string, unknown>>
  const prototype: unknown = Object.getPrototypeOf(values)
  const isPlain = prototype === Object.prototype || prototype === null
  const known = Object.keys(fields)
  const unknown = isPlain ? Object.keys(values).find((field) => !Object.hasOwn(fields, field)) : undefined
  if (unknown !== undefined) {
    const wrong = `${place} has no field '${unknown.slice(0, 100)}'`
    throw new ShaketableError(code, `${wrong}.${suggest(unknown, known)} Known: ${known.join(', ')}.`)
  }
  for (const field of known) {
    const type = fields[field]!
    const fieldValue = values[field]
    if (fieldValue === undefined && type.endsWith('?')) continue
    const names = type.replace('?', '').split('|') as TypeName[]
    if (names.some((name) => types[name][1].safeParse(fieldValue).success)) continue
    const expected = names.map((name) => types[name][0]).join(', or ')
    throw new ShaketableError(code, `${place}: '${field}' must be ${expected}, got ${describeValue(fieldValue)}.`)
  }
}

export function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Whether a value from a plug-in is a string or a list of pieces. */
export function isText(value: unknown): value is string | Text {
  return text.safeParse(value).success
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
