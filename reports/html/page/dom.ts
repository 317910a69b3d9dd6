/** What an element can hold: nodes, text (as text, whatever is in it), several of them, or nothing. */
export type Part = Node | string | number | undefined | false | readonly Part[]

/** Makes an element. Text only ever becomes text nodes. */
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

/** Empties an element and fills it again. */
export function fill(element: Element, ...parts: readonly Part[]): void {
  element.replaceChildren()
  append(element, parts)
}

/** The element of an id, which the page is known to have. */
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
