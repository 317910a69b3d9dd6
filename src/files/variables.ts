import { usageError } from '../core/errors.js'

/** `$NAME` or `${NAME}`; `$$NAME` is the text `$NAME` itself. */
const reference = /\$(\$?)(?:\{([A-Z_][A-Z0-9_]{0,99})\}|([A-Z_][A-Z0-9_]{0,99}))/g

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>

/** The names of all variables that the strings of a JSON value refer to. */
export function referencesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [...value.matchAll(reference)].flatMap(([, escape, braced, bare]) => (escape ? [] : (braced ?? bare ?? [])))
  }
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(referencesIn) : []
}

/**
 * A JSON value with variables replaced by their values.
 * @param place where the value was given, for the message
 * @throws ShaketableError `usage` for a variable that is not set; the message names it and shows no value
 */
export function fillReferences<T>(document: T, variables: Variables, place: string): T {
  const fill = (value: string): string =>
    value.replace(reference, (text: string, escape: string, braced?: string, bare?: string) => {
      if (escape !== '') return text.slice(1)
      const name = braced ?? bare ?? ''
      const value = (Object.hasOwn(variables, name) ? variables[name] : '')?.trim() ?? ''
      if (value !== '') return value
      throw usageError(
        `${place}: expected a value in the variable ${name}, but it is not set. Set it, or write $${text} for the text itself.`,
      )
    })
  return JSON.parse(JSON.stringify(document), (_, value: unknown) =>
    typeof value === 'string' ? fill(value) : value,
  ) as T
}
