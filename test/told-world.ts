import type { World } from '../src/core/environment.js'

/** What a shipped environment tells, all of it and at once. */
interface Told {
  admissible(): readonly string[]
  understands(action: string): boolean
  solve(): readonly string[] | undefined
}

/** A world of a shipped environment, perturbed or not. */
export function told<Of extends World>(world: Of): Told & Of {
  return world as Told & Of
}
