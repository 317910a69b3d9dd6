import { RE2JS, RE2JSException } from 're2js'
import { messageOf } from '../../core/errors.js'
import { translatePython } from './python-pattern.js'

/** A regular expression from elsewhere that is safe to match with. */
export interface Pattern {
  /** Names of its groups, in their order; undefined for one without a name. */
  readonly groups: readonly (string | undefined)[]
  /** How long it is once its repeats are written out: a match takes time in proportion to that and to the text, at most. */
  readonly steps: number
  /** What its groups hold where it matches a text, all of it or from its start; undefined where it does not. */
  match(text: string, extent: 'all' | 'start'): readonly (string | undefined)[] | undefined
}

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
  return {
    groups,
    steps: compiled.programSize(),
    match(text, extent) {
      const matcher = compiled.matcher(text)
      if (!(extent === 'all' ? matcher.matches() : matcher.lookingAt())) return undefined
      return groups.map((_, place) => matcher.group(place + 1) ?? undefined)
    },
  }
}
