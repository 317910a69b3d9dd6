import { isObject } from '../files/json.js'

/** The text of a message: a string, nothing where it only calls functions, or its text parts in OpenAI's form. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (!Array.isArray(value)) return undefined
  const parts = value.map((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
  return parts.join('')
}

/** A call of a function as text: `take {"obj": "pen 1"}`. */
export function callText(name: unknown, args: unknown): string {
  return [name, typeof args === 'string' ? args : JSON.stringify(args)].filter(Boolean).join(' ')
}

/** Longest string of a record that counts as a label. */
const maxLabel = 300

/** What a record says in short strings, by its own keys, but for those that are `known`. */
export function labelsOf(record: unknown, known: readonly string[] = []): Record<string, string> {
  const entries = Object.entries(isObject(record) ? record : {})
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && entry[1].length <= maxLabel && !known.includes(entry[0]),
    ),
  )
}
