/** An element of a parsed document. */
export interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (Node | string)[]
}

/**
 * Parses XML with elements, attributes and text strictly: one root, every tag closed, no duplicate attribute, no bare
 * `&` or `<`, only characters that XML 1.0 allows. Throws if it is not well-formed.
 */
export function parseXml(text: string): Node {
  let at = 0
  const fail = (reason: string): never => {
    throw new Error(`${reason} at ${String(at)}: ${text.slice(Math.max(0, at - 40), at + 40)}`)
  }
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) fail('a character that XML does not allow')
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text) ?? undefined
    if (found) at += found[0].length
    return found
  }
  const decode = (raw: string): string =>
    raw.replace(
      /&(?:#(\d+);|(amp|lt|gt|quot|apos);)?/g,
      (whole, code: string | undefined, name: string | undefined) => {
        if (whole === '&') return fail('a bare &')
        return code ? String.fromCodePoint(Number(code)) : { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name!]!
      },
    )
  const readElement = (): Node => {
    const name = take(/<([a-z][A-Za-z]*)/y)?.[1] ?? fail('no tag')
    const attributes: Record<string, string> = {}
    for (let found; (found = take(/\s+([a-z][A-Za-z0-9:-]*)="([^"<]*)"/y));) {
      if (found[1]! in attributes) fail(`${found[1]!} twice`)
      attributes[found[1]!] = decode(found[2]!)
    }
    if (take(/\s*\/>/y)) return { name, attributes, children: [] }
    if (!take(/\s*>/y)) fail('a tag that does not end')
    const children: (Node | string)[] = []
    for (;;) {
      const words = take(/[^<]+/y)
      if (words) children.push(decode(words[0]))
      const end = take(/<\/([a-zA-Z]+)\s*>/y)
      if (end) return end[1] === name ? { name, attributes, children } : fail(`${end[1]!} closed, not ${name}`)
      children.push(readElement())
    }
  }
  const root = readElement()
  take(/\s*/y)
  return at === text.length ? root : fail('something after the root')
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
