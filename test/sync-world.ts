import type { World } from '../src/core/environment.js'

/** Members that every shipped environment has. */
interface Told {
  admissible(): readonly string[]
  understands(action: string): boolean
  solve(): readonly string[] | undefined
}

/** An episode of a shipped environment, perturbed or not. */
export function syncWorld<Of extends World>(world: Of): Told & Of {
  return world as Told & Of
}
