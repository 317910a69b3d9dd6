import type { Node } from './xml.js'

/** The elements that stand for a point, with what their groups say of them. */
export function marksOf(node: Node, inherited: Node['attributes'] = {}): Node[] {
  const told = Object.entries(node.attributes).filter(([key]) => key.startsWith('data-'))
  const attributes = { ...inherited, ...Object.fromEntries(told) }
  const mark = 'data-value' in node.attributes ? [{ ...node, attributes: { ...inherited, ...node.attributes } }] : []
  const below = node.children.flatMap((child) => (typeof child === 'string' ? [] : marksOf(child, attributes)))
  return [...mark, ...below]
}
