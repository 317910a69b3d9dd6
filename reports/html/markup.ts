import { isShortName, visiblePieces, visibleText } from './visible.js'

/** Markup that goes into the page unescaped; only this file creates it from text. */
export interface Markup {
  readonly markup: string
}

/** Content of an element: text, which is escaped, markup, several of them, or nothing. */
export type Child = string | number | Markup | undefined | false | readonly Child[]

/** Attributes by name: true writes one without a value, undefined and false write none. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

const empty = new Set(['meta', 'link', 'input', 'br', 'col'])

/** One element; text and attributes are escaped. */
export function element(name: string, attributes: Attributes = {}, ...children: readonly Child[]): Markup {
  const pairs = Object.entries(attributes).flatMap(([attribute, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? ` ${attribute}` : ` ${attribute}="${escapeText(visibleText(String(value)))}"`
  })
  const open = `<${name}${pairs.join('')}>`
  return { markup: empty.has(name) ? open : `${open}${markupOf(children)}</${name}>` }
}

/** Text from a model, a file or a plan, isolated so that its direction of writing does not affect other text. */
export function untrusted(text: string): Markup {
  return element('bdi', { class: isShortName(text) && 'short' }, text)
}

/** Markup from elsewhere that is known to be safe. */
export function trusted(markup: string): Markup {
  return { markup }
}

/** Children as markup: text is escaped, and invisible characters are named. */
export function markupOf(child: Child): string {
  if (child === undefined || child === false) return ''
  if (typeof child === 'number') return String(child)
  if (typeof child === 'string') return visiblePieces(child).map(pieceMarkup).join('')
  return 'markup' in child ? child.markup : child.map(markupOf).join('')
}

function pieceMarkup({ text, isName }: { readonly text: string; readonly isName: boolean }): string {
  return isName ? `<span class="unseen">${text}</span>` : escapeText(text)
}

/** Text as HTML, for elements and for quoted attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
