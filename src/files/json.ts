/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The JSON objects in a list. */
export function objectsIn(values: unknown): readonly Json[] {
  return Array.isArray(values) ? values.filter(isObject) : []
}

/** The value of a JSON text; undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A character as it is escaped in JSON. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** JSON without the characters within strings that the line splitters of other languages take for line ends. */
export function escapeLineEnds(json: string): string {
  return json.replace(/[\u0085\u2028\u2029]/g, escapeCharacter)
}

/** A value as a line of JSON lines. */
export function jsonLine(value: unknown): string {
  return escapeLineEnds(JSON.stringify(value))
}
