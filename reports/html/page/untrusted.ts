import { visiblePieces } from '../visible.js'
import type { Part } from './dom.js'
import { make } from './dom.js'

/** Text from a model or a file: isolated, so that its direction of writing ends where it ends, and with what would be unseen in it named. */
export function untrusted(text: string): HTMLElement {
  return make('bdi', {}, visibleParts(text))
}

/** The same without the element around it. */
export function visibleParts(text: string): Part[] {
  return visiblePieces(text).map((piece) => (piece.stands ? make('span', { class: 'unseen' }, piece.text) : piece.text))
}
