/** The names that are known of a world, by key. */
export interface Names {
  /** How each is spelled within a sentence. */
  readonly spelled: ReadonlyMap<string, string>
  readonly kinds: ReadonlyMap<string, ReadonlySet<string>>
  /** Where known names stand in a text, in order. */
  find(text: string): readonly Found[]
}

/** A known name in a text. */
export interface Found {
  readonly key: string
  readonly at: number
  readonly length: number
}

/** A name as it was met. */
export interface Met {
  readonly name: string
  readonly kind: string
  /** Whether it was the first word of a sentence, whose first letter says nothing. */
  readonly leads: boolean
}

/** What kinds of name are of a wider one too. */
export const wider: Readonly<Record<string, string>> = {
  shot: 'container',
  shaker: 'container',
  cocktail: 'beverage',
  ingredient: 'beverage',
  nut: 'obj',
  wheel: 'obj',
}

/** What stays of a name in any spelling: its letters and digits. */
export function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Gathers names from where they were met. */
export function gatherNames(met: readonly Met[]): Names {
  const spelled = new Map<string, string>()
  const sure = new Set<string>()
  const kinds = new Map<string, Set<string>>()
  for (const { name, kind, leads } of met) {
    const key = keyOf(name)
    if (key === '') continue
    if (!spelled.has(key) || (!leads && !sure.has(key))) spelled.set(key, leads ? withoutCapital(name) : name)
    if (!leads) sure.add(key)
    const known = kinds.get(key) ?? new Set()
    kinds.set(key, known.add(kind))
    const also = wider[kind]
    if (also !== undefined) known.add(also)
  }
  // What things are kept in is one kind of container or the other.
  for (const known of kinds.values()) if (known.has('container') && !known.has('shaker')) known.add('shot')
  const pattern = patternOf([...spelled.values()])
  return {
    spelled,
    kinds,
    find: (text) =>
      [...text.matchAll(pattern)].map(({ 0: name, index }) => ({ key: keyOf(name), at: index, length: name.length })),
  }
}

/** `Ball-1` at the beginning of a sentence is `ball-1`; `BALL-1` is spelled so. */
function withoutCapital(name: string): string {
  const rest = name.slice(1)
  return rest === rest.toLowerCase() ? name[0]!.toLowerCase() + rest : name
}

/** Any of the names as a whole, the longest first; one that matches nothing where there are none. */
function patternOf(names: readonly string[]): RegExp {
  const escaped = [...names]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  const any =
    escaped.length === 0 ? '(?!)' : `(?<![\\p{L}\\p{N}-])(?:${escaped.join('|')})(?![\\p{L}\\p{N}]|-[\\p{L}\\p{N}])`
  return new RegExp(any, 'giu')
}
