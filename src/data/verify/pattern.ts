import { RE2JS, RE2JSException } from 're2js'
import { messageOf } from '../../core/errors.js'
import { translatePython } from './python-pattern.js'

/** A regular expression from elsewhere, which is safe to match with. */
export interface Pattern {
  /** Names of its groups by their numbers, from 1; undefined for one without a name. */
  readonly groups: readonly (string | undefined)[]
  /**
   * What its groups hold where it matches `text`: all of it, or from its start. Undefined where it does not match, and a problem where the text is too long for it.
   */
  match(text: string, whole: boolean): readonly (string | undefined)[] | undefined | { readonly problem: string }
}

/** Steps of a pattern times characters of a text: a match of so many takes a quarter of a second. */
const mostWork = 5_000_000

/** Compiles a pattern of Python's `re`. Neither that nor a match with it can take long, whatever the pattern: see {@link translatePython}. */
export function compilePattern(source: string): Pattern | { readonly problem: string } {
  const translated = translatePython(source)
  if ('problem' in translated) return translated
  let compiled: { readonly start: RE2JS; readonly whole: RE2JS }
  try {
    compiled = { start: RE2JS.compile(translated.pattern), whole: RE2JS.compile(`${translated.pattern}`) }
  } catch (thrown) {
    if (thrown instanceof RE2JSException) return { problem: messageOf(thrown) }
    throw thrown
  }
  const names = new Map(Object.entries(compiled.start.namedGroups()).map(([name, group]) => [group, name]))
  const groups = Array.from({ length: compiled.start.groupCount() }, (_, place) => names.get(place + 1))
  const longest = Math.floor(mostWork / Math.max(1, compiled.start.programSize()))
  return {
    groups,
    match(text, whole) {
      if (text.length > longest) {
        return { problem: `was not tried on ${String(text.length)} characters, more than ${String(longest)}` }
      }
      const matcher = compiled.start.matcher(text)
      if (!(whole ? matcher.matches() : matcher.lookingAt())) return undefined
      return groups.map((_, place) => matcher.group(place + 1) ?? undefined)
    },
  }
}
