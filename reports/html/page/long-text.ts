import type { Part } from './dom.js'
import { fill, make } from './dom.js'
import { number } from './episode-table.js'
import { visibleParts } from './untrusted.js'

const maxCharacters = 2000

/** Untrusted text of any length: what is beyond a page or so is shown when it is asked for. */
export function longText(text: string, attributes: Readonly<Record<string, string>> = {}): HTMLElement {
  const whole = { dir: 'auto', ...attributes, class: `text ${attributes['class'] ?? ''}` }
  if (text.length <= maxCharacters) return make('div', whole, visibleParts(text))
  const start = cutBetweenLetters(text)
  const body = make('div', whole, visibleParts(start), '…')
  const button = make('button', { type: 'button', class: 'more' }, `Show all ${number(text.length)} characters`)
  button.addEventListener('click', () => {
    fill(body, visibleParts(text))
    button.remove()
  })
  return make('div', {}, body, button)
}

/** Text that is shown when it is asked for. */
export function folded(summary: Part, ...parts: readonly Part[]): HTMLElement {
  return make('details', {}, make('summary', {}, summary), parts)
}

/** The beginning of a text, without half a letter at its end. */
function cutBetweenLetters(text: string): string {
  const last = text.charCodeAt(maxCharacters - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxCharacters - 1 : maxCharacters)
}
