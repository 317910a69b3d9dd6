import type { Lore } from './lore.js'
import type { Scene } from './scene.js'

/** The forms of action that may be said in a conversation: those that the prompt shows, and those known from training. */
export function candidateForms(scene: Scene, lore: Lore): ReadonlySet<string> {
  return new Set([...scene.shown.keys(), ...lore.said])
}

/** The command that a form with these names makes. */
export function fillForm(form: string, items: readonly { readonly name: string }[]): string {
  return form
    .split('{}')
    .map((piece, slot) => (slot === 0 ? piece : items[slot - 1]!.name + piece))
    .join('')
}
