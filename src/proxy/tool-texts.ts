import * as z from 'zod'
import { type Json, isObject } from '../files/json.js'
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

/** A verb of a tool's name and the synonym that it has become; undefined where it is no synonym. */
export function otherVerb(
  from: string,
  to: string,
  { verbs }: ToolWords,
): readonly [old: string, other: string] | undefined {
  const [before, after] = [from, to].map((template) => template.split('{')[0]!.trim().split(' ')) as [
    string[],
    string[],
  ]
  const at = before.findIndex((word, index) => word !== after[index])
  const [old = '', other = ''] = [before[at], after[at]]
  return Object.hasOwn(verbs, old) && verbs[old]!.includes(other) ? [old, other.replaceAll('-', ' ')] : undefined
}

/** A description whose sentences begin with another verb: `Reads a file` with `load` for `read` is `Loads a file`. */
export function withVerb(description: string, [old, other]: readonly [old: string, other: string]): string {
  const [verb = '', ...rest] = other.split(' ')
  const third = /(?:s|x|z|ch|sh)$/.test(verb) ? `${verb}es` : verb.replace(/([^aeiou])y$/, '$1ie') + 's'
  const forms = new Map(
    [old, `${old}s`, `${old}es`].map((form) => [form, [form === old ? verb : third, ...rest].join(' ')]),
  )
  return description.replace(/(?<=^|[.!?]\s+)[A-Za-z]+(?![\w-])/g, (word) => {
    const form = forms.get(word.toLowerCase())
    if (form === undefined || word.slice(1) !== word.slice(1).toLowerCase()) return word
    return word[0] === word[0]!.toLowerCase() ? form : form[0]!.toUpperCase() + form.slice(1)
  })
}

export function propertiesOf(schema: unknown): Json {
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {}
}

/** A schema with other names for its properties, also where its conditions and references name them. */
export function renameKeys(schema: Json, keys: ReadonlyMap<string, string>): Json {
  const nameOf = (key: string): string => keys.get(key) ?? key
  const renamed = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(renamed) : isObject(value) ? renameKeys(value, keys) : value
  const rename = (keyword: string, value: unknown): unknown => {
    if (keyword === 'required' && Array.isArray(value)) return value.map((name) => nameOf(String(name)))
    if (keyword !== 'properties' || !isObject(value)) {
      return /^(?:allOf|anyOf|oneOf|not|if|then|else)$/.test(keyword) ? renamed(value) : value
    }
    // The properties of a property are not those of the tool.
    const withNames = mapTexts(value, /^\$ref$/, (text) => text.replace(/(?<=^#\/properties\/)[^/]+/, nameOf)) as Json
    return Object.fromEntries(Object.entries(withNames).map(([key, property]) => [nameOf(key), property]))
  }
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, rename(keyword, value)]))
}
