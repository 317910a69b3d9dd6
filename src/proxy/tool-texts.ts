import * as z from 'zod'
import type { Json } from '../models/frames.js'
import { isObject } from '../models/frames.js'
import { mapTexts } from './wire.js'

const wordings = z.record(z.string(), z.array(z.string()))
/**
 * The words that families of wording use: others for a word of a tool's name (`verbs`, such as `read` → `load`,
 * `open`), and for the last word of a parameter's name (`items`).
 */
export const toolWordsSchema = z.strictObject({ verbs: wordings, items: wordings })
export type ToolWords = z.infer<typeof toolWordsSchema>

/** A text that is not taken yet, with a number where it is or where `from` says so. */
export function free(text: string, joint: string, taken: Set<string>, from?: number): string {
  let [number, candidate] = [from ?? 1, from === undefined ? text : `${text}${joint}${String(from)}`]
  while (taken.has(candidate)) candidate = `${text}${joint}${String(++number)}`
  taken.add(candidate)
  return candidate
}

/** The words of an identifier: `readTextFile`, `read_text_file` and `read-text-file` are `read text file`. */
export function wordsOf(identifier: string): string {
  const words = identifier.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ').match(/[\p{L}\p{N}]+/gu) ?? ['unnamed']
  return words.join(' ').toLowerCase()
}

/** Words as an identifier in the style of another one; that one where they are its own. */
export function spell(words: string, like: string): string {
  const parts = words.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? []
  if (parts.length === 0 || parts.join(' ') === wordsOf(like)) return like
  const isCamel = /\p{Ll}\p{Lu}/u.test(like) && !/[-_.]/.test(like)
  if (!isCamel) return parts.join(/[-.]/.exec(like)?.[0] ?? '_')
  const capital = (part: string): string => part[0]!.toUpperCase() + part.slice(1)
  const isUpper = /^\p{Lu}/u.test(like)
  return parts.map((part, index) => (index > 0 || isUpper ? capital(part) : part)).join('')
}

export function propertiesOf(schema: unknown): Json {
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {}
}

/** Keywords whose conditions and references name properties. Without them an agent sees a looser schema. */
const conditions = /^(?:allOf|anyOf|oneOf|not|if|then|else|dependentRequired|dependentSchemas|dependencies)$/

/** A schema with other names for its properties, and without conditions on them where a name has changed. */
export function renameKeys(schema: Json, keys: ReadonlyMap<string, string>): Json {
  if ([...keys].every(([key, other]) => key === other)) return schema
  const nameOf = (key: string): string => keys.get(key) ?? key
  const { required } = schema
  const renamed = {
    properties: Object.fromEntries(
      Object.entries(propertiesOf(schema)).map(([key, one]) => [
        nameOf(key),
        mapTexts(one, /^\$ref$/, (text) => text.replace(/(?<=^#\/properties\/)[^/]+/, nameOf)),
      ]),
    ),
    ...(Array.isArray(required) && { required: required.map((key) => nameOf(String(key))) }),
  }
  return Object.fromEntries(Object.entries({ ...schema, ...renamed }).filter(([keyword]) => !conditions.test(keyword)))
}
