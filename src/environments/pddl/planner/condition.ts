/** A condition on ground atoms, as small as it could be made. Atoms are numbers; `false` and `true` are decided already. */
export type Condition =
  | boolean
  | { readonly kind: 'literal'; readonly atom: number; readonly holds: boolean }
  | { readonly kind: 'all'; readonly parts: readonly Condition[] }
  | { readonly kind: 'any'; readonly parts: readonly Condition[] }

/** Holds where all parts do. */
export const all = (parts: readonly Condition[]): Condition => join('all', parts)
/** Holds where one part does. */
export const any = (parts: readonly Condition[]): Condition => join('any', parts)

function join(kind: 'all' | 'any', parts: readonly Condition[]): Condition {
  const neutral = kind === 'all'
  const kept: Condition[] = []
  for (const part of parts) {
    if (part === neutral) continue
    if (typeof part === 'boolean') return part
    if (part.kind !== kind) kept.push(part)
    else for (const inner of part.parts) kept.push(inner)
  }
  if (kept.length === 0) return neutral
  return kept.length === 1 ? kept[0]! : { kind, parts: kept }
}

/** The conditions that together make up one. */
export function partsOf(condition: Condition): readonly Condition[] {
  return typeof condition !== 'boolean' && condition.kind === 'all' ? condition.parts : [condition]
}

/** Holds where a condition does not. */
export function negate(condition: Condition): Condition {
  if (typeof condition === 'boolean') return !condition
  if (condition.kind === 'literal') return { ...condition, holds: !condition.holds }
  return { kind: condition.kind === 'all' ? 'any' : 'all', parts: condition.parts.map(negate) }
}

/** Whether a condition holds. */
export function holdsIn(condition: Condition, has: (atom: number) => boolean): boolean {
  if (typeof condition === 'boolean') return condition
  if (condition.kind === 'literal') return has(condition.atom) === condition.holds
  return condition.kind === 'all'
    ? condition.parts.every((part) => holdsIn(part, has))
    : condition.parts.some((part) => holdsIn(part, has))
}
