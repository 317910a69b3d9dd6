import type { Exchange } from './_layout.js'
import type { Prompt } from './_prompt.js'

/** How one kind of world is played, by somebody who knows no more of it than what was said and seen. */
export interface Skill {
  /** Whether a conversation that begins so is about a world of this kind. */
  fits(prompt: Prompt, opening: string): boolean
  begin(prompt: Prompt, opening: string): Position
  /** The names of items that an observation speaks of. */
  names(observation: string): readonly string[]
}

/** Where an episode stands. It never changes: the same conversation may go on in several ways. */
export interface Position {
  /** What it is after an action and what came of it. */
  after(exchange: Exchange): Position
  /** What could be done now. */
  options(): readonly Option[]
}

/** Something that could be done. */
export interface Option {
  /** How much speaks for it: logarithm of odds, the best near 0. */
  readonly score: number
  /** Ways to say it, any of which would do as well; undefined where every wording that is known was refused. */
  readonly ways: readonly (() => string | undefined)[]
}
