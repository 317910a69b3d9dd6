import type { Example } from '../../core/environment.js'

/** Our own worked examples of a game. */
export function ownExamples(game: string): readonly Example[] {
  return game === '' ? [] : []
}
