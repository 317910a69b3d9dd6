import { type Element, DOMParser } from '@xmldom/xmldom'

/** An element of a parsed document. */
export interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (Node | string)[]
}

/** A character that XML 1.0 does not allow, and a bare `&`, which the parser takes. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|&(?!(?:#\d+|amp|lt|gt|quot|apos);)/u

/** Parses XML. @throws Error if it is not well-formed */
export function parseXml(text: string): Node {
  const found = forbidden.exec(text)
  if (found) throw new Error(`'${found[0]}' is not XML, at ${String(found.index)}.`)
  const onError = (level: string, message: string): never => {
    throw new Error(`${level}: ${message}`)
  }
  return nodeOf(new DOMParser({ onError }).parseFromString(text, 'image/svg+xml').documentElement!)
}

function nodeOf(element: Element): Node {
  return {
    name: element.tagName,
    attributes: Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value])),
    children: Array.from(element.childNodes, (child) =>
      child.nodeType === child.ELEMENT_NODE ? nodeOf(child as Element) : (child.nodeValue ?? ''),
    ),
  }
}

/** A node and its descendants with a name. */
export function findAll(node: Node, name: string): Node[] {
  const below = node.children.flatMap((child) => (typeof child === 'string' ? [] : findAll(child, name)))
  return node.name === name ? [node, ...below] : below
}

/** The text of a node without the `title`s directly in it. */
export function textOf(node: Node): string {
  return node.children
    .map((child) => (typeof child === 'string' ? child : child.name === 'title' ? '' : textOf(child)))
    .join('')
}
