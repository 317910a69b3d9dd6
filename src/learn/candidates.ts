import type { Lore } from './lore.js'
import type { Scene } from './scene.js'

/** The forms of action that may be said in a conversation: those that the prompt shows, and those known from training. */
export function candidateForms(scene: Scene, lore: Lore): ReadonlySet<string> {
  return new Set([...scene.shown.keys(), ...lore.said.keys()])
}
