import { isShortName, visiblePieces } from '../visible.js'

/** Content of an element: nodes, text (never parsed as markup), several of them, or nothing. */
export type Part = Node | string | number | undefined | false | readonly Part[]

/** Creates an element. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> = {},
  ...parts: readonly Part[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(attribute, value === true ? '' : String(value))
  }
  append(made, parts)
  return made
}

/** Creates a button. */
export function makeButton(text: Part, onClick: () => void, attributes: Parameters<typeof make>[1] = {}) {
  const button = make('button', { type: 'button', ...attributes }, text)
  button.addEventListener('click', onClick)
  return button
}

/** Replaces the content of an element. */
export function fill(element: Element, ...parts: readonly Part[]): void {
  element.replaceChildren()
  append(element, parts)
}

/** The element with an id that must be on the page. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`Expected an element with the id ${id} on this page. Make the report again.`)
  return found
}

function append(element: Element, parts: readonly Part[]): void {
  for (const part of parts) {
    if (part === undefined || part === false) continue
    if (typeof part === 'string' || typeof part === 'number') element.append(String(part))
    else if (part instanceof Node) element.append(part)
    else append(element, part)
  }
}

/** Text from a model or a file, isolated so that its direction of writing does not affect other text. */
export function untrusted(text: string): HTMLElement {
  return make('bdi', { class: isShortName(text) && 'short' }, visibleParts(text))
}

/** With more pieces than this, names of characters get no element each: a page of a million elements would freeze. */
const maxPieces = 10_000

/** The same without the element around it. */
export function visibleParts(text: string): Part {
  const pieces = visiblePieces(text)
  if (pieces.length > maxPieces) return pieces.map((piece) => piece.text).join('')
  return pieces.map((piece) => (piece.isName ? make('span', { class: 'unseen' }, piece.text) : piece.text))
}

const maxCharacters = 2000

/** Untrusted text of any length; a button shows what is beyond the first 2,000 characters. */
export function longText(text: string, attributes: Readonly<Record<string, string>> = {}): HTMLElement {
  const all = { dir: 'auto', ...attributes, class: `text ${attributes['class'] ?? ''}` }
  if (text.length <= maxCharacters) return make('div', all, visibleParts(text))
  // A surrogate pair is not split.
  const start = text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')
  const body = make('div', all, visibleParts(start), '…')
  const showAll = (): void => {
    fill(body, visibleParts(text))
    button.remove()
  }
  const button = makeButton(`Show all ${number(text.length)} characters`, showAll, { class: 'more' })
  return make('div', {}, body, button)
}

/** Content that is hidden until its summary is clicked. */
export function folded(summary: Part, ...parts: readonly Part[]): HTMLElement {
  return make('details', {}, make('summary', {}, summary), parts)
}

/** The message of something thrown. */
export function failure(thrown: unknown): HTMLElement {
  return make('p', { class: 'warning' }, thrown instanceof Error ? thrown.message : String(thrown))
}

/** A whole number with thousands separators. */
export function number(value: number): string {
  return value.toLocaleString('en')
}

/** A share of 1 as a whole percentage. */
export function percent(share: number): string {
  return `${String(Math.round(100 * share))} %`
}

/** `best-of-n` as a title: `Best of n`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
