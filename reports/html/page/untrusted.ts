import { isShortName, visiblePieces } from '../visible.js'
import type { Part } from './dom.js'
import { make } from './dom.js'

/**
 * Text from a model or a file: isolated, so that its direction of writing ends where it ends, and with what would be
 * unseen in it named.
 */
export function untrusted(text: string): HTMLElement {
  return make('bdi', { class: isShortName(text) && 'short' }, visibleParts(text))
}

/** With more of them no element is made for each, as a page of a million elements would stand still. */
const maxPieces = 10_000

/** The same without the element around it. */
export function visibleParts(text: string): Part {
  const pieces = visiblePieces(text)
  if (pieces.length > maxPieces) return pieces.map((piece) => piece.text).join('')
  return pieces.map((piece) => (piece.stands ? make('span', { class: 'unseen' }, piece.text) : piece.text))
}
