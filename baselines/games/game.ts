import type { Deed } from './deed.js'
import type { Told } from './facts.js'
import type { View } from './view.js'

/** One game: how it is told, what can be done in it, and what a sensible person does. */
export interface Game {
  /** What its first observation has in it. */
  readonly sign: RegExp
  read(text: string): Told
  /** A predicate of which something always holds: it is told where everything is. */
  readonly mark: string
  readonly deeds: readonly Deed[]
  /** What a sensible person does next; nothing where there is nothing to be done. */
  decide(view: View, goal: readonly string[]): readonly Doing[]
}

/** A deed with names for its roles. */
export interface Doing {
  readonly deed: string
  readonly objects: readonly string[]
  /** Logarithm of odds, the best 0. */
  readonly score: number
}

/** A doing than which nothing is better. */
export function best(deed: string, ...objects: readonly string[]): Doing {
  return { deed, objects, score: 0 }
}
