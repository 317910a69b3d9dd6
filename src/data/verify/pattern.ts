import { RE2JS, RE2JSException } from 're2js'
import { messageOf } from '../../core/errors.js'
import { translatePython } from './python-pattern.js'

/** A regular expression from elsewhere that is safe to match with. */
export interface Pattern {
  /** Names of its groups, in their order; undefined for one without a name. */
  readonly groups: readonly (string | undefined)[]
  /** Whether it matches a text, all of it or from its start, and what its groups hold then. */
  match(text: string, extent: 'all' | 'start'): PatternMatch
}

/** A text that is too long for a pattern is not tried, which is a problem and no mismatch. */
export type PatternMatch =
  { readonly groups: readonly (string | undefined)[] } | { readonly groups?: never; readonly problem?: string }

/** Steps of a pattern times characters of a text; a match that comes to so many takes about a quarter of a second. */
const mostWork = 5_000_000

/** Compiles a pattern of Python's `re`. Neither that nor a match with it takes long, whatever the pattern. @returns what is wrong with it, to follow a subject */
export function compilePattern(source: string): Pattern | { readonly problem: string } {
  const translated = translatePython(source)
  if ('problem' in translated) return translated
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(translated.pattern)
  } catch (thrown) {
    if (thrown instanceof RE2JSException) return { problem: `cannot be read (${messageOf(thrown)})` }
    throw thrown
  }
  const names = new Map(Object.entries(compiled.namedGroups()).map(([name, group]) => [group, name]))
  const groups = Array.from({ length: compiled.groupCount() }, (_, place) => names.get(place + 1))
  const longest = Math.floor(mostWork / Math.max(1, compiled.programSize()))
  return {
    groups,
    match(text, extent) {
      if (text.length > longest) {
        return { problem: `is not tried on ${String(text.length)} characters, more than ${String(longest)}` }
      }
      const matcher = compiled.matcher(text)
      if (!(extent === 'all' ? matcher.matches() : matcher.lookingAt())) return {}
      return { groups: groups.map((_, place) => matcher.group(place + 1) ?? undefined) }
    },
  }
}
